"""From the raw answer to the canonical value, whatever order was shown."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.answering.scales import NotOnScale, canonical

PREFERENCE = {
    "kind": "options",
    "options": [
        {"code": "a", "label": "Left", "role": "slot", "slot": "a"},
        {"code": "n", "label": "Equal", "role": "tie"},
        {"code": "x", "label": "Neither", "role": "both_bad"},
        {"code": "b", "label": "Right", "role": "slot", "slot": "b"},
    ],
}
STARS = {
    "kind": "options",
    "options": [
        {"code": "-1", "label": "No", "role": "score", "score": -1},
        {"code": "1", "label": "Yes", "role": "score", "score": 1},
    ],
}
PAIR = ("a", "b")
CONTENTS = {"a": "first", "b": "second"}


def read(spec, raw, shown=PAIR, places=PAIR, contents=CONTENTS):
    return canonical(spec=spec, raw=raw, shown=shown, places=places, contents=contents)


@pytest.mark.parametrize(
    ("shown", "raw", "value"),
    [
        (("a", "b"), "a", "first"),
        (("a", "b"), "b", "second"),
        (("b", "a"), "a", "second"),
        (("b", "a"), "b", "first"),
    ],
)
def test_a_preference_is_the_text_that_stood_there(shown, raw, value):
    assert read(PREFERENCE, raw, shown).value == value


@given(slots=st.integers(2, 6).flatmap(lambda n: st.permutations([f"s{i}" for i in range(n)])))
def test_choosing_the_same_text_gives_the_same_value_in_every_order(slots):
    places = tuple(sorted(slots))
    spec = {
        "kind": "options",
        "options": [{"code": f"c{p}", "label": p, "role": "slot", "slot": p} for p in places],
    }
    contents = {slot: f"text of {slot}" for slot in places}
    for wanted in places:
        raw = f"c{places[slots.index(wanted)]}"  # the option of the place where it is shown
        answer = read(spec, raw, tuple(slots), places, contents)
        assert answer.value == contents[wanted]
        assert answer.raw == raw


@pytest.mark.parametrize("shown", [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("raw", ["n", "x"])
def test_a_tie_is_a_tie_in_either_order(shown, raw):
    assert read(PREFERENCE, raw, shown).value == raw


def test_a_slot_that_never_moves_stands_where_it_is():
    assert read(PREFERENCE, "b", shown=("",), places=()).value == "second"


def test_an_option_brings_its_score():
    answer = read(STARS, "-1")
    assert (answer.value, answer.score) == ("-1", -1)


@pytest.mark.parametrize("raw", ["", "A", "a ", "left", "0", "\x00", "a" * 10_000])
def test_it_refuses_what_is_no_option(raw):
    with pytest.raises(NotOnScale) as refused:
        read(PREFERENCE, raw)
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize(
    ("raw", "value", "number"),
    [("0", "0", 0), ("-0", "0", 0), ("5", "5", 5), ("5.0", "5", 5), ("1e1", "10", 10)],
)
def test_a_number_has_one_way_to_be_written(raw, value, number):
    answer = read({"kind": "range", "min": 0, "max": 10}, raw)
    assert (answer.value, answer.score) == (value, number)
    assert math.copysign(1, answer.score) == 1


@given(number=st.integers(0, 10_000_000))
def test_a_large_number_keeps_all_its_digits(number):
    assert read({"kind": "range", "min": 0, "max": 10_000_000}, str(number)).value == str(number)


@given(steps=st.integers(0, 1000))
def test_a_fraction_is_on_its_step(steps):
    answer = read({"kind": "range", "min": 0, "max": 1, "step": 0.001}, str(steps * 0.001))
    assert float(answer.value) == pytest.approx(steps / 1000)


@pytest.mark.parametrize(
    "raw", ["", "five", "nan", "inf", "-inf", "11", "-1", "2.5", "1e999", "1\x00", "0" * 100]
)
def test_it_refuses_a_number_that_is_not_on_the_scale(raw):
    with pytest.raises(NotOnScale, match=r"\b0\b.*\b10\b"):
        read({"kind": "range", "min": 0, "max": 10}, raw)


def test_a_text_is_taken_without_the_space_around_it():
    assert read({"kind": "text"}, "  Both are vague. \n").value == "Both are vague."


@pytest.mark.parametrize("raw", ["", "   ", "x" * 11, "a\x00b", "a" + " " * 20])
def test_it_refuses_a_text_that_is_empty_too_long_or_binary(raw):
    with pytest.raises(NotOnScale, match=r"\b1\b.*\b10\b"):
        read({"kind": "text", "max_length": 10}, raw)
