"""Figures as a person says them."""

import pytest

from analysis.review.concern import GROUPS, title_of
from annotation.templatetags.figures import figure


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0"), (0.02, "0.02"), (12.54, "12.5"), (1141.11, "1,141")]
)
def test_a_number_has_three_digits_that_count(number: float, said: str) -> None:
    assert figure(number) == said


def test_every_mark_that_the_view_fast_lists_is_called_so() -> None:
    assert {title_of(rule).split()[0] for rule in GROUPS["fast"][1]} == {"Fast"}
