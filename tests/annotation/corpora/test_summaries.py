"""Structured summaries come into a corpus with their parts, and out again without a difference."""

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.importing import ImportRefused
from annotation.corpora.summaries import summaries_of, summary_of
from annotation.models import Citation, Corpus, Response, Segment
from judging.design.material import material_of
from judging.items.kinds import Holds
from tests.annotation.corpora.small_corpora import write
from tests.cast import draft_study
from tests.coded_errors import command_ends

pytestmark = pytest.mark.django_db

TOPIC = {"topic": "t1", "query": "what is a lamp?"}
PASSAGES = [
    {"topic": "t1", "passage": f"p{k}", "rank": k + 1, "text": f"Passage {k}."} for k in range(4)
]
WHOLE = {
    "summary": "s1",
    "topic": "t1",
    "overview": {"text": "Lamps give light.", "citations": ["p0", "p2"]},
    "sections": [
        {
            "heading": "Kinds",
            "statements": [
                {"text": "There are oil lamps.", "citations": ["p3", "p1"]},
                {"text": "There are others."},
            ],
        },
        {"heading": "", "statements": [{"text": "They burn.", "citations": ["p0"]}]},
    ],
    "system": "sys",
    "origin": "llm",
    "documents": ["p3", "p0", "p2", "p1"],
}
LAST = {
    "summary": "s2",
    "topic": "t1",
    "overview": {"text": "In short: light."},
    "sections": [{"heading": "Use", "statements": [{"text": "To see."}]}],
    "overview_last": True,
    "origin": "human",
}

ELSEWHERE = {"topic": "t9", "overview": {"text": "o"}, "sections": [], "documents": None}


def bring(tmp_path, *rows, **options):
    files = [
        write(tmp_path / "topics.jsonl", [TOPIC]),
        write(tmp_path / "passages.jsonl", PASSAGES),
        write(tmp_path / "summaries.jsonl", list(rows)),
    ]
    call_command("import_corpus", "lamps", *[str(file.source) for file in files], **options)
    return Corpus.objects.get(slug="lamps")


def taken_out(tmp_path, name="out.jsonl"):
    call_command("export_summaries", "lamps", out=tmp_path / name)
    content = (tmp_path / name).read_bytes()
    return gzip.decompress(content) if name.endswith(".gz") else content


def test_a_summary_is_a_text_with_parts(tmp_path):
    bring(tmp_path, WHOLE, LAST)
    response = Response.objects.get(key="s1")
    assert response.text == (
        "Lamps give light. [0, 2]\n\n## Kinds\n\nThere are oil lamps. [3, 1]\n\n"
        "There are others.\n\nThey burn. [0]"
    )
    cited = Citation.objects.filter(response=response).order_by("position")
    assert [each.passage.key for each in cited] == ["p0", "p2", "p3", "p1", "p0"]
    parts = [(segment.line, segment.kind) for segment in response.segments.all()]
    kinds = "overview section heading statement statement section heading statement documents"
    assert parts == list(enumerate(kinds.split(), start=1))
    assert response.segments.get(line=7).text == ""  # a heading that is gone is a line
    assert Response.objects.get(key="s2").text.endswith("In short: light.")


def test_it_comes_out_as_it_came_in_and_comes_in_again(tmp_path):
    bring(tmp_path, WHOLE, LAST, degraded_copies=True)
    content = taken_out(tmp_path)
    rows = [json.loads(line) for line in content.splitlines()]
    by_key = {row["summary"]: row for row in rows}
    assert by_key["s1"] == WHOLE
    assert by_key["s2"] == LAST
    assert taken_out(tmp_path, "out.jsonl.gz") == content
    Response.objects.all().delete()
    (tmp_path / "again").mkdir()
    bring(tmp_path / "again", *rows)
    assert taken_out(tmp_path) == content
    before = Segment.objects.count()
    bring(tmp_path / "again", *rows)  # equal rows change nothing
    assert Segment.objects.count() == before


