"""The digit keys of a study: a side keeps its key."""

import pytest

from judging.answering.page_layout import pages_of
from judging.answering.pages import page_questions
from judging.answering.recording import questions_of
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items.drawing import draw_presentations
from tests.cast import begun, bob, small_study, tiny_instrument

pytestmark = pytest.mark.django_db

LABELS = {"a": "Left", "n": "Equal", "b": "Right", "x": "Both are good", "y": "Both are bad"}
ROLES = {"n": "tie", "x": "abstain", "y": "both_bad"}


def scale(key, codes):
    options = [
        OptionSpec(code=code, label=LABELS[code], role="slot", slot=code)
        if code in "ab"
        else OptionSpec(code=code, label=LABELS[code], role=ROLES[code])
        for code in codes
    ]
    return ScaleSpec(key=key, kind="options", options=options)


def digits(*scales):
    """Return the keys of each question of a study with a question on each of these scales."""
    questions = [QuestionSpec(f"q{n}", "better", f"s{n}", "Which?") for n in range(len(scales))]
    instrument = tiny_instrument(
        scales=[scale(f"s{n}", codes) for n, codes in enumerate(scales)], questions=questions
    )
    assignment = begun(small_study(instrument=instrument, responses=2), bob())
    page = pages_of(draw_presentations(assignment=assignment), study=assignment.study)[0]
    views = page_questions(page=page, questions=questions_of(assignment.study_id), given={})
    return [{option.code: option.digit for option in view.fields[0].options} for view in views]


def test_right_has_one_key_whether_or_not_a_question_offers_equal():
    assert digits("anb", "ab") == [{"a": 1, "n": 2, "b": 3}, {"a": 1, "b": 3}]


def test_a_study_without_equal_has_no_gap_in_its_keys():
    assert digits("ab", "ab") == [{"a": 1, "b": 2}] * 2


def test_other_answers_get_keys_that_no_side_has():
    assert digits("anb", "abxy") == [{"a": 1, "n": 2, "b": 3}, {"a": 1, "b": 3, "x": 4, "y": 5}]
