"""What is typed becomes a value of the type that its place has, or a sentence."""

from typing import Any

import pytest

from annotation.console.builder.typed_input import BadValue, read, type_at
from annotation.studies.drafts.paths import NoSuchPlace


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("title", "Lamps\r\nand lights", "Lamps\nand lights"),
        ("design/topics", "", None),
        ("design/topics", " 4 ", 4),
        ("recruitment/pay", "5,50", "5.50"),
        ("recruitment/platform", "prolific", "prolific"),
        ("instruments/a/defaults/reversed_share", "0,3333", 0.3333),
        ("instruments/a/defaults/topics_together", "yes", True),
        ("instruments/a/scales/s/options/o/slot", "", None),
        ("instruments/a/scales/s/options/o/score", "-1", -1.0),
    ],
)
def test_a_value_has_the_type_of_its_place(path: str, text: str, value: Any) -> None:
    assert read(type_at("judging", path), text) == value


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("design/seed", "", "whole number"),
        ("design/seed", "1.5", "whole number"),
        ("design/seed", "9" * 30, "too large"),
        ("recruitment/pay", "much", "amount"),
        ("recruitment/pay", "NaN", "amount"),
        ("recruitment/pay", "1e99", "amount"),
        ("recruitment/platform", "elsewhere", "one of .*link.*prolific.*upwork"),
        ("instruments/a/defaults/reversed_share", "inf", "number"),
        ("title", "a\x00b", "invalid character"),
        ("instruments", "x", "single value"),
    ],
)
def test_what_is_no_value_gets_a_sentence(path: str, text: str, sentence: str) -> None:
    with pytest.raises(BadValue, match=sentence):
        read(type_at("judging", path), text)


@pytest.mark.parametrize("path", ["titel", "design/rounds", "title/x", "instruments/a/nothing"])
def test_there_is_no_other_place(path: str) -> None:
    with pytest.raises(NoSuchPlace):
        type_at("judging", path)
