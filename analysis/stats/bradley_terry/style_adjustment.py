"""Differences of systems at equal style, by the mixed model with measures of the texts.

As "style control" of arenas (Li, Angelopoulos and Chiang 2024), with effects of topics, texts and
workers: the merit of a response (mixed.py) gets the term beta' x, x its measures of style. Each
measure enters as its difference between the two texts of a pair, divided by the standard deviation
of these differences, so beta is the effect of one standard deviation. The adjusted merit of a
system is what remains.

Where systems differ in style far more than texts of one system do, votes cannot tell the two
apart. The variance of a difference of systems grows by the inflation (Fox and Monette 1992)

    v = [c' (X' M X)^-1 c] / [c' (X' X)^-1 c],   M = I - S (S' S)^-1 S',

X the systems of the different pairs, S their differences in style, c a contrast of two systems. An
adjusted difference is refused where v is above MOST_INFLATION, or where in all pairs of two systems
the same one has more of a measure, so that no pair shows them at equal style.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats
from analysis.stats.bradley_terry.mixed import MixedResult, fit_effects, fit_mixed
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.errors import CannotCompute

MOST_INFLATION = 5.0
LEAST_PAIRS = 10  # different pairs of texts that a measure of style takes
LEAST_SPREAD = 1e-9
LEAST_OWN = 1e-3  # of the spread of a measure: what those before it do not explain


@dataclass(frozen=True, eq=False, kw_only=True)
class StyleAdjustment:
    """The model without and with measures of style.

    measures: the names of those that vary, and are no sum of others; spread (K,): standard
    deviation of their differences in a pair. inflation: of each two systems.
    """

    plain: MixedResult
    adjusted: MixedResult
    measures: tuple[str, ...]
    spread: Floats
    inflation: Mapping[tuple[Hashable, Hashable], float]


def adjust_for_style(
    votes: MixedVotes,
    style: pd.DataFrame,
    *,
    components: Components | None = None,
    confidence: float = 0.95,
) -> StyleAdjustment:
    """Fit the model without and with style, a frame by response with one column a measure.

    components: of the model without style, if it was fitted to these votes before.
    Raises CannotCompute (style_unknown, style_alike, style_confounded) and what fit_mixed raises.
    """
    style_votes = check_style(votes, style)
    if components is None:
        plain = fit_mixed(votes, confidence=confidence)
    else:
        plain = fit_effects(votes, components, confidence=confidence)
    return StyleAdjustment(
        plain=plain,
        adjusted=fit_mixed(style_votes.votes, start=plain.components, confidence=confidence),
        measures=style_votes.measures,
        spread=style_votes.spread,
        inflation=style_votes.inflation,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class StyleVotes:
    """Votes with the measures of style that vary; the other fields as in StyleAdjustment."""

    votes: MixedVotes
    measures: tuple[str, ...]
    spread: Floats
    inflation: Mapping[tuple[Hashable, Hashable], float]


def check_style(votes: MixedVotes, style: pd.DataFrame) -> StyleVotes:
    """Return the votes with their style.

    Raises CannotCompute (style_unknown, style_alike, style_confounded).
    """
    measures, spread, scaled = _scaled(votes, style)
    with_style = replace(votes, style=scaled)
    inflation = inflations(with_style)
    if reason := _entangled(with_style, measures, inflation):
        raise CannotCompute(
            "style_confounded", f"Systems cannot be compared at equal style because {reason}."
        )
    return StyleVotes(votes=with_style, measures=measures, spread=spread, inflation=inflation)


def _scaled(votes: MixedVotes, style: pd.DataFrame) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return the measures that vary, their spread in pairs, and their scaled values (R, K)."""
    values = style.reindex(list(votes.responses)).to_numpy(dtype=np.float64)
    if np.isnan(values).any():
        missing = int(np.isnan(values).any(axis=1).sum())
        raise CannotCompute(
            "style_unknown",
            "Systems cannot be compared at equal style because the style of "
            f"{missing:,} of {len(values):,} texts is unknown.",
        )
    pairs = _pairs(votes)
    apart = values[pairs[:, 0]] - values[pairs[:, 1]]
    spread = np.sqrt((apart**2).mean(axis=0))  # about 0: neither text of a pair comes first
    varies = _varying(apart, spread)
    if not varies.any() or len(pairs) < LEAST_PAIRS * varies.sum():
        raise CannotCompute(
            "style_alike",
            "Systems cannot be compared at equal style because "
            + (
                f"each measure of style needs {LEAST_PAIRS} different pairs"
                if varies.any()
                else "the texts of each pair have the same style"
            )
            + ".",
        )
    names = tuple(str(name) for name, used in zip(style.columns, varies, strict=True) if used)
    return names, spread[varies], np.asarray(values[:, varies] / spread[varies])


