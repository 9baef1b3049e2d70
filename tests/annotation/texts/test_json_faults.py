"""Sentences about text that is not JSON name its place, never a parser's words."""

import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.json_faults import json_fault

PARSERS = re.compile(
    r"malformed|truncated|\bbyte\b|expecting|surrogate|delimiter|utf-16", re.IGNORECASE
)
WHOLE = json.dumps({"topic": "é", "list": [1, 2.5, None, True, 'a"b'], "c": {"d": "🍁"}})


def fault_of(parse, content):
    try:
        parse(content)
    except (ValueError, RecursionError) as error:
        return json_fault(error, content)
    return None


@pytest.mark.parametrize("parse", [msgspec.json.decode, json.loads])
@given(cut=st.integers(0, len(WHOLE)), noise=st.text(max_size=3))
def test_sentence_is_about_the_text(parse, cut, noise):
    content = WHOLE[:cut] + noise + WHOLE[cut + len(noise) :]
    fault = fault_of(parse, content)
    assert fault is None or not PARSERS.search(fault.words)


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ('{"é": nope}', {"place": 7, "near": "nope}"}),
        ("nope", {"near": "nope"}),
        (r'{"a": "\ud83c"}', {"half": r"\ud83c"}),
        ('{"a": "b', {}),
    ],
)
def test_place_and_text_are_named(content, values):
    fault = fault_of(msgspec.json.decode, content.encode())
    assert {name: fault.values[name] for name in values} == values
