"""Competence, corrected agreement and the mixed model of fewer than ten raters.

Teams are those of few_raters.py, in worlds that are harder than a balanced one. What is true is
what the same team reaches over very many topics. Competence is offered for these raters; the other
two are not, and their rows show how an interval over topics would do.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from analysis.stats.agreement.corrected_agreement import corrected_agreement
from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.mixed import MixedResult, fit_mixed
from analysis.stats.bradley_terry.mixed_newton import ModelDesign, mode
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.crossed_errors import error_over_units
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.pooled_competence import pooled_competence
from benchmarks.coverage.few_raters import OTHER, SKEWED, TEAMS, WORLDS, draw_study, draw_team
from benchmarks.coverage.intervals import Tally, coverage_row
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES = 500
SIZES = ((3, 12), (8, 12), (5, 24))  # raters, topics
MOST_RATERS = max(raters for raters, _ in SIZES)
FEWER = 25  # a part of the studies is drawn where an interval is not offered
OUTCOMES = {1: 1, 0: 0, -1: -1}
Ends = tuple[Floats, Floats]
COMPETENCE = "competence of a rater, for these raters"
CORRECTED = "cross-fitted corrected agreement over topics (not offered)"
MIXED = "difference by the mixed model over topics (not offered)"
NOTE = (
    f"Coverage in % of intervals at 95 % for the raters who judged, on other topics, over {STUDIES}"
    f" simulated studies of {TEAMS} teams (standard error 1), {STUDIES // FEWER} where an interval "
    "is not offered (5)."
)


def rows(studies: int) -> Iterator[Row]:
    for name, worlds, sizes, part, large, truth_of, ends_of in MEASURED:
        for world, (raters, topics) in product(worlds, sizes):
            tally, rng = Tally(), np.random.default_rng(1000 * raters + topics)
            for _ in range(TEAMS):
                team = draw_team(world, raters, rng)
                truth = _known(truth_of, draw_study(world, team, large, rng))
                for _ in range(max(1, studies // TEAMS // part)):
                    tally.add({name: _held(draw_study(world, team, topics, rng), truth, ends_of)})
            bounds = {} if part == 1 else {"least": None, "most": None}
            remark = f"an interval in {tally.offered(name):.0f} % of studies"
            size = f"{world}: {raters} raters, {topics} topics"
            yield coverage_row(name, size, tally.share(name), remark=remark, **bounds)


def _known(truth_of: Callable[[Study], Floats], study: Study) -> Floats:
    try:
        return truth_of(study)
    except CannotCompute:  # no rater of the team is competent by the rule
        return np.array(np.nan)


def _held(study: Study, truth: Floats, ends_of: Callable[[Study], Ends]) -> float:
    """Return the share of intervals that hold what is true, NaN without any."""
    try:
        low, high = (np.atleast_1d(end) for end in ends_of(study))
    except CannotCompute:
        return float("nan")
    offered = ~np.isnan(low) & ~np.isnan(truth)
    if not offered.any():
        return float("nan")
    return float(((low <= truth) & (truth <= high))[offered].mean())


def _competence(study: Study) -> pd.DataFrame:
    topics = dict(enumerate(study.topic.tolist()))
    frame = pooled_competence([study.all_votes()], topics=topics).frame
    return frame.set_index("worker")


def _true_competence(study: Study) -> Floats:
    frame = pooled_competence([study.all_votes()]).frame.set_index("worker")
    return frame["unshrunk"].clip(0, 1).reindex(range(MOST_RATERS)).to_numpy()


def _ends_of_competence(study: Study) -> Ends:
    frame = _competence(study).reindex(range(MOST_RATERS))
    return frame["low"].to_numpy(), frame["high"].to_numpy()


def _corrected(study: Study) -> float:
    result = corrected_agreement(
        study.all_votes(), together=study.topic.tolist(), null_draws=0, draws=0
    )
    return result.cross_fitted.alpha.value


def _true_corrected(study: Study) -> Floats:
    return np.array(_corrected(study))


def _ends_of_corrected(study: Study) -> Ends:
    value = _corrected(study)
    rest = [_corrected(_without(study, topic)) for topic in np.unique(study.topic)]
    return error_over_units(np.array(rest) - value).interval(np.array(value), 0.95)


def _without(study: Study, topic: int) -> Study:
    kept = study.topic != topic
    voted = kept[study.item]
    return replace(
        study,
        a=study.a[kept],
        b=study.b[kept],
        topic=study.topic[kept],
        item=(np.cumsum(kept) - 1)[study.item[voted]],
        worker=study.worker[voted],
        value=study.value[voted],
        left=study.left[voted],
    )


def _mixed_votes(study: Study) -> MixedVotes:
    frame = study.comparisons().rename(columns={"problem": "topic"})
    frame["outcome"] = frame["outcome"].map({"a": 1, "tie": 0, "b": -1})
    systems = {f"system_{side}": study.system[frame[side]] for side in "ab"}
    return MixedVotes.from_frame(frame.assign(left="a", **systems), outcomes=OUTCOMES)


def _gap(merit: Floats) -> float:
    return float(merit[1] - merit[0])


def _true_gap(study: Study) -> Floats:
    return np.array(_gap(fit_mixed(_mixed_votes(study)).systems_merit))


def _ends_of_mixed(study: Study) -> Ends:
    """Return the ends by a jackknife over topics at the fitted components."""
    votes = _mixed_votes(study)
    fit = fit_mixed(votes)
    gap, numbers = _gap(fit.systems_merit), np.arange(len(votes.topics))
    rest = [_gap_at(votes.of_topics(np.delete(numbers, k)), fit) for k in numbers]
    return error_over_units(np.array(rest) - gap).interval(np.array(gap), 0.95)


def _gap_at(votes: MixedVotes, fit: MixedResult) -> float:
    design, G = ModelDesign.of(votes), len(votes.systems)
    effects, _, _ = mode(design, design.start(), design.precision(fit.components))
    return _gap((np.eye(G)[:, 1:] - 1 / G) @ effects.fixed[: G - 1])


HARD = (SKEWED, OTHER)
MEASURED = (  # with worlds, sizes, the part of the studies that is drawn, topics of what is true
    (COMPETENCE, WORLDS[1:], SIZES, 1, 2500, _true_competence, _ends_of_competence),
    (CORRECTED, HARD, SIZES[:2], FEWER, 500, _true_corrected, _ends_of_corrected),
    (MIXED, HARD, SIZES[:2], FEWER, 200, _true_gap, _ends_of_mixed),
)
