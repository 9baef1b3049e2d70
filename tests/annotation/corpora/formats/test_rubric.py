"""Rubric's files: fields as in seed R2 and R3, read and written without a difference."""

import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats import rubric
from annotation.corpora.formats.rubric import (
    Paragraph,
    RubricBank,
    RubricEntry,
    banks,
    entry_id,
    passages,
    written,
)

QUESTION_ID = "q1/" + hashlib.md5(b"Why?").hexdigest()
# Made by hand from the fields that the public code reads.
BANK = {
    "query_id": "q1",
    "test_collection": "dl20",
    "query_text": "why do leaves turn red?",
    "hash": -4611686018427387904,
    "items": [
        {
            "query_id": "q1",
            "question_id": QUESTION_ID,
            "question_text": "Why?",
            "gold_answers": ["sugar"],
        },
        {"query_id": "q1", "facet_id": "f", "nugget_id": "q1/f/x", "nugget_text": "Sugar stays."},
    ],
    "info": {"gpt_model": "gpt-3.5", "prompt_target": "questions", "more": [1, {"a": True}]},
}
PARAGRAPH = {
    "paragraph_id": "p1",
    "text": "Sugar.",
    "paragraph": {"any": ["thing", 1]},
    "paragraph_data": {
        "judgments": [{"paragraphId": "p1", "query": "q1", "relevance": 3, "titleQuery": "q1"}],
        "rankings": [
            {"method": "bm25", "paragraphId": "p1", "queryId": "q1", "rank": 2, "score": 7.5}
        ],
    },
    "exam_grades": [
        {
            "correctAnswered": [QUESTION_ID],
            "wrongAnswered": [],
            "answers": [[QUESTION_ID, "sugar"]],
            "llm": "google/flan-t5-large",
            "llm_options": {"temperature": 0},
            "exam_ratio": 1.0,
            "prompt_info": {"prompt_class": "QuestionSelfRatedUnanswerablePromptWithChoices"},
            "self_ratings": [{"self_rating": 5, "question_id": QUESTION_ID}],
            "llm_response_errors": {"x": {"response": "?", "prompt": "p"}},
        },
        {
            "correctAnswered": [],
            "wrongAnswered": [],
            "answers": [],
            "llm": None,
            "llm_options": {},
            "exam_ratio": 0.0,
        },
    ],
    "grades": [
        {"correctAnswered": True, "llm": "x", "llm_options": {}, "answer": "yes"},
        {"correctAnswered": False, "llm": "x", "llm_options": {}, "answers": "no"},
    ],
}


def as_read_again(line):
    return json.loads(line)


def test_a_bank_is_written_as_it_was_read():
    ((number, bank),) = banks([json.dumps(BANK)])
    assert (number, bank.items[0].key, bank.items[1].text) == (1, QUESTION_ID, "Sugar stays.")
    (line,) = written([bank])
    assert json.loads(line) == BANK


def test_passages_are_written_as_they_were_read():
    ((_, (query, found)),) = passages(["\n", json.dumps(["q1", [PARAGRAPH, PARAGRAPH]])])
    assert found[0].exam_grades[0].self_ratings[0].entry == QUESTION_ID
    (line,) = written([(query, found)])
    assert json.loads(line) == ["q1", [PARAGRAPH, PARAGRAPH]]


def test_judgments_and_direct_grades_of_a_passage_are_labels():
    ((_, (_, (passage,))),) = passages([json.dumps(["q1", PARAGRAPH])])
    judged = [{"rater": "Judgments", "value": "3"}]
    assert [*rubric.labels_of(passage)] == [*judged, {"rater": "x", "kind": "model", "value": "1"}]


def test_a_line_may_hold_a_single_passage_as_the_paper_shows_it():
    listed, single = (
        dict(passages([json.dumps(["q1", shape])])) for shape in ([PARAGRAPH], PARAGRAPH)
    )
    assert listed == single


def test_an_entry_is_called_by_the_digest_of_its_text():
    assert entry_id("q1", " Why?\n") == QUESTION_ID
    assert entry_id("q1", "Why?", "f") == QUESTION_ID.replace("q1/", "q1/f/")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
