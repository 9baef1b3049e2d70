"""Plans with more votes, topics or workers (study_plan.py) than a study has."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.study_plan import PlanResult, StudyPlan, expected

VOTES_PER_ITEM = (1, 2, 3, 5, 8, 12, 20)
TIMES = (0.5, 1, 2, 4)  # as many topics, or workers, as there are
COLUMNS = (
    "varied", "number", "votes", "width", "best", "difference", "from_topics", "from_workers",
    "from_votes",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PlannedFrom:
    """A fitted study (mixed.py) from which a plan starts.

    items: items of a topic. merits: of its systems, which a new study is assumed to share.
    """

    components: Components
    tie_parameter: float
    merits: Sequence[float]
    topics: int
    workers: int
    responses: int
    items: float
    votes_per_item: float

    @property
    def plan(self) -> StudyPlan:
        """The study as it was, its votes spread evenly over all pairs of a topic."""
        return self.with_votes(self.votes_per_item)

    def with_votes(self, votes_per_item: float) -> StudyPlan:
        """Return the same study with this number of votes on each of its items."""
        systems = len(self.merits)
        of_each = max(1, round(self.responses / (self.topics * systems)))
        n = systems * of_each
        return StudyPlan(
            systems=systems,
            topics=self.topics,
            responses_per_system=of_each,
            votes_per_pair=votes_per_item * self.items / (n * (n - 1) / 2),
            workers=self.workers,
        )


def plan_votes(
    start: PlannedFrom,
    *,
    votes_per_item: Sequence[float] = VOTES_PER_ITEM,
    times: Sequence[float] = TIMES,
    power: float = 0.8,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return one row a plan, columns as COLUMNS: the study with one `number` varied.

    votes: in all; width: of the interval of a difference of two systems, in logits; best: the
    probability that the best system is ranked first; difference: detectable with this power;
    from_...: the shares of topics, workers and single votes in the error's variance.
    Raises BadSetting.
    """
    base_plan = start.plan
    plans = [("votes per item", float(v), start.with_votes(v)) for v in votes_per_item]
    for name in ("topics", "workers"):
        numbers = dict.fromkeys(
            max(2, round(getattr(base_plan, name) * factor)) for factor in times
        )
        plans += [(name, float(n), _with(base_plan, name, n)) for n in numbers]
    rows = []
    for varied, number, plan in plans:
        result = expected(
            plan,
            start.components,
            tie_parameter=start.tie_parameter,
            power=power,
            confidence=confidence,
        )
        rows.append([varied, number, *_row(result, start.merits)])
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _with(plan: StudyPlan, name: str, number: int) -> StudyPlan:
    """Return the varied plan; more workers share the same votes, more topics add votes."""
    return replace(plan, **{name: number})


def _row(found: PlanResult, merits: Sequence[float]) -> list[float]:
    parts = (found.from_topics, found.from_workers, found.from_votes)
    shares = [part / sum(parts) for part in parts]
    best = found.chance_of_best(merits)
    return [round(found.votes), found.width, best, found.detectable, *shares]