def _varying(apart: Floats, spread: Floats) -> Flags:
    """Return the measures (K,) that differ within pairs, and are no sum of those before them."""
    varies = spread > LEAST_SPREAD
    for k in np.flatnonzero(varies):
        before = apart[:, :k][:, varies[:k]]
        rest = apart[:, k] - before @ np.linalg.lstsq(before, apart[:, k], rcond=None)[0]
        varies[k] = np.sqrt((rest**2).mean()) > LEAST_OWN * spread[k]
    return np.asarray(varies)


def _pairs(votes: MixedVotes) -> np.ndarray:
    """Return the different pairs of responses: (P, 2)."""
    return np.unique(np.sort(np.column_stack([votes.a, votes.b]), axis=1), axis=0)


def inflations(votes: MixedVotes) -> dict[tuple[Hashable, Hashable], float]:
    """Return the inflation of the variance of each difference of systems by style."""
    assert votes.style is not None
    pairs, G = _pairs(votes), len(votes.systems)
    identity = np.eye(G)
    X = (identity[votes.system[pairs[:, 0]]] - identity[votes.system[pairs[:, 1]]])[:, 1:]
    S = votes.style[pairs[:, 0]] - votes.style[pairs[:, 1]]
    rest = X - S @ np.linalg.lstsq(S, X, rcond=None)[0]
    plain, adjusted = np.linalg.pinv(X.T @ X), np.linalg.pinv(rest.T @ rest)
    lost = np.linalg.matrix_rank(rest, tol=1e-8 * len(pairs)) < G - 1
    ratios = {}
    for i, j in combinations(range(G), 2):
        c = (identity[i] - identity[j])[1:]
        ratios[votes.systems[i], votes.systems[j]] = (
            float("inf") if lost else float((c @ adjusted @ c) / (c @ plain @ c))
        )
    return ratios


def _entangled(
    votes: MixedVotes,
    measures: Sequence[str],
    inflation: Mapping[tuple[Hashable, Hashable], float],
) -> str:
    """Return why style and system are confounded; "" where they are not."""
    if reason := _one_sided(votes, measures):
        return reason
    worst = max(inflation, key=lambda pair: inflation[pair])
    if inflation[worst] <= MOST_INFLATION:
        return ""
    return (
        f"{worst[0]} and {worst[1]} nearly always differ in style in the same way: adjusting for "
        f"style multiplies the variance of their difference by {inflation[worst]:.1f} (limit "
        f"{MOST_INFLATION:g})"
    )


def _one_sided(votes: MixedVotes, measures: Sequence[str]) -> str:
    """Return two systems of which one has more of a measure in all pairs."""
    assert votes.style is not None
    pairs = _pairs(votes)
    systems = votes.system[pairs]
    apart = votes.style[pairs[:, 0]] - votes.style[pairs[:, 1]]
    for i, j in combinations(range(len(votes.systems)), 2):
        turned = (systems[:, 0] == j) & (systems[:, 1] == i)
        between = ((systems[:, 0] == i) & (systems[:, 1] == j)) | turned
        if not between.any():
            continue
        more = np.where(turned[between, None], -1, 1) * apart[between]
        for k, name in enumerate(measures):
            if (more[:, k] > 0).all() or (more[:, k] < 0).all():
                first, other = (i, j) if more[0, k] > 0 else (j, i)
                return (
                    f"{votes.systems[first]} has more {name} than {votes.systems[other]} in all "
                    f"{len(more):,} pairs of texts"
                )
    return ""