OPTIONAL = st.none() | TEXT
OPTIONS = st.dictionaries(TEXT, st.integers(-(2**53), 2**53) | st.booleans() | OPTIONAL, max_size=2)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
GRADES = st.integers(0, 5)
ENTRIES = st.builds(
    RubricEntry, query_id=TEXT, question_id=TEXT, question_text=TEXT, nugget_id=st.none(),
    nugget_text=st.none(), facet_id=OPTIONAL, info=st.none() | OPTIONS,
    gold_answers=st.none() | st.lists(TEXT, max_size=2),
)  # fmt: skip
BANKS = st.builds(
    RubricBank, query_id=TEXT, test_collection=TEXT, query_text=TEXT,
    hash=st.integers(-(2**63), 2**63 - 1), items=st.lists(ENTRIES, max_size=2),
    facet_id=OPTIONAL, facet_text=OPTIONAL, info=st.none() | OPTIONS,
)  # fmt: skip
RATINGS = st.builds(rubric.SelfRating, self_rating=GRADES, question_id=OPTIONAL, nugget_id=OPTIONAL)
ERRORS = st.builds(
    rubric.ResponseError, response=TEXT, prompt=TEXT, failure_reason=OPTIONAL,
    caught_exception=OPTIONAL,
)  # fmt: skip
COMMON = {
    "llm": OPTIONAL, "llm_options": OPTIONS, "prompt_info": st.none() | OPTIONS,
    "prompt_type": OPTIONAL, "relevance_label": st.none() | GRADES,
}  # fmt: skip
EXAMS = st.builds(
    rubric.ExamGrades, correctAnswered=st.lists(TEXT, max_size=2),
    wrongAnswered=st.lists(TEXT, max_size=2), answers=st.lists(st.tuples(TEXT, TEXT), max_size=2),
    exam_ratio=SCORES, self_ratings=st.none() | st.lists(RATINGS, max_size=2),
    llm_response_errors=st.none() | st.dictionaries(TEXT, ERRORS, max_size=1), **COMMON,
)  # fmt: skip
DIRECT = st.builds(
    rubric.Grades, correctAnswered=st.booleans(), answer=OPTIONAL, answers=OPTIONAL,
    self_ratings=st.none() | GRADES, llm_response_error=st.none() | ERRORS, **COMMON,
)  # fmt: skip
DATA = st.builds(
    rubric.ParagraphData,
    judgments=st.lists(
        st.builds(
            rubric.Relevance, paragraphId=TEXT, query=TEXT, relevance=GRADES, titleQuery=TEXT
        ),
        max_size=1,
    ),
    rankings=st.lists(
        st.builds(
            rubric.PassageRank,
            method=TEXT,
            paragraphId=TEXT,
            queryId=TEXT,
            rank=GRADES,
            score=SCORES,
        ),
        max_size=1,
    ),
)
PARAGRAPHS = st.builds(
    Paragraph, paragraph_id=TEXT, text=TEXT, paragraph=st.none() | OPTIONS,
    paragraph_data=st.none() | DATA, exam_grades=st.none() | st.lists(EXAMS, max_size=2),
    grades=st.none() | st.lists(DIRECT, max_size=2),
)  # fmt: skip


@given(st.lists(BANKS, max_size=3))
def test_any_bank_is_read_as_it_was_written(rows):
    lines = [line.decode() for line in written(rows)]
    assert [bank for _, bank in banks(lines)] == rows


@given(st.lists(st.tuples(TEXT, st.lists(PARAGRAPHS, max_size=2)), max_size=3))
def test_any_passages_are_read_as_they_were_written_and_none_is_left_out(rows):
    lines = [line.decode() for line in written(rows)]
    assert [row for _, row in passages(lines)] == rows


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("{", "", "JSON"),
        (json.dumps(BANK | {"hash": "x"}), "hash", "wrong type"),
        (json.dumps(BANK | {"colour": 1}), "colour", "unknown"),
        (
            json.dumps({k: v for k, v in BANK.items() if k != "query_text"}),
            "query_text",
            "missing",
        ),
        (
            json.dumps(BANK | {"items": [{"query_id": "q1", "nugget_id": "x"}]}),
            "items[0]",
            "question or nugget",
        ),
    ],
)
def test_it_names_what_is_wrong_with_a_bank(line, field, reason):
    ((number, fault),) = banks([line])
    assert (number, fault.field) == (1, field)
    assert reason in fault.reason


@pytest.mark.parametrize("line", ['["q1"]', "[]", '["q1", 5]', '{"a": 1}', '["q1", [{}]]', "x"])
def test_it_names_what_is_no_line_of_passages(line):
    ((_, fault),) = passages([line])
    assert re.search(r"\b(Rubric|JSON)\b", fault.reason)
