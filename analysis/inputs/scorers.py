"""Scorers: the analysis and its table that score the units of a measure. Only reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.inputs.choices import choices_of
from analysis.inputs.measures import Does, Measure
from analysis.inputs.summaries import is_part_of_pair, of_summaries


@dataclass(frozen=True)
class Scorer:
    """The table of an analysis that has scores, and its columns for unit, value and so on.

    `name` is the name of such a score, `said` its description; a unit of `item` is that item, or
    its only content. `shared`: whether it means the same in every topic, unlike a rank. `possible`:
    the limits of scores, where they are known.
    """

    method: str
    name: str
    said: str
    analysis: str
    table: str
    unit: str
    value: str
    low: str
    high: str
    n: str
    shared: bool = True
    possible: tuple[float, float] | None = None

    @property
    def renamed(self) -> dict[str, str]:
        names = ("unit", "value", "low", "high", "n")
        return {getattr(self, name): name for name in names}


# Of several methods a run takes the one that its parameter `score` names. Else responses have the
# first, and groups are compared by the first that all topics share.
SCORERS = {
    Does.COMPARES: (
        Scorer(
            "Bradley-Terry grades", "grade",
            "a grade ranks the responses of a topic, the highest is best",
            "grades", "grades",
            "response", "grade", "grade_low", "grade_high", "compared", shared=False,
        ),
        Scorer(
            "Bradley-Terry merits", "strength",
            "differences are logits of being preferred",
            "grades", "grades",
            "response", "merit", "merit_low", "merit_high", "compared",
        ),
    ),
    Does.CHOOSES: (
        Scorer(
            "best-worst counts", "best-worst score",
            "share of votes as best minus share as worst",
            "best_worst", "best_worst",
            "unit", "score", "low", "high", "shown", possible=(-1.0, 1.0),
        ),
        Scorer(
            "Plackett-Luce", "strength",
            "differences are logits of being preferred",
            "best_worst", "best_worst",
            "unit", "merit", "merit_low", "merit_high", "shown",
        ),
    ),
    Does.SCORES: (
        Scorer(
            "mean", "score", "mean of the ratings",
            "means", "means", "item", "mean", "low", "high", "n",
        ),
    ),
    Does.LABELS: (
        Scorer(
            "share of a label", "share", "share of votes for the better label",
            "shares", "shares", "item", "share", "low", "high", "n", possible=(0.0, 1.0),
        ),
    ),
}  # fmt: skip
# Of what an analysis finds from several measures together.
FOUND_BY = {
    "summaries": Scorer(
        "SGSS", "score", "structured summaries are scored by their parts",
        "summaries", "scores", "response", "value", "low", "high", "n",
    ),
}  # fmt: skip


Scoring = Callable[[Measure, Mapping[str, Any]], Scorer]


def is_scored(measure: Measure) -> bool:
    """Return whether units get a score by it, alone or together with another measure."""
    if measure.does == Does.CHOOSES:
        return bool(measure.polarity)
    if measure.does == Does.LABELS:
        return measure.is_alone and bool(measure.positive)
    if is_part_of_pair(measure):
        return True
    return measure.does == Does.COMPARES or (measure.does == Does.SCORES and measure.is_alone)


def scored_measures(measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures by which units have scores; best and worst are one together.

    Measures that follow from the parts of summaries come last.
    """
    together = {part.key: choice for choice in choices_of(measures) for part in choice.parts}
    by_key = {}
    for measure in measures:
        if not is_scored(measure) or is_part_of_pair(measure):
            continue
        scored = together[measure.key].measure if measure.key in together else measure
        by_key[scored.key] = scored
    return [*by_key.values(), *of_summaries(measures)]


def scorer_of(measure: Measure, parameters: Mapping[str, Any]) -> Scorer:
    """Return the scorer of a measure that `is_scored`, under these parameters of a run."""
    if measure.found_by:
        return FOUND_BY[measure.found_by]
    offered, wanted = SCORERS[measure.does], parameters.get("score")
    return next((scorer for scorer in offered if scorer.method == wanted), offered[0])


def comparing_scorer(measure: Measure, parameters: Mapping[str, Any]) -> Scorer:
    """Return the scorer by which groups are compared over topics."""
    offered, wanted = SCORERS[measure.does], parameters.get("score")
    if measure.found_by or wanted is None or any(scorer.method == wanted for scorer in offered):
        return scorer_of(measure, parameters)
    return next(scorer for scorer in offered if scorer.shared)
