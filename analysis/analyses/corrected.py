"""How far do competent workers agree, without the circle of measuring by one's own measure?"""

from collections.abc import Hashable, Sequence

import pandas as pd

from analysis.analyses.agreement import votes_of
from analysis.inputs.asked import Asked, Tables, table_of
from analysis.stats.agreement.corrected_agreement import KeptAgreement, corrected_agreement
from analysis.stats.agreement.keeping import KeepRule

COLUMNS = (
    "votes_kept", "value", "low", "high", "null_mean", "null_lowest", "null_highest",
    "null_draws", "share_votes", "share_workers", "few_items", "items",
)  # fmt: skip


def corrected(asked: Asked) -> Tables:
    """Alpha of all votes; of kept votes cross-fitted, and in sample, each beside its null.

    Competence is learned from all votes, agreement is that of the counted ones.
    """
    frame = asked.frame
    votes = votes_of(frame, asked.options)
    found = corrected_agreement(
        votes,
        judged=votes_of(frame[frame["counted"]], asked.options),
        together=together(frame, votes.items),
        rule=KeepRule(**asked.parameters.get("keep", {})),
        level=asked.level,
        null_draws=int(asked.parameters.get("null_draws", 10)),
        draws=asked.draws,
        confidence=asked.confidence,
        seed=asked.seed,
    )
    every = found.plain
    rows = [
        ["all", every.value, every.low, every.high, None, None, None, 0, 1.0, 1.0, 0, every.items],
        _row("cross-fitted", found.cross_fitted),
        _row("in sample", found.in_sample),
    ]
    return {"corrected": table_of(COLUMNS, rows)}


def together(frame: pd.DataFrame, items: Sequence[Hashable]) -> list[Hashable]:
    """What shares a fold, for each of the items: both directions of a pair, else each for itself.

    Whoever judged x|y and whoever judged y|x have read the same two texts.
    """
    first = frame.drop_duplicates("item").set_index("item")
    pairs = {
        item: (min(a, b), max(a, b)) if a and b else item
        for item, a, b in zip(first.index, first["a"], first["b"], strict=True)
    }
    return [pairs[item] for item in items]


def _row(name: str, kept: KeptAgreement) -> list[object]:
    null = kept.null
    return [
        name,
        kept.alpha.value,
        kept.alpha.low,
        kept.alpha.high,
        null.mean,
        null.lowest,
        null.highest,
        null.draws - null.undefined_draws,
        kept.share_votes,
        kept.share_workers,
        kept.few_items,
        kept.items,
    ]
