"""How far do competent workers agree, without the circle of measuring by one's own measure?"""

from analysis.analyses.agreement import votes_of
from analysis.asked import Asked, Tables, table_of
from analysis.stats.corrected_agreement import KeptAgreement, corrected_agreement
from analysis.stats.keeping import KeepRule

COLUMNS = (
    "votes_kept", "value", "low", "high", "null_mean", "null_lowest", "null_highest",
    "null_draws", "share_votes", "share_workers", "few_items", "items",
)  # fmt: skip


def corrected(asked: Asked) -> Tables:
    """Alpha of all votes; of kept votes cross-fitted, and in sample, each beside its null."""
    frame = asked.frame[asked.frame["counted"]]
    found = corrected_agreement(
        votes_of(frame, asked.options),
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
