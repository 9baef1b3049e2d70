"""Reports and answers of tracks: RAGTIME, NeuCLIR, DRAGUN, TREC RAG, with topics and documents.

The shapes are those that the validators of the tracks and TREC AutoJudge read.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import report_requests, reports
from annotation.corpora.formats.file_format import FaultyRow, FileSample, FormatRow
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.uploads import checking, gathering
from annotation.models import Passage, Response, Segment, Topic
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded
from tests.hooks import values

TOPIC, NEAR, FAR = "t-1", "doc#1", "doc#2"
FIRST, SECOND = "It can be.", "See a doctor."
CITED = [{"text": FIRST, "citations": [NEAR, FAR]}, {"text": SECOND, "citations": []}]
METADATA = {"team_id": "lamps", "run_id": "ours", "type": "automatic"}
RAGTIME = {
    "metadata": METADATA | {"topic_id": TOPIC, "collection_ids": ["ragtime1"]},
    "responses": [
        {"text": FIRST, "citations": {FAR: 0.5, NEAR: 0.91}},
        {"text": SECOND, "citations": {}},
    ],
    "references": [NEAR, FAR],
}
SHAPES = {
    "ragtime": RAGTIME,
    "dragun": {"metadata": METADATA | {"topic_id": TOPIC}, "responses": CITED},
    "neuclir": {
        "request_id": TOPIC,
        "run_id": "ours",
        "collection_ids": ["neuclir/1/zho"],
        "sentences": CITED,
    },
    "rag24": {
        "run_id": "ours",
        "topic_id": TOPIC,
        "topic": "Is it dangerous?",
        "references": [FAR, NEAR],
        "response_length": 5,
        "answer": [{"text": FIRST, "citations": [1, 0]}, {"text": SECOND}],
    },
    "rag25": {
        "metadata": METADATA | {"narrative_id": TOPIC, "narrative": "Is it dangerous?"},
        "references": [NEAR, FAR],
        "answer": CITED,
    },
}
UNKEPT = {
    "ragtime": ["metadata.team_id", "metadata.type", "metadata.collection_ids"],
    "dragun": ["metadata.team_id", "metadata.type"],
    "neuclir": ["collection_ids"],
    "rag24": ["response_length"],
    "rag25": ["metadata.team_id", "metadata.type"],
}
TOPICS = f"{TOPIC}\tIs it dangerous?\n".encode()
PASSAGES = [
    {"topic": TOPIC, "passage": key, "rank": rank, "text": f"Text {rank}."}
    for rank, key in enumerate((NEAR, FAR), start=1)
]


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def by_llms(files):
    upload = uploaded(files)
    upload.origin = "llm"
    upload.save()
    return upload


def read(*rows):
    return list(reports.FORMAT.reader(SourceRow(n, n, row) for n, row in enumerate(rows, 1)))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.storage
@pytest.mark.django_db
def test_each_shape_is_an_answer_whose_statements_cite_documents(shape):
    upload = by_llms(
        {
            "topics.tsv": TOPICS,
            "passages.jsonl": lines(*PASSAGES),
            "run.jsonl": lines(SHAPES[shape]),
        }
    )
    file = upload.files.get(name="run.jsonl")
    assert (file.look["kind"], file.look["is_unsure"]) == ("trec_reports", False)
    assert file.look["unkept"] == UNKEPT[shape]
    imported(upload)
    response = Response.objects.get()
    assert (response.key, response.system.key, response.topic.key) == (
        f"{TOPIC}/ours",
        "ours",
        TOPIC,
    )
    statements = [
        (part.text, [passage.key for passage in part.cited.order_by("rank")])
        for part in Segment.objects.order_by("line")
    ]
    assert statements == [(FIRST, [NEAR, FAR]), (SECOND, [])]


@pytest.mark.storage
@pytest.mark.django_db
def test_topics_and_documents_inside_answers_need_no_other_file():
    report = SHAPES["rag24"] | {
        "documents": {
            NEAR: {"id": NEAR, "text": "Near.", "title": "N", "url": "u"},
            FAR: {"id": FAR, "text": "Far."},
        }
    }
    imported(by_llms({"a.jsonl": lines(report), "b.jsonl": lines(report | {"run_id": "other"})}))
    assert Topic.objects.get().query == "Is it dangerous?"
    assert set(Passage.objects.values_list("key", "title", "text")) == {
        (NEAR, "N", "Near."),
        (FAR, "", "Far."),
    }
    assert Response.objects.count() == 2


@pytest.mark.storage
@pytest.mark.django_db
def test_a_topic_keeps_its_words_where_an_answer_quotes_it_otherwise():
    report = SHAPES["rag24"] | {"topic": "Is it ..."}
    upload = checked(
        by_llms(
            {
                "topics.tsv": TOPICS,
                "passages.jsonl": lines(*PASSAGES),
                "run.jsonl": lines(report),
            }
        )
    )
    assert upload.report["bad"] == 0
    assert [line[:3] for line in upload.report["warned"]] == [["run.jsonl", 1, "topic"]]
    imported(upload)
    assert Topic.objects.get().query == "Is it dangerous?"


@pytest.mark.storage
@pytest.mark.django_db
def test_numbers_beyond_the_references_are_refused_or_left_out():
    beyond = SHAPES["rag24"] | {"answer": [{"text": FIRST, "citations": [1, 7, -1]}]}
    files = {"topics.tsv": TOPICS, "passages.jsonl": lines(*PASSAGES), "a.jsonl": lines(beyond)}
    upload = checked(by_llms(files))
    assert [line[:3] for line in upload.report["lines"]] == [["a.jsonl", 1, "citations"]]
    assert upload.report["cites_unknown"] == 1
    upload.drops_citations = True
    upload.save()
    imported(upload)
    assert [line[:3] for line in upload.report["warned"]] == [["a.jsonl", 1, "citations"]]
    assert [passage.key for passage in Segment.objects.get().cited.all()] == [NEAR]


def test_citations_with_scores_come_best_first():
    *_, answer = read(RAGTIME)
    assert answer.values["answer"][0]["citations"] == [NEAR, FAR]


@pytest.mark.parametrize(
    "sentence",
    [{"citations": []}, {"text": 5}, 7, {"text": "a", "citations": [1.5]},
     {"text": "a", "citations": "x"}, {"text": "a", "citations": [True]}],
)  # fmt: skip
def test_a_sentence_that_cannot_be_read_is_a_fault_of_its_list(sentence):
    first, second = read(RAGTIME | {"responses": [sentence]}, RAGTIME)
    assert isinstance(first, FaultyRow)
    assert (first.source.line, first.fault.field) == (1, "responses")
    assert isinstance(second, FormatRow)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
FIELDS = ["metadata", *reports.PARTS, "run_id", "topic_id", "references", "documents", "topic"]
PART = st.fixed_dictionaries({}, optional={"text": JSON, "citations": JSON})


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON | st.lists(PART)) | JSON))
def test_any_rows_are_read_or_faults(rows):
    sample = FileSample(rows=rows)
    recognised_formats(sample)
    reports.FORMAT.unkept(sample)
    kinds = {"answered_topics", "passages", "rag_answers"}
    for item in read(*rows):
        assert isinstance(item, FaultyRow) or item.kind in kinds


def test_tables_with_a_text_as_their_answer_are_no_reports():
    table = [{"run_id": "a", "topic_id": "1", "references": "x", "answer": "Rivers."}]
    assert not reports.FORMAT.signature(FileSample(rows=table))
    assert not reports.FORMAT.signature(
        FileSample(rows=[{"answer": [{"text": "a"}], "run_id": "a"}])
    )


@pytest.mark.parametrize("name", report_requests.IDS)
@pytest.mark.storage
@pytest.mark.django_db
def test_requests_for_reports_are_topics(name):
    request = {name: 300, "title": "T", "problem_statement": "P?", "background": "B", "limit": 9}
    upload = uploaded({"requests.jsonl": lines(request)})
    assert upload.files.get().look["unkept"] == ["limit"]
    imported(upload)
    assert list(Topic.objects.values_list("key", "query", "description")) == [
        ("300", "P?", "T\n\nB")
    ]


EMPTY = [SHAPES["rag24"], SHAPES["rag24"] | {"run_id": "silent", "references": [], "answer": []}]


@pytest.mark.storage
@pytest.mark.django_db
def test_an_empty_answer_is_kept_unless_it_is_skipped(client):
    upload = by_llms({"passages.jsonl": lines(*PASSAGES), "a.jsonl": lines(*EMPTY)})
    checked(upload)
    (problem,) = upload.report["problems"]
    assert (problem["code"], problem["count"], problem["chosen"]) == (
        "empty_answer",
        1,
        "keep_empty",
    )
    assert [(s["file"], s["line"], s["field"]) for s in problem["samples"]] == [
        ("a.jsonl", 2, "answer")
    ]
    client.force_login(upload.owner)
    page = client.get(upload.get_absolute_url()).content.decode()
    assert values(page, "data-problem") == ["empty_answer"]
    sent = {"act": "remedies", "remedy-empty_answer": "skip"}
    client.post(f"{upload.get_absolute_url()}change/", sent)
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    assert [line[:3] for line in upload.report["warned"]] == [["a.jsonl", 2, "answer"]]
    client.post(f"{upload.get_absolute_url()}change/", sent | {"remedy-empty_answer": "keep_empty"})
    checking.work_on(pk=upload.pk)
    imported(upload)
    kept = dict(Response.objects.values_list("system__key", "is_empty"))
    assert kept == {"ours": False, "silent": True}


@pytest.mark.storage
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("choice", "texts"),
    [
        ({"remedy": "keep_empty"}, {"Alpha": ("Rivers.", False), "Beta": ("", True)}),
        ({"remedy": "skip"}, {"Alpha": ("Rivers.", False)}),
        (
            {"remedy": "replace", "value": "No."},
            {"Alpha": ("Rivers.", False), "Beta": ("No.", False)},
        ),
    ],
)
def test_empty_cells_of_a_table_are_treated_by_the_same_choice(choice, texts):
    upload = by_llms({"a.csv": b"question,system,answer\nWhy?,Alpha,Rivers.\nWhy?,Beta,\n"})
    assert checked(upload).report["problems"][0]["count"] == 1
    gathering.choose_remedies(upload=upload, remedies={"empty_answer": choice})
    imported(upload)
    rows = Response.objects.values_list("system__key", "text", "is_empty")
    assert {system: (text, is_empty) for system, text, is_empty in rows} == texts
