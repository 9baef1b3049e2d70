"""Agreement of competent workers, cross-fitted so that competence does not prove itself."""

from analysis.analyses.agreement import together, votes_of
from analysis.analyses.conditions import to_options
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import HIDDEN, RESAMPLED, Column, NumberFormat, P
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.agreement.alpha import AlphaResult
from analysis.stats.agreement.corrected_agreement import (
    KeptAgreement,
    StartSpread,
    corrected_agreement,
)
from analysis.stats.agreement.crossed_alpha import CrossedAlpha
from analysis.stats.agreement.spam_filter import KeepRule
from annotation.texts.sentences import marked

COLUMNS = (
    "votes_kept", "value", "low", "high", "null_mean", "null_lowest", "null_highest",
    "null_draws", "share_votes", "share_workers", "few_items", "items",
)  # fmt: skip
# Behind them, in runs that say how votes were shuffled and what the interval is over.
BEHIND = ("null_p", "shuffled", "interval_over", "why")
# How many of the judged items keep two votes, on which alpha rests.
N_OF_ALPHA = "alpha_items"
# The last of all: the cross-fitted value over the starts of MACE.
OF_STARTS = ("starts", "starts_lowest", "starts_highest")
MOST_STARTS, LEAST_STARTS = 20, 3
VOTES_OF_STARTS = 100_000  # votes times starts: with 7,000 votes a start takes .03 to .3 s


def corrected(data: AnalysisInput) -> Tables:
    """Return alpha of all votes, and of kept votes cross-fitted and in sample, with nulls.

    Competence is learned from all votes, agreement is that of the counted ones. Votes are shuffled
    within workers, who keep their habits; the published pipeline shuffles them over all.
    """
    frame, published = data.frame, data.as_published
    votes = votes_of(frame, data.measure)
    result = corrected_agreement(
        votes,
        judged=votes_of(data.counted, data.measure),
        together=together(frame, votes.items),
        rule=KeepRule(**data.setting("keep")),
        level=data.measure.level,
        null_draws=int(data.setting("null_draws")),
        shuffle="all votes" if published else "within workers",
        over="items" if published else "workers and items",
        draws=data.draws,
        confidence=data.confidence,
        seed=data.seed,
        starts=0 if published else random_starts(len(votes)),
    )
    plain = result.plain
    rows = [
        ["all", plain.value, plain.low, plain.high, None, None, None, 0, 1.0, 1.0, 0, plain.items],
        _row("cross-fitted", result.cross_fitted),
        _row("in sample", result.in_sample),
    ]
    kept_parts = (result.cross_fitted, result.in_sample)
    alphas = (plain, *(kept_part.alpha for kept_part in kept_parts))
    if published:
        rows = [[*row, alpha.items] for row, alpha in zip(rows, alphas, strict=True)]
        return {"corrected": table_of((*COLUMNS, N_OF_ALPHA), rows)}
    nulls: list[list[object]] = [[None, None]]
    nulls += [
        [kept_part.null.p(kept_part.alpha.value), kept_part.null.shuffle]
        for kept_part in kept_parts
    ]
    rows = [
        [*row, *null, *_interval(alpha), alpha.items]
        for row, null, alpha in zip(rows, nulls, alphas, strict=True)
    ]
    of_starts: list[list[object]] = [[None] * len(OF_STARTS) for _ in rows]
    if (spread := result.spread) is not None:
        of_starts[1] = [len(spread.values), spread.lowest, spread.highest]
        rows[1] = _over_starts(rows[1], spread)
    rows[1:] = [
        _without_few_draws(row, kept_part.null.why)
        for row, kept_part in zip(rows[1:], kept_parts, strict=True)
    ]
    rows = [[*row, *starts] for row, starts in zip(rows, of_starts, strict=True)]
    return {"corrected": table_of((*COLUMNS, *BEHIND, N_OF_ALPHA, *OF_STARTS), rows)}


def _without_few_draws(row: list[object], why: str) -> list[object]:
    """Return the row without p and the range of the null if too few shuffles have a value."""
    if not why:
        return row
    cells = dict(zip((*COLUMNS, *BEHIND, N_OF_ALPHA), row, strict=True))
    cells |= dict.fromkeys(("null_mean", "null_lowest", "null_highest", "null_p"))
    cells["why"] = f"{cells['why']} {why}" if cells["why"] else why
    return list(cells.values())


def random_starts(votes: int) -> int:
    """Return the number of random starts, fewer where there are many votes."""
    return min(max(VOTES_OF_STARTS // max(votes, 1), LEAST_STARTS), MOST_STARTS)


def _over_starts(row: list[object], spread: StartSpread) -> list[object]:
    """Return the cross-fitted row with the interval over starts, or without a number."""
    columns = (*COLUMNS, *BEHIND, N_OF_ALPHA)
    cells = dict(zip(columns, row, strict=True))
    if spread.why:
        cells |= {"value": None, "low": None, "high": None, "null_p": None, "why": spread.why}
    elif cells["why"] is None:
        cells |= {"low": spread.low, "high": spread.high}
    return [cells[name] for name in columns]


def _interval(alpha: AlphaResult | CrossedAlpha) -> list[object]:
    """Return what the interval is over, and the reason if there is none."""
    if isinstance(alpha, CrossedAlpha):
        return ["workers and items", alpha.why or None]
    return ["items", None]


def _row(name: str, part: KeptAgreement) -> list[object]:
    null = part.null
    return [
        name,
        part.alpha.value,
        part.alpha.low,
        part.alpha.high,
        null.mean,
        null.lowest,
        null.highest,
        null.draws - null.undefined_draws,
        part.share_votes,
        part.share_workers,
        part.few_items,
        part.items,
    ]


ANALYSIS = Analysis(
    name="corrected",
    title="Competence-corrected agreement",
    answers="How much do competent participants agree?",
    assumes="Competence on some items predicts competence on others.",
    reads=Reads.VOTES,
    applies=to_options,
    function=corrected,
    of_work=True,
    columns={
        "votes_kept": Column(
            "Votes", meaning=marked("votes kept: all, or competent participants only")
        ),
        "null_mean": Column("Chance level", meaning=marked("agreement between shuffled votes"),
                            interval=("null_lowest", "null_highest")),
        "null_lowest": Column("Range of chance level"),
        "null_draws": HIDDEN,
        "null_p": P,
        "shuffled": HIDDEN,
        "interval_over": Column("Interval over", meaning=RESAMPLED),
        "share_votes": Column("Votes kept", NumberFormat.SHARE),
        "share_workers": Column("Participants kept", NumberFormat.SHARE),
        "few_items": Column("Items with fewer than 3 votes", NumberFormat.WHOLE),
        N_OF_ALPHA: Column("Items with two kept votes", NumberFormat.WHOLE,
                           marked("items used for alpha")),
        "starts": Column("Starts", NumberFormat.WHOLE,
                         marked("MACE fits from different starting values"),
                         interval=("starts_lowest", "starts_highest")),
        "starts_lowest": Column("Range over starts"),
    },
)  # fmt: skip
