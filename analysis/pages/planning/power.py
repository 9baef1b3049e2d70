"""Power of a draft by votes on a pair, from its simulation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from analysis.models import Forecast
from analysis.pages.planning import simulating
from analysis.pages.planning.assumptions import LEAST_SHARE, PUBLISHED, PlanForm
from analysis.pages.planning.pairs import has_ties, method_of, method_position
from analysis.pages.planning.simulating import Enqueue
from analysis.plots.curves import Curve, CurvePoint, curves
from analysis.plots.figure import Figure, figure
from analysis.stats.bradley_terry.simulated_power import SimulatedPower
from analysis.stats.errors import CannotCompute
from annotation.corpora.contents import State
from annotation.models import Corpus, Draft
from annotation.studies.drafts.kinds import Outline
from annotation.studies.drafts.plan_results import (
    WANTED,
    Chance,
    PlannedPower,
    digest_of_design,
)
from annotation.studies.drafts.schema import Document

VOTES = (1, 2, 3, 5, 8, 12)
MOST_VOTES = 30  # a quota above is left out of the curve


@dataclass(frozen=True)
class PowerRow:
    """Power and cost, with fees, of a number of votes on a pair."""

    found: SimulatedPower
    places: int
    workers: int
    cost: float
    planned: bool

    @property
    def says_nothing(self) -> bool:
        """True if the interval of the win share covers every share."""
        return self.low <= 0 and self.high >= 1

    @property
    def goes_beyond(self) -> bool:
        """True if the interval exceeds what a share can be, so that its ends say more."""
        return self.low < 0 or self.high > 1

    @property
    def low(self) -> float:
        return self.found.share - self.found.half_width

    @property
    def high(self) -> float:
        return self.found.share + self.found.half_width

    @property
    def ends(self) -> tuple[float, float]:
        return max(self.low, 0.0), min(self.high, 1.0)


@dataclass(frozen=True)
class PowerEstimate:
    """Power of a draft.

    `title` is that of the comparing method, `enough` the first row with the WANTED power (None
    without one), `differ` tells whether the simulated systems differ at all.
    """

    rows: Sequence[PowerRow]
    systems: int
    topics: int
    title: str
    enough: PowerRow | None
    differ: bool = True

    @property
    def planned(self) -> PowerRow | None:
        return next((row for row in self.rows if row.planned), None)

    @property
    def others(self) -> list[PowerRow]:
        """Rows to name: a cheaper one that is enough, or the next clearly better one."""
        if self.planned is None:
            return [self.enough or self.rows[-1]]
        if self.enough and self.enough is not self.planned:
            return [self.enough]
        more = [row for row in self.rows if row.found.votes > self.planned.found.votes]
        gained = self.planned.found.named + self.points / 100
        return [row for row in more[:1] if row.found.named > gained]

    @property
    def limit(self) -> str:
        """The lack that keeps results from naming a winner of the planned votes."""
        return (self.planned or self.rows[-1]).found.limit

    @property
    def topics_wanted(self) -> int | None:
        """Number of topics that is enough, with the most votes of the rows."""
        times = self.rows[-1].found.times_wanted
        return None if times is None else in_two_digits(times * self.topics)

    @property
    def lever(self) -> str:
        """Return which adds more to the error with the most votes: topics or raters."""
        return self.rows[-1].found.lever

    @property
    def says_nothing(self) -> bool:
        """True if a reason is given for some row without information."""
        return any(row.says_nothing for row in self.rows)

    @property
    def draws(self) -> int:
        return self.rows[0].found.draws

    @property
    def points(self) -> int:
        """Half the width of the 95% interval of a power of 80%, in percentage points."""
        return round(78 / math.sqrt(self.draws))


def in_two_digits(number: float) -> int:
    """Return the number, rounded up to two digits."""
    needed = math.ceil(number)
    step: int = 10 ** max(len(str(needed)) - 2, 0)
    return -(-needed // step) * step


def sureness_of(sure: PowerEstimate, *, assuming: PlanForm) -> PlannedPower:
    """Return the summary that is stored for pages that simulate nothing."""

    def chance(row: PowerRow | None) -> Chance | None:
        if row is None:
            return None
        found = row.found
        return Chance(found.votes, found.named, found.limit, found.workers)

    return PlannedPower(
        planned=chance(sure.planned),
        enough=chance(sure.enough),
        most=chance(sure.rows[-1]),
        systems=sure.systems,
        topics=sure.topics,
        topics_wanted=sure.topics_wanted,
        lever=sure.lever,
        share=assuming.assumed_share,
        competence=assuming.assumed_competence,
        published=assuming.pilot is PUBLISHED,
    )


def ask(
    draft: Draft,
    document: Document,
    corpus: Corpus,
    outline: Outline,
    *,
    assuming: PlanForm,
    enqueue: Enqueue,
    now: datetime,
    state: State | None = None,
) -> Forecast:
    """Return the forecast of the draft, as far as it is computed. Raises NoCurve, BadSetting."""
    quota = outline.places // outline.tasks
    return simulating.ask(
        draft=draft,
        digest=digest_of_design(document, corpus, state),
        assumed=assuming.assumed(ties=has_ties(method_of(document))),
        votes=sorted({*VOTES, quota} if quota <= MOST_VOTES else VOTES),
        enqueue=enqueue,
        now=now,
    )


def sure_of(
    forecast: Forecast, document: Document, outline: Outline, *, assuming: PlanForm, fee: float
) -> PowerEstimate:
    """Return the power from a finished forecast. Raises CannotCompute."""
    if forecast.sentence:
        raise CannotCompute("power_not_computed", forecast.sentence)
    quota = outline.places // outline.tasks
    one = float(outline.pay) * (1 + fee)
    tasks = outline.arm_tasks[method_position(document)] if outline.arm_tasks else outline.tasks
    rows = [
        PowerRow(
            power,
            places=(places := outline.tasks * power.votes),
            workers=-(-tasks * power.votes // max(1, document.recruitment.tasks_per_worker)),
            cost=one * places,
            planned=power.votes == quota,
        )
        for power in (SimulatedPower(**row) for row in forecast.found["rows"])
    ]
    return PowerEstimate(
        rows=rows,
        systems=forecast.found["systems"],
        topics=forecast.found["topics"],
        title=method_of(document).title,
        enough=next((row for row in rows if row.found.named >= WANTED), None),
        differ=assuming.assumed_share > LEAST_SHARE and assuming.assumed_competence > 0,
    )


def unsure_of(error: CannotCompute) -> PlannedPower:
    """Return the stored summary of an error, in English for all readers."""
    return PlannedPower(why=str(error))


def figure_of(sure: PowerEstimate) -> Figure:
    """Return the curve of power by votes; the table beside it has the numbers."""

    def line(label: str, name: str) -> Curve:
        points = [
            CurvePoint(row.found.votes, 100 * float(getattr(row.found, name))) for row in sure.rows
        ]
        return Curve(label, points)

    drawn = [
        line(gettext("Best system identified"), "named"),
        line(gettext("Clear difference from one system"), "apart"),
    ]
    return figure(
        lambda title, width: curves(
            drawn,
            title=title,
            axis=gettext("votes per page"),
            height_axis=gettext("power (%)"),
            domain=(0, max(row.found.votes for row in sure.rows)),
            heights=(0, 100),
            width=width,
        ),
        title=gettext("Power to identify the best system"),
        caption=gettext(
            "Winner: differs from all others. Clear difference: the pair's own 95% CI excludes 0."
        ),
    )
