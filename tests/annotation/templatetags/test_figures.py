"""Figures as a person says them."""

from decimal import Decimal

import pytest
from django.template import Context, Template

from analysis.pages.review.queue_order import GROUPS, title_of
from annotation.texts.number_formats import figure, inside, money, span_exactly


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0"), (0.02, "0.02"), (12.54, "12.5"), (1141.11, "1,141")]
)
def test_a_number_has_three_digits_that_count(number: float, said: str) -> None:
    assert figure(number) == said


@pytest.mark.parametrize(
    ("number", "said"), [(-0.126, "−0.13"), (0.126, "0.13"), (-0.001, "0.00"), (None, "")]
)
def test_what_people_read_has_one_minus_sign(number: float | None, said: str) -> None:
    """As in plots and tables: that of typography, not the hyphen of files."""
    assert Template("{{ number|floatformat:2 }}").render(Context({"number": number})) == said


def test_amounts_and_figures_have_it_too() -> None:
    assert money(Decimal("-1234.5"), "USD") == "−1,234.50 USD"
    assert (figure(-0.5), figure(-1234), figure(-0.0)) == ("−0.5", "−1,234", "0")


def test_money_that_is_taken_back_has_it_too() -> None:
    assert money(-1.5, "USD") == "−1.50 USD"
    assert money(-0.001, "USD") == "0.00 USD"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(45, "45 s"), (560, "9 min 20 s"), (720, "12 min"), (3700, "1 h 1 min 40 s")],
)
def test_a_limit_is_said_to_the_second(seconds: int, said: str) -> None:
    assert span_exactly(seconds) == said


def test_a_name_in_a_title_keeps_its_capital_within_a_sentence() -> None:
    assert inside("Lamps on Prolific") == "lamps on Prolific"
    assert inside("") == ""


def test_every_mark_that_the_view_fast_lists_is_called_so() -> None:
    assert {title_of(rule).split()[0] for rule in GROUPS["fast"][1]} == {"Fast"}
