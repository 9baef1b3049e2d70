"""Hourly earnings: the one definition of all pages and files. Pure.

The wage in active time is all pay by all hours of active time. Active time is what was recorded
between consent and handing in, where no gap counts more than a kind of study allows. The expected
wage is the pay by the minutes that the study plans, or by those that careful work takes where these
are more, until ten participants have been timed. None of them is the time that a tab was open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from itertools import pairwise
from math import ceil, floor, isfinite

from annotation.texts.sentences import Sentence

WORDS_PER_MINUTE = 238  # silent reading of English non-fiction: Brysbaert, JML 109 (2019)
# Fitted to the five published times in benchmarks/task_minutes.py, where people decide while they
# read: the longer of reading and answering is closer than their sum (error 1.28 and 1.56 times).
SECONDS_AN_ANSWER = 18
ESTIMATE_ERROR = 0.3  # typical error of that estimate, as a share of the measured time
# To compose at a keyboard and to correct what one has written: Karat, Halverson, Horn and Karat,
# Patterns of entry and correction, CHI 1999. Copying goes at 33.
COMPOSED_WORDS_PER_MINUTE = 19


@dataclass(frozen=True)
class ActiveTime:
    """Seconds of active time; `whole` if nothing was recorded in between and all of it counts."""

    seconds: float
    whole: bool = False


def hourly(*, pay: float, minutes: float) -> float | None:
    """Return the wage an hour of `pay` for these minutes; None without pay or time."""
    return pay / (minutes / 60) if pay and minutes > 0 else None


def pay_for(*, minutes: int, wage: Decimal) -> Decimal:
    """Return the pay for these minutes at a wage an hour, to the next cent."""
    return (wage * minutes / 60).quantize(Decimal("0.01"), rounding=ROUND_CEILING)


def active_time(moments: Sequence[datetime], *, gap: timedelta) -> ActiveTime:
    """Return the time between the first and last moment, counting each gap at most `gap`.

    If all moments are the same (imports, a restored connection), the whole time is returned.
    """
    moments = sorted(moments)
    gaps = [later - one for one, later in pairwise(moments)]
    if sum(bool(gap) for gap in gaps) < 2:
        return ActiveTime(sum(gap.total_seconds() for gap in gaps), whole=True)
    return ActiveTime(sum(min(interval, gap).total_seconds() for interval in gaps))


def careful_minutes(*, reading: float, answers: float = 0, writing: float = 0) -> int:
    """Return the estimated whole minutes of a task: read while answered, then written."""
    return ceil(round(max(reading, answers * SECONDS_AN_ANSWER / 60) + writing, 6))


def reading_and_writing(*, careful: int, reading: float) -> tuple[int, int]:
    """Return careful minutes split in reading and writing, which add up exactly."""
    whole = min(careful, round(reading))
    return whole, careful - whole


def writing_minutes(words: int) -> float:
    """Return the minutes that composing a text of this many words takes."""
    return words / COMPOSED_WORDS_PER_MINUTE


@dataclass(frozen=True)
class TaskTerms:
    """Expected earnings of a task: the one verdict of all pages and commands.

    `minutes` are those that people are told, `careful` those that an estimate says the work takes
    (0 where there is none). Who is told too few works longer and earns less: the longer of the two
    count, until `measured`, the mean minutes of a task, takes the place of both. `target` is the
    wage an hour that the study aims at; `currency` is that of both.
    """

    pay: float
    minutes: int
    careful: int
    target: float
    currency: str
    measured: float | None = None

    @property
    def honest(self) -> float:
        return self.measured or max(self.minutes, self.careful)

    @property
    def error(self) -> str:
        """Return the typical error of the estimate in percent."""
        return f"{100 * ESTIMATE_ERROR:.0f}"

    @property
    def is_longer(self) -> bool:
        return not self.measured and self.careful > self.minutes

    @property
    def wage(self) -> float | None:
        """An hour; less than the target is never rounded up to it."""
        wage = hourly(pay=self.pay, minutes=self.honest)
        if wage is not None and _cents(wage) < _cents(self.target) <= round(wage * 100, 0):
            return _cents(wage) / 100
        return wage

    @property
    def is_below(self) -> bool:
        wage = hourly(pay=self.pay, minutes=self.honest)
        return wage is None or _cents(wage) < _cents(self.target)


def too_short(expected: TaskTerms, *, reading: float, writing: float = 0) -> Sentence | None:
    """Return the warning that the estimate is longer than the announced time, or None."""
    if not expected.is_longer:
        return None
    if writing:
        read, written = reading_and_writing(careful=expected.careful, reading=reading)
        return Sentence(
            "Estimate: {careful} min ({reading} reading, {writing} writing), planned: "
            "{minutes} min.",
            careful=expected.careful,
            reading=read,
            writing=written,
            minutes=expected.minutes,
        )
    return Sentence(
        "Estimate: {careful} min ± {error}%, planned: {minutes} min.",
        careful=expected.careful,
        error=expected.error,
        minutes=expected.minutes,
    )


def _cents(wage: float) -> float:
    """Return the cents of an hourly wage, rounded down exactly: 5.60 for 28 min is 12.00."""
    cents = round(wage * 100, 6)
    return floor(cents) if isfinite(cents) else cents  # a draft may hold any number


def underpaid(expected: TaskTerms) -> Sentence | None:
    """Return the warning that a paid task earns less than the target, or None."""
    if expected.wage is None or not expected.is_below:
        return None
    figures = {
        "pay": expected.pay,
        "wage": expected.wage,
        "target": expected.target,
        "currency": expected.currency,
    }
    if expected.is_longer:
        return Sentence(
            "{wage:.2f} {currency} an hour ({pay:.2f} {currency}, estimated {careful} min), "
            "below the target of {target:.2f}.",
            careful=expected.careful,
            **figures,
        )
    return Sentence(
        "{wage:.2f} {currency} an hour ({pay:.2f} {currency}, {minutes} min), below the target "
        "of {target:.2f}.",
        minutes=expected.minutes,
        **figures,
    )


def warnings(expected: TaskTerms, *, reading: float, writing: float = 0) -> list[Sentence]:
    """Return the warnings on the terms of a design."""
    short = too_short(expected, reading=reading, writing=writing)
    return [warning for warning in (short, underpaid(expected)) if warning]
