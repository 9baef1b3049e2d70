"""Savings by fewer votes an item, and how often the majority stays."""

from typing import Any

from analysis.analyses.agreement import votes_of
from analysis.analyses.conditions import to_options
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.effects.cost import saving
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes
from annotation.texts.sentences import marked

SAVINGS = ("votes_per_item", "share_saved", "kept", "low", "high", "items", "votes")
MOST_WAYS = 5_000  # of drawing votes from an item; more take minutes


def savings(data: AnalysisInput) -> Tables:
    """Return the share of votes saved by 1, 2, ... votes an item, and how often the majority stays.

    The share of votes is that of money, since every vote costs the same.
    """
    votes = votes_of(data.counted, data.measure)
    counts = votes.counts()
    # A rater of a pool may have answered other questions alone: there is no item, then.
    if (counts + 1).prod(axis=1, dtype=float).max(initial=0) > MOST_WAYS:
        raise CannotCompute(
            "too_many_votes",
            "The effect of fewer votes cannot be computed because items have too many votes "
            "and options to enumerate all samples.",
        )
    most = int(counts.sum(axis=1).max(initial=0))
    rows = [_saved(votes, fewer, data) for fewer in range(1, max(2, most))]
    return {"savings": table_of(SAVINGS, rows)}


def _saved(votes: Votes, fewer: int, data: AnalysisInput) -> list[Any]:
    result = saving(
        votes,
        fewer=fewer,
        price=1.0,
        draws=data.draws,
        confidence=data.confidence,
        seed=data.seed,
    )
    return [fewer, result.share, result.kept, result.low, result.high, result.n, result.votes]


ANALYSIS = Analysis(
    name="savings",
    title="Fewer votes per item",
    answers="What would fewer votes save, and how often would the majority stay the same?",
    assumes="Votes on an item are exchangeable and cost the same.",
    reads=Reads.VOTES,
    applies=to_options,
    function=savings,
    columns={
        "votes_per_item": COUNT,
        "share_saved": Column("Savings", NumberFormat.SHARE,
                              marked("share of votes saved")),
        "kept": Column("Same majority", NumberFormat.SHARE,
                       marked("share of items with the same majority as with all votes"), INTERVAL),
    },
)  # fmt: skip
