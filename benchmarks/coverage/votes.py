"""Intervals of agreement, merits, position and competence in studies of votes.

What is true is that of a study of very many topics and workers of the same world, or, for a merit,
of the same responses judged by very many workers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.agreement.corrected_agreement import Over, corrected_agreement
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import MeritsResult, fit_merits
from analysis.stats.bradley_terry.position_effect import position_effect
from analysis.stats.bradley_terry.position_errors import position_errors
from analysis.stats.design_checks import About
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.group_means import group_means
from analysis.stats.effects.order_effects import right_hand_share
from analysis.stats.effects.worker_changes import from_merits
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.mace import mace
from analysis.stats.labels.pooled_competence import pooled_competence
from analysis.stats.votes import Votes
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study, World, draw, knowing_workers, vote

SIZES = ((10, 10), (10, 30), (30, 10), (30, 30), (65, 100))  # topics, workers
FEW_WORKERS = (30, 5)
STUDIES, BESIDE, FRESH = 500, 100, 40  # with the intervals offered; the former ones; fresh votes
JUDGED = 3000  # workers whose competence is estimated
TIE = 0.6
MOSTLY = 50.0  # % of studies with an interval; with fewer it counts as not offered
NOTE = (
    f"Coverage in % of intervals at 95 %, over {STUDIES} simulated studies (standard error 1), the "
    f"former intervals over {BESIDE} (2 to 5). Offered is what is promised to lie between 93 and "
    "97 %."
)
Ends = tuple[float, float]


@dataclass(frozen=True)
class Truth:
    """True values: alpha of all and of competent workers, mean merit, and both side effects."""

    alpha: float
    competent: float
    mean: float
    position: float
    share: float


def rows(studies: int) -> Iterator[Row]:
    for topics, workers in (*SIZES, FEW_WORKERS):
        yield from of_size(topics, workers, studies)
    for workers in (10, 30, 100):
        yield of_competence(workers, judged=JUDGED * studies // STUDIES)


def of_size(topics: int, workers: int, studies: int) -> Iterator[Row]:
    """Yield the rows of studies with so many topics and workers."""
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers)
    truth = true_values(world, rng)
    tally = Tally()
    for number in range(studies):
        study = draw(world, rng)
        few = number < studies * BESIDE / STUDIES
        tally.add(covers(study, truth, former=few))
        if number < FRESH:
            tally.add(covers_merits(study, world, rng))
    for offered, former in FORMER.items():
        if tally.offered(offered) < MOSTLY:
            continue  # not offered for so few
        beside = ", ".join(f"{name} {tally.share(name):.0f}" for name in former)
        size = f"{topics} topics, {workers} workers"
        yield coverage_row(offered, size, tally.share(offered), remark=beside)


# what is offered, and the intervals that it stands beside
FORMER: Mapping[str, tuple[str, ...]] = {
    "alpha, items and workers": ("over items", "over workers"),
    "alpha, topics and workers": (),
    "alpha of the competent, cross-fitted, items and workers": ("of the competent over items",),
    "mean of a system, topics and workers": ("over topics",),
    "effect of position, workers": ("sandwich",),
    "share of the right-hand side, workers": ("bootstrap of workers",),
    "merits in a topic, workers": ("over votes",),
}


def true_values(world: World, rng: np.random.Generator) -> Truth:
    """Those of 3,000 topics, with sixteen items a worker."""
    items = world.responses * (world.responses - 1) // 2
    study = draw(replace(world, topics=3000, workers=3000 * items * world.votes // 16), rng)
    comparisons, result = fitted(study)
    merits = centred(result)[np.asarray(study.system[np.array(comparisons.responses)]) == 1]
    return Truth(
        alpha=krippendorff_alpha(study.all_votes(), draws=0).value,
        competent=competent(study, over="items", draws=0)[0],
        mean=float(merits.mean()),
        position=float(position_effect(comparisons, tie_parameter=TIE).effect[0]),
        share=right_hand_share(study.sides()).share,
    )


def competent(study: Study, *, over: Over, draws: int = 300) -> tuple[float, float, float]:
    """Alpha of the votes whose workers are trusted because of other items, and its interval."""
    try:
        found = corrected_agreement(study.all_votes(), null_draws=0, draws=draws, over=over)
    except CannotCompute:
        return (np.nan, np.nan, np.nan)
    alpha = found.cross_fitted.alpha
    return alpha.value, alpha.low, alpha.high


def fitted(study: Study) -> tuple[Comparisons, MeritsResult]:
    comparisons = Comparisons.from_frame(study.comparisons())
    return comparisons, fit_merits(comparisons, tie_parameter=TIE)


def centred(result: MeritsResult) -> Floats:
    """Merits, told from the mean of their topic."""
    of, sizes = result.comparisons.entry_problem, result.comparisons.sizes
    return result.merits - (np.bincount(of, weights=result.merits) / sizes)[of]


def covers(study: Study, truth: Truth, *, former: bool) -> Hits:
    """Which intervals hold the true value: 1, 0, or NaN where none is offered."""
    votes, workers = study.all_votes(), study.worker.tolist()
    topics = study.topic.tolist()
    crossed = crossed_alpha(votes), crossed_alpha(votes, together=topics)
    trusted = competent(study, over="workers and items")
    comparisons, result = fitted(study)
    effect = position_effect(comparisons, tie_parameter=TIE, clusters=workers)
    position = position_errors(comparisons, effect, workers=workers)
    groups = dict(enumerate(study.system.tolist()))
    values, changes = from_merits(result, merit_errors(result, workers=workers), groups)
    mean = crossed_means(values, changes).means.set_index("group").loc[1]
    over_items, over_topics = (for_others(alpha.low, alpha.high, alpha.about) for alpha in crossed)
    ends = {
        "alpha, items and workers": (*over_items, truth.alpha),
        "alpha, topics and workers": (*over_topics, truth.alpha),
        "alpha of the competent, cross-fitted, items and workers": (
            *trusted[1:],
            truth.competent,
        ),
        "effect of position, workers": (position.low[0], position.high[0], truth.position),
        "mean of a system, topics and workers": (
            *for_others(mean.low, mean.high, mean.about),
            truth.mean,
        ),
    }
    if former:
        items = krippendorff_alpha(votes, draws=300)
        others = krippendorff_alpha(votes, draws=300, resample="workers")
        kept = competent(study, over="items")
        means = group_means(values, draws=300)
        better = list(means.groups).index(1)
        ends |= {
            "over items": (items.low, items.high, truth.alpha),
            "over workers": (others.low, others.high, truth.alpha),
            "of the competent over items": (*kept[1:], truth.competent),
            "sandwich": (effect.low[0], effect.high[0], truth.position),
            "over topics": (means.low[better], means.high[better], truth.mean),
        }
    found = {name: holds(low, high, true) for name, (low, high, true) in ends.items()}
    return found | covers_sides(study, truth, former=former)


def for_others(low: float, high: float, about: About) -> Ends:
    """Return the interval if it is about others than these raters; few_raters.py has those."""
    return (low, high) if about == About.LIKE_THESE else (np.nan, np.nan)


def covers_sides(study: Study, truth: Truth, *, former: bool) -> Hits:
    """Return the same for the share of the right-hand side."""
    sides = study.sides()
    share = right_hand_share(sides)
    found = {"share of the right-hand side, workers": holds(share.low, share.high, truth.share)}
    if former:
        drawn = right_hand_share(sides, interval="bootstrap")
        found["bootstrap of workers"] = holds(drawn.low, drawn.high, truth.share)
    return found


def covers_merits(study: Study, world: World, rng: np.random.Generator) -> Hits:
    """Return the share of merits inside their intervals; the truth is that of 200 votes a pair."""
    parts = max(1, world.workers // world.votes)
    many = vote(replace(world, votes=200, workers=200 * parts), study.merit, rng)
    truth = centred(fitted(many)[1])
    _, result = fitted(study)
    errors = merit_errors(result, workers=study.worker.tolist())
    drawn, level = bootstrap_merits(result, draws=300), result.merits - centred(result)
    inside = (drawn.merit_low - level <= truth) & (truth <= drawn.merit_high - level)
    offered = ~np.isnan(errors.low)
    ours = (errors.low <= truth) & (truth <= errors.high)
    return {
        "merits in a topic, workers": float(ours[offered].mean()) if offered.any() else np.nan,
        "over votes": float(inside.mean()),
    }


def of_competence(workers: int, judged: int) -> Row:
    """Return the row of studies of this size, until enough workers were judged."""
    rng = np.random.default_rng(workers)
    ours, naive = [], []
    for _ in range(max(1, judged // workers)):
        knows, questions = knowing_workers(rng, workers=workers)
        frame = pooled_competence(questions).frame
        ours.append(((frame["low"] <= knows) & (knows <= frame["high"])).mean())
        low, high = naive_interval(questions[0])
        naive.append(((low <= knows) & (knows <= high)).mean())
    return coverage_row(
        "competence, seven questions",
        f"16 items each, {workers} workers",
        100 * float(np.mean(ours)),
        remark=f"of one question, from the counts of MACE {100 * np.mean(naive):.0f}",
    )


def naive_interval(votes: Votes) -> tuple[Floats, Floats]:
    """Return the interval of MACE's Beta distribution, as if the truth were known."""
    result = mace(votes, tolerance=1e-9)
    n = result.worker_votes + 1
    known = result.competence * n
    low, high = scipy.stats.beta.ppf([[0.025], [0.975]], known, n - known)
    return low, high
