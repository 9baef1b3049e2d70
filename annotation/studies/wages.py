"""What an hour of work earns: the one definition that every page and file has. Pure.

The wage in active time is all pay by all hours of active time. Active time is what was recorded
between consent and handing in, where no gap counts more than a kind of study allows. The expected
wage is the pay by the minutes that the study plans. Neither is ever the time that a tab was open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from itertools import pairwise

from annotation.texts.sentences import Sentence

WORDS_PER_MINUTE = 238  # silent reading of English non-fiction: Brysbaert, JML 109 (2019)


@dataclass(frozen=True)
class Active:
    """Seconds of active time; `whole` if nothing was recorded in between and all of it counts."""

    seconds: float
    whole: bool = False


def hourly(*, pay: float, minutes: float) -> float | None:
    """What `pay` for these minutes is in an hour; None where there is no pay or no time."""
    return pay / (minutes / 60) if pay and minutes > 0 else None


def pay_for(*, minutes: int, wage: Decimal) -> Decimal:
    """What so many minutes earn at this wage an hour, to the next cent."""
    return (wage * minutes / 60).quantize(Decimal("0.01"), rounding=ROUND_CEILING)


def active_time(moments: Sequence[datetime], *, gap: timedelta) -> Active:
    """The time between the first moment and the last in which no gap counts more than `gap`.

    Of work that came all at once (imported, or sent when a network came back) only the whole time
    is known, and that is taken.
    """
    moments = sorted(moments)
    gaps = [later - one for one, later in pairwise(moments)]
    if sum(bool(each) for each in gaps) < 2:
        return Active(sum(each.total_seconds() for each in gaps), whole=True)
    return Active(sum(min(each, gap).total_seconds() for each in gaps))


def warnings(*, reading: float, minutes: int, pay: float, target: float) -> list[Sentence]:
    """What a design should be told: careful reading takes longer than is planned or paid for.

    `reading` and `minutes` are of one task; `target` is the wage an hour that the study aims at.
    """
    said = []
    if reading > minutes:
        said.append(
            Sentence(
                "Careful reading alone takes {reading:.0f} min, more than the {minutes} min "
                "planned.",
                reading=reading,
                minutes=minutes,
            )
        )
    paid = pay / target * 60 if target else 0
    if pay and target and reading > paid:
        said.append(
            Sentence(
                "Careful reading alone takes {reading:.0f} min, and {pay:.2f} pays for {paid:.0f} "
                "min at the target of {target:.2f} an hour.",
                reading=reading,
                pay=pay,
                paid=paid,
                target=target,
            )
        )
    return said
