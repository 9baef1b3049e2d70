"""Agreement in two parts of the votes on the same items, and the difference between the parts."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import (
    AlphaResult,
    Level,
    alpha_of,
    krippendorff_alpha,
    option_positions,
)
from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import Bootstrap, coincidences, percentile_interval, portions
from analysis.stats.votes import Votes


@dataclass(frozen=True, kw_only=True)
class PartsResult:
    """Alpha of the first part, of the second, and of their votes taken together.

    Only items with two votes in each part count: the same items in all three. difference: first
    minus second, with the interval low to high over items, which are drawn with the votes of both
    parts at once. A difference is doubtful only where the interval leaves out 0.
    """

    first_name: str
    second_name: str
    first: AlphaResult
    second: AlphaResult
    both: AlphaResult
    difference: float
    low: float
    high: float
    items: int
    undefined_draws: int


def compare_parts(
    frame: pd.DataFrame,
    in_second: "pd.Series[bool]",
    *,
    options: Sequence[Hashable],
    names: tuple[str, str],
    level: Level,
    bootstrap: Bootstrap,
) -> PartsResult:
    """Compare the votes of a frame (item, worker, value) outside in_second with those inside.

    Raises CannotCompute (no_common_items) and what krippendorff_alpha raises.
    """
    answered = frame["value"].notna()
    frame, in_second = frame[answered], in_second[answered]
    parts = [frame[~in_second], frame[in_second]]
    often = [part.groupby("item").size() for part in parts]
    common = often[0].index[often[0] >= 2].intersection(often[1].index[often[1] >= 2])
    if not len(common):
        raise CannotCompute(
            "no_common_items",
            f"Agreement cannot be compared because no item has two votes {names[0]} and two "
            f"{names[1]}.",
        )
    frames = [part[part["item"].isin(common)] for part in (*parts, frame)]
    first, second, both = (Votes.from_frame(part, options=options) for part in frames)
    alphas = [
        krippendorff_alpha(
            votes,
            level=level,
            draws=bootstrap.draws,
            confidence=bootstrap.confidence,
            seed=bootstrap.seed,
        )
        for votes in (first, second, both)
    ]
    drawn = _differences(first.counts(), second.counts(), level, both, bootstrap)
    low, high, undefined = percentile_interval(drawn, bootstrap.confidence)
    return PartsResult(
        first_name=names[0],
        second_name=names[1],
        first=alphas[0],
        second=alphas[1],
        both=alphas[2],
        difference=alphas[0].value - alphas[1].value,
        low=low,
        high=high,
        items=len(common),
        undefined_draws=undefined,
    )


def _differences(
    first: Ints, second: Ints, level: Level, votes: Votes, bootstrap: Bootstrap
) -> Floats:
    """Return alpha of the first part minus that of the second in each bootstrap sample of items."""
    positions = option_positions(votes, level)
    N, V = first.shape
    rng = bootstrap.generator()
    flat = [coincidences(counts).reshape(N, V * V) for counts in (first, second)]
    differences = [np.empty(0)]
    for count in portions(bootstrap.draws, max(N, V * V)):
        weights = rng.multinomial(N, np.full(N, 1 / N), size=count).astype(np.float64)
        first_alpha, other = (
            alpha_of((weights @ o).reshape(count, V, V), level, positions) for o in flat
        )
        differences.append(first_alpha - other)
    return np.concatenate(differences)
