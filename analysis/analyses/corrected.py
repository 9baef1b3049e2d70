"""How far do competent workers agree, without the circle of measuring by one's own measure?"""

from collections.abc import Iterator
from typing import Any

from analysis.analyses.agreement import together, votes_of
from analysis.analyses.described import (
    COUNT,
    HIDDEN,
    Analysis,
    Column,
    Display,
    Form,
    Reads,
    to_options,
)
from analysis.inputs.asked import Asked, Tables, table_of
from analysis.pages.results.figures import Figure, estimate, figure
from analysis.pages.results.found import Found
from analysis.plots.agreement import agreement
from analysis.stats.agreement.alpha import AlphaResult
from analysis.stats.agreement.corrected_agreement import KeptAgreement, corrected_agreement
from analysis.stats.agreement.crossed_alpha import CrossedAlpha
from analysis.stats.agreement.keeping import KeepRule

COLUMNS = (
    "votes_kept", "value", "low", "high", "null_mean", "null_lowest", "null_highest",
    "null_draws", "share_votes", "share_workers", "few_items", "items",
)  # fmt: skip
# Behind them, in runs that say how votes were shuffled and what the interval is over.
BEHIND = ("null_p", "shuffled", "interval_over", "why")
# The last of all: how many of the judged items keep two votes, on which alpha rests.
N_OF_ALPHA = "alpha_items"


def corrected(asked: Asked) -> Tables:
    """Alpha of all votes; of kept votes cross-fitted, and in sample, each beside its null.

    Competence is learned from all votes, agreement is that of the counted ones. Votes are shuffled
    within workers, who keep their habits; the published pipeline shuffles them over all.
    """
    frame, published = asked.frame, asked.as_published
    votes = votes_of(frame, asked.measure)
    found = corrected_agreement(
        votes,
        judged=votes_of(asked.counted, asked.measure),
        together=together(frame, votes.items),
        rule=KeepRule(**asked.setting("keep")),
        level=asked.measure.level,
        null_draws=int(asked.setting("null_draws")),
        shuffle="all votes" if published else "within workers",
        over="items" if published else "workers and items",
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
    kept = (found.cross_fitted, found.in_sample)
    alphas = (every, *(each.alpha for each in kept))
    if published:
        rows = [[*row, alpha.items] for row, alpha in zip(rows, alphas, strict=True)]
        return {"corrected": table_of((*COLUMNS, N_OF_ALPHA), rows)}
    nulls: list[list[object]] = [[None, None]]
    nulls += [[each.null.p(each.alpha.value), each.null.shuffle] for each in kept]
    rows = [
        [*row, *null, *_interval(alpha), alpha.items]
        for row, null, alpha in zip(rows, nulls, alphas, strict=True)
    ]
    return {"corrected": table_of((*COLUMNS, *BEHIND, N_OF_ALPHA), rows)}


def _interval(alpha: AlphaResult | CrossedAlpha) -> list[object]:
    """Over what it is, and why there is none."""
    if isinstance(alpha, CrossedAlpha):
        return ["workers and items", alpha.why or None]
    return ["items", None]


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


def n_of(row: dict[str, Any]) -> str:
    """The column of n; steps of before have the judged items alone."""
    return "items" if row.get(N_OF_ALPHA) is None else N_OF_ALPHA


def figures(found: Found) -> Iterator[Figure]:
    rows = [row for row in found.records("corrected", "corrected") if row["value"] is not None]
    if rows:
        shuffled = any(row.get("shuffled") == "within workers" for row in rows)
        within = " among those of each worker" if shuffled else ""
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["votes_kept"], n=n_of(row)) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement of all and of the competent",
            caption="Krippendorff’s alpha. The hollow band is what votes shuffled at random reach"
            f"{within}: in sample it lies far above 0, which is the circle.",
        )


ANALYSIS = Analysis(
    name="corrected",
    title="Competence-corrected agreement",
    answers="How far do competent workers agree, judged by items that did not tell who is?",
    assumes="Items are exchangeable: competence on some of them says something about others.",
    reads=Reads.VOTES,
    applies=to_options,
    function=corrected,
    part="agreement",
    of_work=True,
    place=1,
    columns={
        "votes_kept": Column("Votes"),
        "null_mean": Column("Null"),
        "null_draws": HIDDEN,
        "null_p": Column("p", Form.CHANCE),
        "shuffled": HIDDEN,
        "interval_over": Column("Interval over"),
        "why": Column("No interval because"),
        "share_votes": Column("Votes kept", Form.SHARE),
        "share_workers": Column("Workers kept", Form.SHARE),
        "few_items": Column("Items under 3 votes", Form.WHOLE),
        "items": COUNT,
        N_OF_ALPHA: Column("Items with two kept votes", Form.WHOLE),
    },
    tables={
        "corrected": Display(
            "Agreement of kept votes",
            hidden=("null_draws",),
            note="Cross-fitted is the figure to report: competence comes from other items than "
            "those it is applied to. Its interval is for other workers and other items, and takes "
            "as given who is kept. In sample is circular and is here for comparison with the "
            "literature, with an interval for other items. p: how often votes shuffled among those "
            "of each worker, who keeps every habit, agree as much. The 19 draws of a run that is "
            "told nothing else say 0.050 at the least: no draw reached the value. "
            "analyse --null-draws 99 can say 0.010.",
        ),
    },
    figures=figures,
)
