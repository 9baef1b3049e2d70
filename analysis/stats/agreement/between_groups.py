"""Agreement between two groups of raters, over cross pairs alone: a model against people.

Alpha of all raters together also counts how well each group agrees with itself, so that a model
that is steady and wrong seems to agree with people. Here the coincidence matrix holds cross pairs
only: each pair of a vote of the one group and a vote of the other on the same item. A pair adds
m / (2 m_1 m_2) in both orders, m = m_1 + m_2 being the votes of the groups on the item, so that
every vote counts once in the marginals, as in Krippendorff's alpha; with one vote each the two are
the same number.
"""

import numpy as np

from analysis.stats.agreement.alpha import (
    AlphaResult,
    Level,
    NothingPairable,
    OneValueOnly,
    alpha_of,
    option_positions,
)
from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import Bootstrap, percentile_interval, portions
from analysis.stats.votes import Votes

MEASURE = "Alpha between the groups"


def alpha_between(
    first: Votes, second: Votes, *, level: Level = "ordinal", bootstrap: Bootstrap | None = None
) -> AlphaResult:
    """Compute alpha over the cross pairs of two groups of raters, with an interval over items.

    Only items on which both groups have a vote count. Raises CannotCompute (different_options,
    options_not_numeric), NothingPairable, OneValueOnly.
    """
    bootstrap = bootstrap or Bootstrap()
    if tuple(first.options) != tuple(second.options):
        raise CannotCompute(
            "different_options",
            f"{MEASURE} cannot be computed because their options are different.",
        )
    positions = option_positions(first, level)
    counts = _shared(first, second)
    if not len(counts[0]):
        raise NothingPairable(MEASURE)
    used = (counts[0] + counts[1]).any(axis=0)
    if used.sum() == 1:
        raise OneValueOnly(first.options[int(np.argmax(used))], MEASURE)
    o = cross_coincidences(*counts)
    value = alpha_of(o.sum(axis=0)[None], level, positions)[0]
    drawn = np.array([])
    if bootstrap.draws:
        drawn = np.concatenate(
            [alpha_of(matrices, level, positions) for matrices in _drawn(o, bootstrap)]
        )
    low, high, undefined = percentile_interval(drawn, bootstrap.confidence)
    return AlphaResult(
        value=float(value),
        low=low,
        high=high,
        items=len(o),
        votes=int(counts[0].sum() + counts[1].sum()),
        draws=bootstrap.draws,
        undefined_draws=undefined,
        confidence=bootstrap.confidence,
        seed=bootstrap.seed,
        resample="items",
        level=level,
    )


def cross_coincidences(first: Ints, second: Ints) -> Floats:
    """Return the coincidences of each item (N, V, V) from the counts of both groups (N, V)."""
    a, b = first.astype(np.float64), second.astype(np.float64)
    m_a, m_b = a.sum(axis=1), b.sum(axis=1)
    weight = (m_a + m_b) / (2 * m_a * m_b)
    pairs = a[:, :, None] * b[:, None, :]
    return np.asarray(weight[:, None, None] * (pairs + pairs.transpose(0, 2, 1)))


def _shared(first: Votes, second: Votes) -> tuple[Ints, Ints]:
    """Return the counts of both groups on the items that both voted on, in the same order."""
    row_by_item = {item: row for row, item in enumerate(second.items)}
    pairs = [
        (row, row_by_item[item]) for row, item in enumerate(first.items) if item in row_by_item
    ]
    rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    first_counts, other = first.counts()[rows[:, 0]], second.counts()[rows[:, 1]]
    both = first_counts.any(axis=1) & other.any(axis=1)
    return first_counts[both], other[both]


def _drawn(o: Floats, bootstrap: Bootstrap) -> list[Floats]:
    """Return the summed matrices (D, V, V) of bootstrap samples of the items, in portions."""
    rng = bootstrap.generator()
    N, V = len(o), o.shape[1]
    sums = []
    for count in portions(bootstrap.draws, N):
        weights = rng.multinomial(N, np.full(N, 1 / N), size=count).astype(np.float64)
        sums.append((weights @ o.reshape(N, V * V)).reshape(count, V, V))
    return sums
