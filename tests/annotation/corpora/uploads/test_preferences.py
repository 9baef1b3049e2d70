"""Rated answers, preferred conversations and test collections, in the shapes of public files.

UltraFeedback, distilabel, Nectar, HH-RLHF, PKU-SafeRLHF, SHP, summaries of OpenAI, and BEIR.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import beir, completions, transcripts
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileSample,
    ForeignLabel,
    LeftOutCounts,
)
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.reading.source_rows import SourceRow
from annotation.models import CorpusLabels, Passage, Response, Topic
from annotation.texts.conversations import turns_of_transcript
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded

WHY, SALT, SUN = "Why is the sea salty?", "Rivers bring salt.", "The sun does it."
ULTRA_FEEDBACK = {
    "source": "sharegpt", "instruction": WHY, "models": ["alpha", "beta"],
    "completions": [
        {"model": "alpha", "principle": "honesty", "response": SALT, "overall_score": 7.5,
         "annotations": {"honesty": {"Rating": "4", "Rationale": "Sound."},
                         "helpfulness": {"Rating": "N/A", "Rationale": "-"}}},
        {"model": "beta", "principle": "honesty", "response": SUN,
         "annotations": {"honesty": [{"Rating": "2", "Rationale": "Wrong."}]}},
    ],
}  # fmt: skip
SHAPES = {
    "UltraFeedback": ULTRA_FEEDBACK,
    "distilabel": {"instruction": WHY, "generations": [SALT, SUN], "ratings": [5, 2],
                   "generation_models": ["alpha", "beta"]},
    "Nectar": {"prompt": f"\n\nHuman: {WHY}\n\nAssistant: ", "turns": 1,
               "answers": [{"answer": SALT, "model": "alpha", "rank": 1.0},
                           {"answer": SUN, "model": "beta", "rank": 2.0}]},
    "PKU-SafeRLHF": {"prompt": WHY, "response_0": SALT, "response_1": SUN,
                     "response_0_source": "alpha", "response_1_source": "beta",
                     "better_response_id": 0},
    "summaries": {"info": {"id": "t3", "post": WHY}, "worker": "w1", "choice": 0,
                  "summaries": [{"text": SALT, "policy": "alpha"},
                                {"text": SUN, "policy": "beta"}]},
}  # fmt: skip
BEFORE = "\n\nHuman: What is salt?\n\nAssistant: A mineral.\n\nHuman: And sugar?\n\nAssistant:"
HH = {"chosen": f"{BEFORE} A carbohydrate.\n", "rejected": f"{BEFORE} Sweet.\n\nVery."}


def read(*rows):
    sources = [SourceRow(number, number, row) for number, row in enumerate(rows, start=1)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    file_format = recognised_formats(FileSample(rows=rows, names=names))[0][0]
    return list(file_format.reader(sources))


def of_llms(files):
    upload = uploaded(files)
    upload.origin = "llm"
    upload.save()
    return upload


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.storage
@pytest.mark.django_db
def test_each_answer_of_a_list_is_a_response_of_its_model(shape):
    imported(of_llms({"train.jsonl": json.dumps(SHAPES[shape]).encode() + b"\n"}))
    assert Topic.objects.get().query == WHY
    answers = Response.objects.order_by("pk").values_list("system__key", "text")
    assert list(answers) == [("alpha", SALT), ("beta", SUN)]
    assert CorpusLabels.objects.get().count


def test_ratings_by_aspect_are_labels_of_a_model_and_those_without_a_number_are_counted():
    items = read(ULTRA_FEEDBACK)
    ratings = [
        (one.values["response"].rpartition("/")[2], one.values["question"], one.values["value"])
        for one in items
        if isinstance(one, ForeignLabel)
    ]
    assert ratings == [
        ("alpha", "honesty", "4"), ("alpha", "overall_score", "7.5"), ("beta", "honesty", "2"),
    ]  # fmt: skip
    left_out = [one.counts for one in items if isinstance(one, LeftOutCounts)]
    assert left_out == [{completions.NO_NUMBER: 1}]


@pytest.mark.parametrize(
    ("row", "vote"),
    [(SHAPES["PKU-SafeRLHF"], "a"), (SHAPES["PKU-SafeRLHF"] | {"better_response_id": 1}, "b"),
     ({"history": WHY, "human_ref_A": SALT, "human_ref_B": SUN, "labels": 1}, "a"),
     ({"history": WHY, "human_ref_A": SALT, "human_ref_B": SUN, "labels": 0}, "b"),
     (SHAPES["summaries"] | {"choice": 1}, "b")],
)  # fmt: skip
def test_a_counted_choice_is_the_side_that_its_format_means(row, vote):
    (label,) = [one.values for one in read(row) if isinstance(one, ForeignLabel)]
    assert label["value"] == vote


def test_reference_answers_of_a_question_are_not_answers_of_models():
    row = {"question": WHY, "answers": [SALT, SUN]}
    assert completions.FORMAT.signature(FileSample(rows=[row], names=list(row))) is None


# -- Transcripts ---------------------------------------------------------------------------------
@pytest.mark.storage
@pytest.mark.django_db
def test_shared_turns_are_the_topic_and_the_last_ones_two_answers_with_a_preference():
    imported(of_llms({"hh.jsonl": json.dumps(HH).encode() + b"\n"}))
    topic = Topic.objects.get()
    assert topic.query == "And sugar?"
    assert [turn["content"] for turn in topic.turns] == ["What is salt?", "A mineral."]
    texts = dict(Response.objects.values_list("system__key", "text"))
    assert texts == {"chosen": "A carbohydrate.\n", "rejected": "Sweet.\n\nVery."}
    (label,) = map(json.loads, CorpusLabels.objects.get().unpacked().splitlines())
    assert label["value"] == "a"
    assert label["response_a"] == Response.objects.get(system__key="chosen").key


def test_conversations_that_part_earlier_share_the_turns_before():
    parting = HH | {"rejected": "\n\nHuman: What is salt?\n\nAssistant: Salt is salt."}
    topic, chosen, rejected, _ = read(parting)
    assert topic.values["query"] == "What is salt?"
    assert len(chosen.values["messages"]) == 4
    assert rejected.values["text"] == "Salt is salt."


@pytest.mark.parametrize(
    ("row", "field"),
    [({"chosen": "\n\nHuman: Hi\n\nAssistant: Ha\n\nHuman: Oh", "rejected": HH["rejected"]},
      "chosen"),
     ({"chosen": HH["chosen"], "rejected": "no conversation"}, "rejected"),
     ({"chosen": HH["chosen"], "rejected": "\n\nHuman: Bye\n\nAssistant: Bye"}, "chosen")],
)  # fmt: skip
def test_a_conversation_without_an_answer_or_a_shared_turn_is_a_fault(row, field):
    (fault,) = [one.fault for one in read(HH, HH, row) if isinstance(one, FaultyRow)]
    assert fault.field == field


@given(st.lists(st.tuples(st.text("a:\n ", max_size=5), st.text("b \n", max_size=5)), min_size=1))
def test_a_transcript_is_read_byte_for_byte(turns):
    text = "".join(f"\n\nHuman: {user}\n\nAssistant: {reply}" for user, reply in turns)
    written = [content for turn in turns for content in turn]
    assert [turn.content for turn in turns_of_transcript(text)] == written


# -- BEIR ----------------------------------------------------------------------------------------
DOCUMENTS = [
    {"_id": "d1", "title": "Salt", "text": SALT, "metadata": {}},
    {"_id": "d2", "title": "", "text": SUN, "metadata": {}},
    {"_id": "d3", "title": "", "text": "Nobody judged this.", "metadata": {}},
]
QUERIES = [{"_id": "q1", "text": WHY, "metadata": {}}, {"_id": "q2", "text": "why"}]
QRELS = b"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t1\n"


def jsonl(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.storage
@pytest.mark.django_db
def test_documents_of_beir_are_passages_of_the_queries_that_they_are_judged_for():
    files = {"corpus.jsonl": jsonl(DOCUMENTS), "queries.jsonl": jsonl(QUERIES), "test.tsv": QRELS}
    upload = imported(uploaded(files))
    passages = Passage.objects.order_by("pk").values_list("topic__key", "key", "text", "title")
    assert set(passages) == {
        ("q1", "d1", SALT, "Salt"), ("q1", "d2", SUN, ""), ("q2", "d2", SUN, ""),
    }  # fmt: skip
    assert upload.report["left_out"] == [[beir.NOT_JUDGED, 1]]
    assert CorpusLabels.objects.get().count == 3


@pytest.mark.django_db
def test_documents_of_beir_without_judgments_are_refused_once():
    files = {"corpus.jsonl": jsonl(DOCUMENTS), "queries.jsonl": jsonl(QUERIES)}
    assert checked(uploaded(files)).report["bad"] == 1


# -- Anything ------------------------------------------------------------------------------------
JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=4) | st.sampled_from([HH["chosen"], "Human: a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "model", "annotations", "Rating"]), inner)
    ),
    max_leaves=6,
)
FIELDS = [*ULTRA_FEEDBACK, "generations", "ratings", *HH, "_id", "text", "choice", "info"]


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON))
def test_any_rows_are_read_or_faults(rows):
    recognised_formats(FileSample(rows=rows))
    sources = [SourceRow(number, number, row) for number, row in enumerate(rows, start=1)]
    for file_format in (completions.FORMAT, transcripts.FORMAT, beir.FORMAT):
        for item in file_format.reader(sources):
            kind = getattr(item, "kind", None)
            assert kind is None or kind in file_format.brings
