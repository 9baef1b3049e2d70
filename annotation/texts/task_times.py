"""The sentence that tells participants how long a task takes."""

from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext


@dataclass(frozen=True)
class MeasuredMinutes:
    """Active minutes of `n` participants: quartiles in whole minutes; `mean` is of a task."""

    low: int
    high: int
    n: int
    mean: float


def time_sentence(minutes: int, measured: MeasuredMinutes | None, *, language: str) -> str:
    """Return the Markdown sentence: an estimate, or the middle half of what was measured."""
    with translation.override(language):
        if measured is None:
            return gettext("We estimate **{minutes} minutes**.").format(minutes=minutes)
        low, high = measured.low, measured.high
        if low == high:
            return gettext("Half of the participants so far took **about {n} minutes**.").format(
                n=low
            )
        return gettext("Half of the participants so far took **{low} to {high} minutes**.").format(
            low=low, high=high
        )
