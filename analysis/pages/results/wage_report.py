"""Hourly wage of a study, by the median and by the sum, beside that of a paper."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext

from analysis import replication
from analysis.stats.effects.medians import MedianEstimate, exact_median
from annotation.models import Assignment, Study
from annotation.studies.active_time import active_times, pay_of
from annotation.studies.wages import hourly

# Studies of the Crowd RAG Corpus 2025, and the cell of the paper that prints their wage.
PRINTED = {
    "crowdrag25-judging": "table1.dollars_per_hour_judging",
    "crowdrag25-writing": "table1.dollars_per_hour_writing",
}
FEW = 0.005  # of a dollar: what rounding hides


class NoTimes(ValueError):
    """Error for a study without paid work of known duration."""

    def __init__(self, study: Study) -> None:
        super().__init__(
            gettext("{slug} has no paid submissions with a known duration.").format(slug=study.slug)
        )


@dataclass(frozen=True)
class Wages:
    """Wages of paid work with a known time.

    `minutes` of each work, `by_median` (the median of the hourly wages), `by_sum` (total pay by
    total hours); `untimed` is the number of other works.
    """

    currency: str
    minutes: MedianEstimate
    by_median: MedianEstimate
    by_sum: float
    hours: float
    untimed: int
    printed: float | None = None
    printed_minutes: float = 0  # at the pay of the study

    @property
    def mean_minutes(self) -> float:
        return self.hours * 60 / self.minutes.n


def wages_of(study: Study) -> Wages:
    """Return the wages of a study. Raises NoTimes."""
    pay = pay_of(Assignment.objects.filter(study=study))
    seconds = {pk: time.seconds for pk, time in active_times(study).items() if time.seconds > 0}
    timed = sorted(pay.keys() & seconds.keys())
    if not timed:
        raise NoTimes(study)
    minutes = [seconds[pk] / 60 for pk in timed]
    rates = [float(pay[pk]) / (worked / 60) for pk, worked in zip(timed, minutes, strict=True)]
    printed = printed_for(study)
    return Wages(
        currency=study.currency,
        minutes=exact_median(minutes),
        by_median=exact_median(rates),
        by_sum=hourly(pay=float(sum(pay[pk] for pk in timed)), minutes=sum(minutes)) or 0.0,
        hours=sum(minutes) / 60,
        untimed=len(pay) - len(timed),
        printed=printed,
        printed_minutes=float(study.pay) / printed * 60 if printed else 0,
    )


def printed_for(study: Study) -> float | None:
    if study.slug not in PRINTED:
        return None
    cells = json.loads((Path(replication.__file__).parent / "printed.json").read_text())
    return float(_cell(cells, PRINTED[study.slug]))


def _cell(cells: dict[str, object], name: str) -> str:
    for row in (cells, *cells.values()):
        if isinstance(row, dict) and name in row:
            return str(row[name])
    raise LookupError(name)


def sentences(wages: Wages) -> Iterator[str]:
    yield (
        f"{wages.minutes.n} paid submissions of known duration, {wages.hours:.1f} hours in total; "
        f"{wages.untimed} of unknown duration."
    )
    yield f"Minutes per submission, median: {_said(wages.minutes)}."
    yield f"{wages.currency} an hour, median: {_said(wages.by_median)}."
    yield f"{wages.currency} an hour, all pay divided by all hours: {wages.by_sum:.2f}."
    if wages.printed is not None:
        yield from _beside(wages, wages.printed)


def _beside(wages: Wages, printed: float) -> Iterator[str]:
    low, high = wages.by_median.low, wages.by_median.high
    met = low is not None and high is not None and low - FEW <= printed <= high + FEW
    met = met or abs(printed - wages.by_median.value) <= FEW
    yield (
        f"The paper prints {printed:.2f}: within the interval of the median."
        if met
        else f"The paper prints {printed:.2f}: outside the interval of the median."
    )
    yield (
        f"That assumes {wages.printed_minutes:.1f} minutes per submission; the mean here is "
        f"{wages.mean_minutes:.1f}, the median {wages.minutes.value:.1f}."
    )
    apart = wages.by_sum - printed
    if abs(apart) > FEW:
        yield (
            f"All pay divided by all hours is {abs(apart):.2f} {'more' if apart > 0 else 'less'}, "
            f"because long submissions weigh more there."
        )
    if wages.untimed:
        yield f"{wages.untimed} paid submissions have no recorded time."


def _said(found: MedianEstimate) -> str:
    if found.low is None or found.high is None:
        return f"{found.value:.2f} (n = {found.n}, too few for an interval)"
    return (
        f"{found.value:.2f} ({found.confidence:.0%} CI {found.low:.2f} to {found.high:.2f}, "
        f"n = {found.n})"
    )
