"""Flesch reading ease, as textstat computes it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyphen import Pyphen

from analysis.stats.text.readability import _syllables, flesch_reading_ease, readability
from tests.analysis.coded_errors import bad_setting
from tests.analysis.stats.text.conftest import QUICK, tiny

PYPHEN = Pyphen(lang="en_US")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # textstat 0.7.4 with pyphen 0.18.1, after textstat.set_rounding(False)
        ("The cat sat on the mat. It was happy there.", 108.70000000000002),
        (
            "Institutional accountability necessitates comprehensive, transparent documentation, "
            "e.g. of procedures.",
            -93.69999999999996,
        ),
        (
            "Don't stop! It's the well-known singer-songwriter's 'greatest' hit, isn't it? "
            "We've heard they'll sing.",
            78.87285714285717,
        ),
        (
            "- One point is made here\n- Another point, somewhat longer, follows in this line.\n"
            "No.",
            83.85357142857143,
        ),
        ("Yes.", 206.835 - 1.015 - 84.6),  # one sentence at least, by hand
    ],
)
def test_it_equals_textstat(text, expected):
    assert flesch_reading_ease(text) == pytest.approx(expected, abs=1e-9)


@pytest.mark.corpus
def test_it_meets_the_published_medians(prose):
    # Gienapp et al. 2025: people 46, the LLM 20, cited documents 49
    frame = readability(prose, by=["origin"], unit="statement", bootstrap=QUICK).summary
    ease = frame.set_index(["origin", "text"]).value
    assert ease["human", "own"] == pytest.approx(46, abs=1)
    assert ease["llm", "own"] == pytest.approx(20, abs=1)
    assert ease["human", "cited"] == pytest.approx(49, abs=1)
    assert ease["llm", "cited"] == pytest.approx(49, abs=1)
    assert (frame.low < frame.value).all()
    assert (frame.value < frame.high).all()


@given(st.text(st.sampled_from("ab e.'!?-\n"), max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_read(text):
    ease = flesch_reading_ease(text)
    words = [word for word in text.split() if any(mark.isalpha() for mark in word)]
    assert np.isfinite(ease) or not words
    assert np.isnan(ease) or ease <= 206.835 - 1.015 - 84.6 + 1e-9


@given(st.text(st.sampled_from("abcdeghilmnoprstuyAEé.1'"), min_size=1, max_size=24))
@settings(max_examples=300, deadline=None)
def test_syllables_are_those_of_pyphen(word):
    assert _syllables(word) == len(PYPHEN.positions(word.lower())) + 1


def test_a_response_and_what_it_cites():
    prose = tiny(
        [("t", "news", "human", "A cat sat [0]. It sat [1, 1]."), ("t", "news", "llm", "-")]
    )
    passage = flesch_reading_ease("passage 1 of t")
    assert flesch_reading_ease("passage 2 of t") == passage
    frame = readability(prose).responses
    assert frame.own[0] == pytest.approx(flesch_reading_ease("A cat sat. It sat."))
    assert frame.cited[0] == passage
    assert frame[["own", "cited"]].loc[1].isna().all()
    by_statement = readability(prose, unit="statement").responses
    assert by_statement.own[0] == pytest.approx(flesch_reading_ease("It sat."))


def test_it_refuses_an_unknown_unit():
    with bad_setting("unit"):
        readability(tiny([("t", "news", "human", "a [0]")]), unit="line")
