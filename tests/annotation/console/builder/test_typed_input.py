"""What is typed becomes a value of the type that its place has, or a sentence."""

from typing import Any

import pytest

from annotation.console.builder.typed_input import BadValue, read, type_at
from annotation.studies.drafts.paths import NoSuchPlace
from tests.coded_errors import raises


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
    ("path", "text", "code"),
    [
        ("design/seed", "", "not_whole"),
        ("design/seed", "1.5", "not_whole"),
        ("design/seed", "9" * 30, "too_large"),
        ("recruitment/pay", "much", "not_an_amount"),
        ("recruitment/pay", "NaN", "not_an_amount"),
        ("recruitment/pay", "1e99", "not_an_amount"),
        ("recruitment/platform", "elsewhere", "not_a_choice"),
        ("instruments/a/defaults/reversed_share", "inf", "not_a_number"),
        ("title", "a\x00b", "invalid_character"),
        ("instruments", "x", "not_single"),
    ],
)
def test_what_is_no_value_is_refused(path: str, text: str, code: str) -> None:
    with raises(BadValue, code):
        read(type_at("judging", path), text)


@pytest.mark.parametrize("path", ["titel", "design/rounds", "title/x", "instruments/a/nothing"])
def test_there_is_no_other_place(path: str) -> None:
    with pytest.raises(NoSuchPlace):
        type_at("judging", path)
