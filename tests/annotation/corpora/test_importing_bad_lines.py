"""Every bad line of an upload is named, and nothing of it stays."""

import pytest

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.import_report import COUNTED_FROM_1, MOST_SHOWN
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.models import Citation, Response
from tests.annotation.corpora.small_corpora import (
    PASSAGE,
    PASSAGES,
    SYSTEM,
    TOPIC,
    WHOLE,
    as_jsonl,
    plain,
    write,
)
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def test_a_citation_without_a_passage_is_refused(refused):
    response = plain(text="So [23], and [0], and [3, 23].")
    complaints = refused(topics=[TOPIC], passages=PASSAGES, responses=[response])
    assert outlined(
        complaints, "responses.jsonl:1: text: … r1 … [23], [3] … t1 … 3 passages … (0-2)"
    )
    complaints = refused(topics=[TOPIC], responses=[plain(text="[0]")])
    assert outlined(complaints, "responses.jsonl:1: text: … r1 … [0] … t1 … no passages")


@pytest.mark.parametrize(
    ("texts", "remarked"),
    [
        (["So [1], and [2]."], True),
        (["So [1].", "And [0, 2]."], False),
        (["And [0].", "So [1]."], False),
        (["Nothing is cited."], False),
    ],
)
def test_citations_that_may_count_from_1_are_remarked(bring, texts, remarked):
    rows = [plain(response=f"r{n}", text=text) for n, text in enumerate(texts)]
    report = bring(topics=[TOPIC], passages=PASSAGES, responses=rows)
    assert report.remarks == [COUNTED_FROM_1] * remarked


def test_or_it_is_dropped_and_reported_if_the_caller_wants_that(bring):
    response = plain(text="So [23], and [1], and [0].")
    rows = {"topics": [TOPIC], "passages": PASSAGES, "responses": [response]}
    report = bring(**rows, unknown_citations="report")
    assert outlined(
        [str(warning) for warning in report.warnings],
        "responses.jsonl:1: text: … r1 … [23] … t1 … 3 passages … (0-2)",
    )
    citations = Citation.objects.values_list("position", "passage__key")
    assert list(citations) == [(1, "p1"), (2, "p0")]


def test_it_names_every_bad_line_of_every_file_and_nothing_stays(refused):
    long = PASSAGE | {"passage": "p5", "rank": 5, "text": "a" * 5_000_000}
    complaints = refused(
        topics=as_jsonl([TOPIC]) + b'{"topic": \n{"topic": true, "query": "q"}\n',
        passages=[PASSAGE, long, PASSAGE | {"topic": "t9"}],
        systems=[SYSTEM | {"name": "a\0b"}],
        responses=[plain(text="ok"), plain(response="r2", text="x", system="s9")],
    )
    assert outlined(
        complaints,
        "topics.jsonl:2: … JSON … incomplete",
        "topics.jsonl:3: topic: … text … true",
        "passages.jsonl:2: text: … 5,000,000 … 1,000,000",
        "passages.jsonl:3: topic: 't9' not found",
        "systems.jsonl:1: name: … NUL … 1",
        "responses.jsonl:2: system: 's9' not found",
    )


def test_a_response_without_a_style_is_free_and_equal_to_one_of_any_style(bring):
    bring(**WHOLE)
    bare = plain(text="ok", response="r9")
    del bare["style"]
    bring(responses=[bare])
    assert Response.objects.get(key="r9").style == "free"
    known = Response.objects.exclude(key="r9").get()
    row = {"response": known.key, "topic": "t1", "text": known.text, "origin": known.origin}
    assert bring(responses=[row]).unchanged["responses"] == 1


def test_one_bad_line_at_the_end_leaves_what_was_there_before(bring, refused):
    bring(**WHOLE)
    topics = [TOPIC | {"topic": f"t{number}"} for number in range(1_200)]
    complaints = refused(topics=as_jsonl(topics) + b"nope\n")
    assert outlined(complaints, "topics.jsonl:1201: … JSON")


def test_it_shows_a_thousand_bad_lines_and_counts_all(bring):
    with pytest.raises(ImportRefused, match=r"\bleaves\b.*\b1,500\b") as refusal:
        bring(topics=as_jsonl([TOPIC]) + b"nope\n" * 1_500)
    assert len(refusal.value.report.bad_lines) == MOST_SHOWN
    assert refusal.value.report.bad_line_count == 1_500


def test_a_retrieval_row_is_complained_of_once(refused):
    row = {"topic": "t", "query": "q", "references_ids": ["a", "b"], "references_texts": ["A", "B"]}
    twice = row | {"topic": "u", "references_ids": ["a", "a"]}
    complaints = refused(retrieval=[row, row | {"query": "p"}, twice])
    assert outlined(
        complaints,
        "retrieval.jsonl:2: topic: 't' … duplicate",
        "retrieval.jsonl:3: passage: 'a' … duplicate",
    )


def test_empty_missing_and_unknown_files_are_refused(tmp_path):
    files = [
        write(tmp_path / "empty.jsonl", b""),
        write(tmp_path / "empty.csv", b""),
        write(tmp_path / "colours.csv", b"colour\nred\n"),
        write(tmp_path / "x.xlsx", b""),
        CorpusFile(tmp_path / "gone.csv"),
    ]
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=files)
    named = [line.file for line in refusal.value.report.bad_lines]
    assert sorted(named) == ["colours.csv", "empty.csv", "empty.jsonl", "gone.csv", "x.xlsx"]


def test_a_csv_file_with_a_header_alone_adds_nothing(tmp_path):
    file = write(tmp_path / "systems.csv", b"system,name\n")
    assert import_corpus(slug="leaves", name="", files=[file]).added == {}
