"""Files that tools of the field write: rerankers, nuggetizer, RAGElo, AlpacaEval, RAGAS.

The shapes are those of the packages' own code; the sentences are made up.
"""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import nuggets, ragelo_experiment, reranking
from annotation.corpora.formats.file_format import FaultyRow, FileSample, FormatRow, LeftOutCounts
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.reading.source_rows import SourceRow
from annotation.models import CorpusLabels, Passage, Ranking, Response, System, Topic
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded

FORMATS = (reranking.FORMAT, nuggets.FORMAT, ragelo_experiment.FORMAT)
IN_FULL = {"url": "https://example.org", "title": "T", "headings": "H", "start_char": 0}
REQUEST = {
    "query": {"qid": "q1", "text": "Is it dangerous?"},
    "candidates": [
        {"docid": "d1", "score": 18.2, "doc": {**IN_FULL, "segment": "Zero."}},
        {"docid": "d2", "score": 18.0, "doc": {"title": "T", "segment": "One."}, "judgment": 1},
    ],
}
NUGGETS = [
    {"text": "WBC is high", "importance": "vital"},
    {"text": "see a doctor", "importance": "okay"},
]
ASSIGNED = [nugget | {"assignment": "partial_support"} for nugget in NUGGETS]
BANK = {"query": "Is it dangerous?", "qid": "q1", "nuggets": NUGGETS}
ASSIGNMENT = {
    "query": "Is it dangerous?",
    "qid": "q1",
    "answer_text": "It can be.",
    "response_length": 3,
    "run_id": "run-1",
    "nuggets": ASSIGNED,
}
OF_PASSAGE = {
    "text": "Is it dangerous?",
    "qid": "q1",
    "candidate_text": "Zero.",
    "docid": "d1",
    "nuggets": ASSIGNED,
}


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def by_llms(files):
    upload = uploaded(files)
    upload.origin = "llm"
    upload.save()
    return upload


def answers():
    return list(Response.objects.order_by("pk").values_list("topic__query", "system__key", "text"))


# -- Rerankers -----------------------------------------------------------------------------------
@pytest.mark.storage
@pytest.mark.django_db
def test_candidates_are_passages_in_the_ranking_of_their_file():
    upload = uploaded({"bm25.jsonl": lines(REQUEST)})
    look = upload.files.get().look
    assert (look["kind"], look["is_unsure"]) == ("reranking", False)
    assert look["unkept"] == [
        *(f"candidates.doc.{name}" for name in ("url", "headings", "start_char")),
        "candidates.judgment",
    ]
    imported(upload)
    assert list(Topic.objects.values_list("key", "query")) == [("q1", "Is it dangerous?")]
    assert list(Passage.objects.order_by("rank").values_list("key", "title", "text")) == [
        ("d1", "T", "Zero."),
        ("d2", "T", "One."),
    ]
    ranked = Ranking.objects.order_by("rank").values_list(
        "system__key", "passage__key", "rank", "score"
    )
    assert list(ranked) == [("bm25", "d1", 1, 18.2), ("bm25", "d2", 2, 18.0)]


@pytest.mark.storage
@pytest.mark.django_db
def test_two_files_rank_one_pool():
    turned = REQUEST | {"candidates": REQUEST["candidates"][::-1]}
    imported(
        uploaded(
            {"bm25.jsonl": lines(REQUEST), "rank.zephyr.jsonl.gz": gzip.compress(lines(turned))}
        )
    )
    assert Passage.objects.count() == 2
    assert set(System.objects.values_list("key", flat=True)) == {"bm25", "rank.zephyr"}
    best = Ranking.objects.filter(rank=1).values_list("system__key", "passage__key")
    assert set(best) == {("bm25", "d1"), ("rank.zephyr", "d2")}


