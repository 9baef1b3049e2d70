"""Citations in tables of answers: passages beside them, left out, or counted from 1."""

import pytest

from annotation.corpora.uploads import checking
from annotation.models import Passage, Response
from tests.annotation.corpora.uploads.cast import imported, uploaded
from tests.annotation.corpora.uploads.test_flat_files import (
    TABLE,
    TOPIC,
    act,
    is_taken,
    page,
)
from tests.hooks import values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

CITING = b"question,system,answer\nwhy?,Bing,Because [1][2].\n"


def test_citations_of_passages_that_nobody_brings_are_to_be_left_out(researcher):
    upload = uploaded({"answers.csv": CITING})
    ticked = 'name="drops_citations" value="yes" checked'
    assert ticked in page(researcher, upload)
    act(researcher, upload, "check", origin="llm", drops_citations="yes")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert is_taken(said, warned=1)
    assert "data-counts-from" not in said  # there is nothing to count
    beside = {"answers.csv": CITING, "passages.csv": b"topic,passage,text\nt,p,x\n"}
    assert ticked not in page(researcher, uploaded(beside))


def test_citations_of_passages_that_are_not_there_are_left_out_by_a_click(researcher):
    upload = uploaded({"answers.csv": CITING})
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert values(said, "data-cites-unknown") == ["1"]
    act(researcher, upload, "check", origin="llm", drops_citations="yes")
    checking.work_on(pk=upload.pk)
    assert is_taken(page(researcher, upload), warned=1)


def test_where_citations_count_from_is_guessed_for_passages_that_come_with_answers():
    assert uploaded({"answers.csv": CITING}).files.get().mapping["fixed"] == {}
    came = CITING.replace(b"answer\n", b"answer,sources\n").replace(
        b"[2].", b'[2].,"[""a"", ""b""]"'
    )
    upload = uploaded({"answers.csv": came})
    assert upload.files.get().mapping["fixed"] == {"citations_from": "1"}
    upload.origin = "llm"
    upload.save()
    assert imported(upload).report["bad"] == 0
    assert Response.objects.get().text == "Because [1][2]."
    assert list(Passage.objects.values_list("key", "text")) == [
        ("passage-1", "a"),
        ("passage-2", "b"),
    ]


BESIDE = "".join(
    f'{{"question": "{question}?", "n": {n}, "id": "{question}{n}", "text": "Of {n}.",'
    f' "title": "T", "url": "https://a"}}\n'
    for question in ("why", "how")
    for n in (1, 2)
).encode()


def test_passages_beside_a_table_name_their_topics_by_the_question():
    upload = uploaded({"answers.csv": TABLE, "passages.jsonl": BESIDE})
    mapping = upload.files.get(name="passages.jsonl").mapping
    assert mapping["kind"] == "passages"
    assert (mapping["columns"]["topic"], mapping["columns"]["passage"]) == ("question", "id")
    upload.origin = "llm"
    upload.save()
    assert imported(upload).report["bad"] == 0
    assert list(Passage.objects.order_by("pk").values_list("topic__key", "key")) == [
        *(("topic-1", "why1"), ("topic-1", "why2")),
        *(("topic-2", "how1"), ("topic-2", "how2")),
    ]


FOUR = "".join(
    f'{{"question": "why?", "id": "w{n}", "rank": {n}, "text": "Of {n}."}}\n' for n in range(1, 5)
).encode()


@pytest.mark.parametrize("name", ["answers.csv", "responses.jsonl"])
def test_that_citations_count_from_1_is_said_by_a_click(researcher, name):
    texts = {
        "answers.csv": b"question,engine,answer\nwhy?,Bing,Because [1].\n",
        "responses.jsonl": b'{"response": "r", "topic": "topic-1", "text": "Because [1]."}\n',
    }
    files = {name: texts[name], "passages.jsonl": FOUR}
    if name != "answers.csv":
        files["topics.csv"] = b"topic,query\ntopic-1,why?\n"
    upload = uploaded(files)
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    button = 'name="act" value="count"'
    assert button in page(researcher, upload)
    act(researcher, upload, "count")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert is_taken(said)
    assert button not in said
    upload.refresh_from_db()
    imported(upload)
    assert Response.objects.get().text == "Because [1]."


def counted(researcher, *texts: str):
    """Return an upload of texts to a question of four passages, checked."""
    lines = (
        f'{{"response": "r{n}", "topic": "topic-1", "text": "{t}"}}\n' for n, t in enumerate(texts)
    )
    files = {
        "topics.csv": TOPIC,
        "passages.jsonl": FOUR,
        "responses.jsonl": "".join(lines).encode(),
    }
    upload = uploaded(files)
    act(researcher, upload, "check", origin="llm")
    checking.work_on(pk=upload.pk)
    return upload


def test_citations_that_fit_only_from_1_are_counted_so_by_the_check(researcher):
    upload = counted(researcher, "Because [1][4].", "So [2].")
    said = page(researcher, upload)
    assert is_taken(said)
    assert values(said, "data-counts-from") == ["1"]
    assert 'name="act" value="count"' not in said
    act(researcher, upload, "check", origin="llm")
    assert upload.files.get(name="responses.jsonl").mapping["is_counted"]
    checking.work_on(pk=upload.pk)
    assert 'name="act" value="count_0"' in page(researcher, upload)
    act(researcher, upload, "count_0")
    checking.work_on(pk=upload.pk)
    said = page(researcher, upload)
    assert values(said, "data-bad") == ["1"]
    assert "data-counts-from" not in said
    act(researcher, upload, "count_0")
    assert not is_taken(page(researcher, upload))


@pytest.mark.parametrize("texts", [("So [0].", "So [4]."), ("So [5].", "So [4]."), ("So [1].",)])
def test_citations_that_may_be_meant_otherwise_are_not_counted_by_the_check(researcher, texts):
    upload = counted(researcher, *texts)
    assert "1" not in values(page(researcher, upload), "data-counts-from")


def test_what_to_do_about_citations_does_not_contradict_itself(researcher):
    said = page(researcher, counted(researcher, "So [4].", "So [5]."))
    assert values(said, "data-counts-from") == ["unsure"]
    assert "data-if-from-0" in said