def test_degraded_copies_name_their_original_and_are_not_judged_again(tmp_path):
    corpus = bring(tmp_path, WHOLE, LAST, degraded_copies=True)
    copies = Response.objects.exclude(copy_of=None)
    assert {(copy.key, copy.copy_of.key, copy.without) for copy in copies} == {
        ("s1/no-headings", "s1", "headings"),
        ("s1/no-section-1", "s1", "first_section"),
        ("s2/no-headings", "s2", "headings"),
    }
    assert corpus.systems.count() == 3
    study = draft_study(instrument="heading-statement", corpus=corpus)
    judged = {
        text.response for text in material_of(instrument=study.instruments.get())[Holds.SEGMENT]
    }
    assert judged == set(Response.objects.filter(copy_of=None).values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"overview": {"text": "See [3]."}}, r"summary: .*\[3\]"),
        ({"overview": {"text": " "}}, "overview"),
        ({"sections": [{"heading": "h", "statements": []}]}, "section.*statements"),
        ({"overview": {"text": "o", "citations": ["p9"]}}, r"\bs1\b.*\bp9\b.*\bt1\b"),
        ({"overview": {"text": "o", "citations": ["p1", "p1"]}}, "twice"),
        ({"copy_of": "s9", "without": "headings"}, "copy_of: .*'s9'"),
        ({"copy_of": "s9"}, "without: "),
        (ELSEWHERE, "topic: .*'t9'"),
        ({"sections": "none"}, "sections: .*heading"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_named_and_nothing_comes_in(tmp_path, change, shown):
    with pytest.raises(CommandError, match=shown):
        bring(tmp_path, WHOLE | change)
    assert not Corpus.objects.exists()


def test_other_parts_under_the_same_key_are_refused(tmp_path):
    bring(tmp_path, LAST)
    with command_ends(ImportRefused, "ImportRefused", match="'s2'"):
        bring(tmp_path, LAST | {"overview": {"text": "Otherwise."}})
    with command_ends(ImportRefused, "ImportRefused", match="'s2'"):
        bring(tmp_path, LAST | {"documents": ["p1"]})


OTHERWISE = LAST | {"overview": {"text": "Otherwise."}}
WITH_DOCUMENTS = LAST | {"documents": ["p1"]}  # the same text, other parts


@pytest.mark.parametrize("other", [OTHERWISE, WITH_DOCUMENTS])
@pytest.mark.parametrize("at_once", [1, 500])
def test_two_summaries_of_one_id_are_named(tmp_path, monkeypatch, other, at_once):
    monkeypatch.setattr("annotation.corpora.importing.MOST_ROWS", at_once)
    shown = r"summaries\.jsonl:2: summary: 's2' .*summaries\.jsonl:1"
    with pytest.raises(CommandError, match=shown):
        bring(tmp_path, LAST, other)
    assert not Corpus.objects.exists()


@pytest.mark.parametrize("at_once", [1, 500])
def test_a_summary_that_stands_again_word_for_word_is_taken_once(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr("annotation.corpora.importing.MOST_ROWS", at_once)
    bring(tmp_path, LAST, LAST)
    assert summary_of(Response.objects.get()).overview.text == "In short: light."


def test_a_copy_that_is_not_what_its_original_gives_is_named(tmp_path):
    copy = LAST | {"summary": "s2/no-headings", "copy_of": "s2", "without": "headings"}
    with command_ends(ImportRefused, match="'s2/no-headings'"):
        bring(tmp_path, LAST, copy, degraded_copies=True)


def test_documents_that_the_topic_lacks_can_be_left_out(tmp_path, capsys):
    odd = WHOLE | {"overview": {"text": "Lamps give light.", "citations": ["p9", "p0"]}}
    bring(tmp_path, odd, unknown_citations="report")
    assert summary_of(Response.objects.get(key="s1")).overview.citations == ["p0"]
    assert "s1 cites p9" in capsys.readouterr().err


def test_texts_without_an_overview_are_no_structured_summaries(tmp_path):
    corpus = bring(tmp_path, LAST)
    Segment.objects.filter(kind="overview").delete()
    assert list(summaries_of(corpus.responses.all())) == []
    with pytest.raises(CommandError, match=corpus.slug):
        taken_out(tmp_path)
