"""Topics with earlier turns: imported, shown above the texts, read by judges, exported."""

import json

import pytest
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from analysis.exports.source import ExportSource
from analysis.exports.texts import responses
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.models import Corpus, Response, Topic
from judging.items.conversations import query_text
from judging.machines.item_prompts import materials
from tests.annotation.corpora.small_corpora import write
from tests.cast import alice, begun, bob, rita, small_corpus, small_study, writing_study
from tests.hooks import elements
from tests.judging.answering.test_conversations import turns

pytestmark = pytest.mark.django_db


def study_of(instrument, *, count=11, own=None):
    corpus = small_corpus(responses=2)
    corpus.topics.update(turns=turns(count - 1), query=turns(count)[-1]["content"])
    corpus.responses.update(turns=own)
    return small_study(corpus=corpus, instrument=instrument)


def page_of(client, study):
    work = begun(study, bob())
    return client.get(reverse("judging:item", args=[work.token, 1])).content.decode()


@pytest.mark.parametrize("own", [None, turns(11)], ids=["topic", "same turns"])
def test_turns_of_the_topic_stand_once_above_the_texts(client, own):
    page = page_of(client, study_of("next-turn", own=own))
    assert [one.attributes["data-thread"] for one in elements(page, "data-thread")] == ["common"]
    assert len(elements(page, "data-turn")) == 11 + 2
    assert len(elements(page, "data-judged")) == 2
    assert len(elements(page, "data-folded")) == 1
    (heading,) = elements(page, "data-heading")
    assert heading.text == "turn 10"  # neither stars nor tags


def test_whole_conversation_has_the_turns_of_the_topic(client):
    page = page_of(client, study_of("whole-conversation", count=3))
    assert len(elements(page, "data-turn")) == 3 + 1
    assert not elements(page, "data-judged")


def test_query_with_markdown_is_a_message_and_its_heading_has_words_alone(client):
    study = study_of("next-turn", count=1)
    Topic.objects.update(turns=None, query="# Mend this\n\n```py\nx = [1]\n```")
    page = page_of(client, study)
    (heading,) = elements(page, "data-heading")
    assert heading.text == "Mend this"
    assert len(elements(page, "data-turn")) == 1
    assert '<pre data-language="py">' in page


def test_plain_query_stays_the_heading(client):
    study = study_of("next-turn", count=1)
    Topic.objects.update(turns=None, query="What is 2*3*4_ & why?")
    page = page_of(client, study)
    (heading,) = elements(page, "data-heading")
    assert heading.text == "What is 2*3*4_ & why?"
    assert not elements(page, "data-turn")


def test_llm_judge_reads_the_turns_of_the_topic_before_its_query():
    study = study_of("next-turn", count=3)
    topic = study.corpus.topics.get()
    text = query_text(topic)
    places = [text.index(turn["content"]) for turn in turns(3)]
    assert places == sorted(places)
    (material,) = materials(list(study.items.all())).values()
    assert set(material.words.values()) == set(Response.objects.values_list("text", flat=True))


def test_researchers_see_the_whole_thread_with_its_last_turn_marked(client):
    study = study_of("next-turn", count=11)
    client.force_login(rita())
    place, response = [study.slug, study.version], study.corpus.responses.first()
    pages = {
        reverse("response_page", args=[*place, response.key]): (12, 1),
        reverse("corpus_response", args=[study.corpus.slug, response.pk]): (12, 1),
        reverse("topic_page", args=[*place, response.topic.key]): (11, 0),
        reverse("corpus_topic", args=[study.corpus.slug, response.topic_id]): (11, 0),
        reverse("item_page", args=[*place, study.items.get().pk]): (13, 2),
    }
    for address, (count, marked) in pages.items():
        page = client.get(address).content.decode()
        assert len(elements(page, "data-turn")) == count, address
        assert len(elements(page, "data-judged")) == marked, address
        assert len(elements(page, "data-folded")) == 1, address


def test_writers_see_the_turns(client):
    study = writing_study()
    study.corpus.topics.update(turns=turns(2))
    work = begun(study, alice())
    page = client.get(reverse("writing:entry", args=[work.token])).content.decode()
    assert len(elements(page, "data-turn")) == 3


# -- Import and export -----------------------------------------------------------------------------
def topics_from(tmp_path, *rows):
    import_corpus(slug="in", name="", files=[write(tmp_path / "topics.jsonl", rows)])
    return dict(Topic.objects.values_list("key", "query")), Topic.objects.get().turns


def test_conversations_that_end_with_the_user_are_topics(tmp_path):
    found = topics_from(tmp_path, {"conversation_id": "c1", "messages": turns(3)})
    assert found == ({"c1": "turn **2**"}, turns(2))


def test_messages_of_a_topic_must_end_with_its_query(tmp_path):
    row = {"topic": "c1", "query": "turn **2**", "messages": turns(3)}
    assert topics_from(tmp_path, row) == ({"c1": "turn **2**"}, turns(2))
    bad = write(tmp_path / "bad.jsonl", [row | {"query": "other"}])
    lines = []
    with pytest.raises(ImportRefused):
        import_corpus(slug="bad", name="", files=[bad], tell=lines.append)
    assert [line.field for line in lines] == ["messages"]


CONTENTS = st.one_of(
    st.sampled_from(["", " ", "# a\n\n- b", "```py\nx[1]\n```", "$x$ [1]", "[1]: https://e.org"]),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
)
TURNS = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": CONTENTS}
    ),
    min_size=1,
    max_size=8,
)


@given(context=TURNS, own=st.lists(st.none() | TURNS, min_size=2, max_size=2), query=CONTENTS)
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_conversation_comes_in_again_as_it_was(tmp_path, context, own, query):
    query = f"Why{query}"
    with transaction.atomic():
        corpus = small_corpus(responses=2)
        corpus.topics.update(query=query, turns=context)
        for response, before in zip(corpus.responses.order_by("pk"), own, strict=True):
            Response.objects.filter(pk=response.pk).update(turns=before, text=f"{query} [1]")
        study = small_study(corpus=corpus, instrument="next-turn")
        rows = [json.loads(json.dumps(row)) for row in responses(ExportSource.of(study))]
        topic = {"topic": "t1", "query": rows[0]["query"], "messages": rows[0]["topic_messages"]}
        names = ("response", "topic", "style", "origin", "text", "marks", "messages")
        files = [
            write(tmp_path / "topics.jsonl", [topic]),
            write(
                tmp_path / "responses.jsonl", [{name: row[name] for name in names} for row in rows]
            ),
        ]
        import_corpus(slug="again", name="", files=files, unknown_citations="report")
        again = Corpus.objects.get(slug="again")
        assert again.topics.get().turns == context
        assert again.topics.get().query == query
        fields = ("key", "text", "turns")
        assert [*again.responses.values_list(*fields)] == [*corpus.responses.values_list(*fields)]
        transaction.set_rollback(True)
