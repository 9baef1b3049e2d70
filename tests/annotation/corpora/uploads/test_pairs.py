"""Pairs of answers with votes: LMSYS, arena, AlpacaEval, preference data."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import pairs
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.reading.source_rows import SourceRow
from annotation.models import CorpusLabels, Response
from tests.annotation.corpora.uploads.cast import checked, imported, uploaded

MODELS = {"model_a": "Alpha", "model_b": "Beta"}
KAGGLE = [
    {"id": "30192", **MODELS, "prompt": '["Why?"]', "response_a": '["Rivers."]',
     "response_b": '["Salt, \\"dissolved\\"."]', "winner_model_a": "1", "winner_model_b": "0",
     "winner_tie": "0"},
    {"id": "53567", **MODELS, "prompt": '["Why?", "And then?"]', "response_a": '["A.", "B."]',
     "response_b": '[null, "D."]', "winner_model_a": "0", "winner_model_b": "0",
     "winner_tie": "1"},
]  # fmt: skip
TEXTS = [("Alpha", "Rivers."), ("Beta", 'Salt, "dissolved".')]
PLAIN = {"prompt": "Why?", "response_a": TEXTS[0][1], "response_b": TEXTS[1][1]}
SHAPES = {
    "arena": {"question_id": "q1", **MODELS, **PLAIN, "winner": "tie (bothbad)", "turn": 1},
    "alpaca": {
        "instruction": "Why?", "output_1": TEXTS[0][1], "generator_1": "Alpha",
        "output_2": TEXTS[1][1], "generator_2": "Beta", "annotator": "gpt", "preference": 2.0,
    },
}  # fmt: skip


def by_llms(name, content):
    upload = uploaded({name: content})
    upload.origin = "llm"
    upload.save()
    return upload


def answers():
    return list(Response.objects.order_by("pk").values_list("system__key", "text"))


@pytest.mark.storage
@pytest.mark.django_db
def test_a_table_of_lmsys_has_two_answers_a_question_and_keeps_its_votes():
    file = io.StringIO()
    table = csv.DictWriter(file, KAGGLE[0])
    table.writeheader()
    table.writerows(KAGGLE)
    upload = checked(by_llms("train.csv", file.getvalue().encode()))
    assert upload.files.get().look["kind"] == "pairs"
    imported(upload)
    assert answers()[:2] == TEXTS
    assert upload.report["bad"] == 0
    labels = [json.loads(line) for line in CorpusLabels.objects.get().unpacked().splitlines()]
    assert [label["value"] for label in labels] == ["a", "tie"]
    keys = list(Response.objects.order_by("pk").values_list("key", flat=True)[:2])
    assert [labels[0]["response_a"], labels[0]["response_b"]] == keys


@pytest.mark.django_db
def test_several_turns_of_lmsys_are_a_conversation():
    imported(by_llms("train.jsonl", json.dumps(KAGGLE[1]).encode()))
    assert answers() == [("Alpha", "B."), ("Beta", "D.")]
    turns = Response.objects.get(system__key="Alpha").turns
    assert [turn["content"] for turn in turns] == ["Why?", "A.", "And then?"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.storage
@pytest.mark.django_db
def test_pairs_are_two_answers_of_their_models(shape):
    row = SHAPES[shape]
    upload = by_llms("a.jsonl", (json.dumps(row) + "\n").encode() * 2)
    assert upload.files.get().look["kind"] == "pairs"
    imported(upload)
    assert answers() == TEXTS
    assert CorpusLabels.objects.get().count == 2


def rows_of(*rows):
    return list(pairs.FORMAT.reader(SourceRow(n, n, row) for n, row in enumerate(rows, 1)))


def test_another_answer_of_a_model_to_a_question_has_a_key_of_its_own():
    row = SHAPES["arena"]
    items = rows_of(row, row | {"response_a": "Again."})
    keys = [item.values["response"] for item in items if getattr(item, "kind", "") == "responses"]
    assert keys == ["q1/Alpha", "q1/Beta", "q1/Alpha/2"]


@pytest.mark.parametrize(
    "row",
    [{"question": "Why?", "answer_a": "A", "answer_b": "B"},
     {"question": "Why?", "answer": "A", "winner": "x"},
     {"response_a": "A", "response_b": "B", **MODELS}],
)  # fmt: skip
def test_rows_without_models_and_votes_or_a_question_are_no_pairs(row):
    assert pairs.FORMAT.signature(FileSample(rows=[row], names=list(row))) is None


JSON = st.none() | st.integers() | st.text(max_size=4) | st.lists(st.none() | st.text(max_size=3))
FIELDS = [*SHAPES["arena"], *SHAPES["alpaca"], "chosen", "rejected"]


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON))
def test_any_rows_are_read_or_faults(rows):
    recognised_formats(FileSample(rows=rows))
    for item in rows_of(*rows):
        kind = getattr(item, "kind", None)
        assert kind is None or kind in pairs.FORMAT.brings