@pytest.mark.parametrize(
    "request_",
    [
        {"query": "Why?", "qid": 7, "candidates": [{"docid": "d1", "doc": "Text."}]},
        {"query": {"qid": "7", "text": "Why?"}, "candidates": [{"docid": "d1", "text": "Text."}]},
        {"query": {"qid": "7", "text": "Why?"},
         "candidates": [{"docid": "d1", "doc": {"contents": "Text."}}]},
        {"query": {"qid": "7", "text": "Why?"},
         "candidates": [{"doc": {"_id": "d1", "text": "Text.", "metadata": {}}}]},
    ],
)  # fmt: skip
def test_collections_call_the_text_of_a_passage_differently(request_):
    assert reranking.FORMAT.signature(FileSample(rows=[request_]))
    topic, passage, ranking = reranking.FORMAT.reader([SourceRow(1, 1, request_)])
    assert topic.values == {"topic": "7", "query": "Why?"}
    assert passage.values == {"topic": "7", "passage": "d1", "text": "Text."}
    assert ranking.values["rank"] == 1


def test_candidates_without_ids_get_one_by_their_text():
    rows = [SourceRow(1, 1, {"query": "Why?", "candidates": ["One.", "Two.", "One."]})]
    items = list(reranking.FORMAT.reader(rows))
    keys = [item.values["passage"] for item in items if item.kind == "passages"]
    assert len(set(keys)) == len(keys) == 2


# -- Nuggetizer ----------------------------------------------------------------------------------
@pytest.mark.storage
@pytest.mark.django_db
def test_nuggets_bring_their_queries_and_are_counted():
    upload = checked(uploaded({"nuggets.jsonl": lines(BANK, BANK | {"qid": "q2"})}))
    assert upload.files.get().look["kind"] == "nuggetizer"
    assert upload.report["left_out"] == [["nuggets", 4]]
    imported(upload)
    assert list(Topic.objects.values_list("key", flat=True)) == ["q1", "q2"]


@pytest.mark.storage
@pytest.mark.django_db
def test_assignments_bring_answers_and_passages_and_are_labels_of_a_model():
    upload = by_llms({"a.jsonl": lines(ASSIGNMENT), "p.jsonl": lines(OF_PASSAGE)})
    assert upload.files.get(name="a.jsonl").look["unkept"] == ["response_length"]
    imported(upload)
    assert upload.report["left_out"] == []
    labels = CorpusLabels.objects.get(name="p.jsonl").unpacked().splitlines()
    label = json.loads(labels[0])
    assert (label["passage"], label["kind"]) == ("d1", "model")
    assert label["criterion"].startswith(f"{label['topic']}/")
    assert answers() == [("Is it dangerous?", "run-1", "It can be.")]
    assert list(Passage.objects.values_list("key", "text")) == [("d1", "Zero.")]


def test_nuggets_are_a_bank_whose_ids_say_how_important_they_are():
    text = lines(BANK, ASSIGNMENT).decode().splitlines()
    ((number, bank),) = nuggets.banks(text)
    assert (number, bank.query_id, bank.query_text) == (1, "q1", "Is it dangerous?")
    assert [(entry.key.split("/")[:2], entry.text) for entry in bank.items] == [
        (["q1", "vital"], "WBC is high"),
        (["q1", "okay"], "see a doctor"),
    ]


# -- RAGElo --------------------------------------------------------------------------------------
def experiment(**change):
    documents = {
        "d1": {"qid": "q1", "did": "d1", "text": "Zero.", "retrieved_by": {"bm25": 1.0, "ce": 9.0}},
        "d2": {"qid": "q1", "did": "d2", "text": "One.", "retrieved_by": {"bm25": 2.0}},
    }
    agents = {"a": {"qid": "q1", "agent": "a", "text": "It can be."}}
    query = {"qid": "q1", "query": "Is it?", "retrieved_docs": documents, "answers": agents}
    whole = {"queries": {"q1": query | change}, "experiment_name": "e", "elo_tournaments": []}
    return json.dumps(whole, indent=4).encode()


