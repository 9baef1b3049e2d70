"""Conversations on the judging page, in prompts, in the export, and erased."""

import json

import pytest
from django.urls import reverse

from analysis.exports.source import ExportSource
from analysis.exports.texts import responses
from annotation.corpora.importing import import_corpus
from annotation.models import Response, Topic
from judging.machines.item_prompts import materials
from tests.annotation.corpora.small_corpora import write
from tests.cast import begun, bob, small_corpus, small_study
from tests.hooks import elements
from writing.review.publishing import _blank

pytestmark = pytest.mark.django_db


def turns(count, word="turn"):
    """Return the turns before a response; the last one is the user's."""
    return [
        {"role": ("user", "assistant")[n % 2], "content": f"{word} **{n}**"} for n in range(count)
    ]


def study_of(instrument, *earlier):
    corpus = small_corpus(responses=len(earlier))
    for response, before in zip(corpus.responses.order_by("pk"), earlier, strict=True):
        response.turns = before
        response.save()
    Topic.objects.update(query="turn **0**")
    return small_study(corpus=corpus, instrument=instrument)


def page_of(client, study):
    work = begun(study, bob())
    return client.get(reverse("judging:item", args=[work.token, 1])).content.decode()


def test_common_turns_stand_once_above_two_judged_ones_and_old_ones_are_folded(client):
    page = page_of(client, study_of("next-turn", turns(11), turns(11)))
    assert [one.attributes["data-thread"] for one in elements(page, "data-thread")] == ["common"]
    assert len(elements(page, "data-turn")) == 11 + 2
    assert len(elements(page, "data-judged")) == 2
    (folded,) = elements(page, "data-folded")
    assert folded.tag == "details"
    assert "turn 8" in folded.text
    assert "turn 9" not in folded.text
    assert "<strong>10</strong>" in page


def test_other_turns_stay_with_each_text(client):
    page = page_of(client, study_of("next-turn", turns(3), turns(3, "other")))
    threads = [one.attributes["data-thread"] for one in elements(page, "data-thread")]
    assert sorted(threads) == ["a", "b"]
    assert not elements(page, "data-folded")


def test_whole_conversation_is_unfolded_and_no_turn_of_it_is_marked(client):
    page = page_of(client, study_of("whole-conversation", turns(11)))
    assert len(elements(page, "data-turn")) == 12
    assert not elements(page, "data-folded")
    assert not elements(page, "data-judged")


def test_turn_that_is_the_query_alone_is_not_shown_again(client):
    alone = [{"role": "user", "content": "turn 0"}]
    study = study_of("next-turn", alone, alone)
    Topic.objects.update(query="turn 0")
    assert not elements(page_of(client, study), "data-turn")


@pytest.mark.parametrize(
    ("instrument", "is_context"), [("answer-quality", True), ("whole-conversation", False)]
)
def test_llm_judge_reads_the_turns_in_their_order(instrument, is_context):
    study = study_of(instrument, turns(3))
    (material,) = materials(list(study.items.all())).values()
    (words,) = material.words.values()
    contents = [*(turn["content"] for turn in turns(3)), Response.objects.get().text]
    places = [words.index(content) for content in contents]
    assert places == sorted(places)
    assert words.startswith("[") is not is_context


def test_export_has_the_conversation_and_its_import_is_equal(tmp_path):
    odd = [{"role": "user", "content": " a\r\n[1] \u202e\t"}, {"role": "tool", "content": ""}]
    study = study_of("next-turn", odd, None)
    before = dict(study.corpus.responses.values_list("key", "turns"))
    rows = list(responses(ExportSource.of(study)))
    assert rows[0]["messages"][:-1] == odd
    assert rows[1]["messages"] is None
    text = "".join(json.dumps(row) + "\n" for row in rows)
    topics = write(tmp_path / "topics.jsonl", [{"topic": "t1", "query": "a"}])
    again = write(tmp_path / "responses.jsonl", text.encode())
    import_corpus(slug="again", name="", files=[topics, again])
    assert dict(Response.objects.filter(corpus__slug="again").values_list("key", "turns")) == before


def test_erased_text_loses_its_turns(client):
    study_of("next-turn", turns(3), turns(3))
    response = Response.objects.first()
    _blank(response)
    response.refresh_from_db()
    assert (response.text, response.turns) == ("", None)