@pytest.mark.storage
@pytest.mark.django_db
def test_an_experiment_of_ragelo_brings_documents_rankings_and_answers():
    upload = by_llms({"e.json": experiment(rubric=[{"text": "c"}])})
    assert upload.files.get().look["unkept"] == ["queries.*.rubric", "elo_tournaments"]
    imported(upload)
    assert answers() == [("Is it?", "a", "It can be.")]
    ranked = Ranking.objects.order_by("system__key", "rank")
    assert list(ranked.values_list("system__key", "passage__key", "score")) == [
        ("bm25", "d2", 2.0),
        ("bm25", "d1", 1.0),
        ("ce", "d1", 9.0),
    ]


@pytest.mark.storage
@pytest.mark.django_db
def test_an_answer_of_ragelo_without_a_text_is_named():
    upload = checked(by_llms({"e.json": experiment(answers={"a": {"agent": "a", "text": None}})}))
    assert [line[2] for line in upload.report["lines"]] == ["answer"]


# -- Tables --------------------------------------------------------------------------------------
ALPACA = [
    {"dataset": "helpful_base", "instruction": f"Name a {what}.", "output": name, "generator": "g"}
    for what, name in (("bird", "Sparrow"), ("fish", "Cod"))
]


@pytest.mark.parametrize("name", ["model_outputs.json", "outputs.jsonl"])
@pytest.mark.storage
@pytest.mark.django_db
def test_outputs_of_alpacaeval_are_answers_of_their_generator(name):
    content = json.dumps(ALPACA, indent=1).encode() if name.endswith(".json") else lines(*ALPACA)
    upload = by_llms({name: content})
    assert not upload.files.get().look["is_unsure"]
    imported(upload)
    assert answers() == [("Name a bird.", "g", "Sparrow"), ("Name a fish.", "g", "Cod")]


@pytest.mark.parametrize(
    "contexts",
    ["['Rivers carry salts.'\n 'Water evaporates.']",
     "['Rivers carry salts.', 'Water evaporates.']",
     'array(["Rivers carry salts.", "Water evaporates."], dtype=object)'],
)  # fmt: skip
@pytest.mark.parametrize(
    "names",
    [("user_input", "retrieved_contexts", "response", "reference"),
     ("question", "contexts", "answer", "ground_truth")],
)  # fmt: skip
@pytest.mark.storage
@pytest.mark.django_db
def test_contexts_of_ragas_are_the_passages_they_were(names, contexts):
    row = ("Why is it salty?", contexts, "Rivers bring it.", "Salt.")
    cell = '"{}"'.format
    content = "\n".join(
        ",".join(cell(value.replace('"', '""')) for value in values) for values in (names, row)
    )
    upload = by_llms({"ragas.csv": content.encode()})
    imported(upload)
    assert answers() == [("Why is it salty?", None, "Rivers bring it.")]
    texts = Passage.objects.order_by("rank").values_list("text", flat=True)
    assert list(texts) == ["Rivers carry salts.", "Water evaporates."]


# -- Anything ------------------------------------------------------------------------------------
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["doc", "text", "docid", "query", "answers"]), inner)
    ),
    max_leaves=8,
)
FIELDS = ["query", "qid", "candidates", "nuggets", "answer_text", "queries", "experiment_name"]


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON))
def test_any_rows_are_read_or_faults(rows):
    sample = FileSample(rows=rows)
    recognised_formats(sample)
    sources = [SourceRow(number, number, row) for number, row in enumerate(rows, start=1)]
    for file_format in FORMATS:
        file_format.unkept(sample)
        for item in file_format.reader(sources):
            if isinstance(item, FormatRow):
                assert item.kind in file_format.brings
            else:
                assert isinstance(item, FaultyRow | LeftOutCounts)
    for _, bank in nuggets.banks(json.dumps(row) for row in rows):
        assert bank
