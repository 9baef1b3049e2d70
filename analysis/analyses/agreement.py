"""Agreement of the workers who judged the same item."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_votes
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import HIDDEN, RESAMPLED, Column
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.stats.agreement.alpha import AgreementResult, krippendorff_alpha, percent_agreement
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.agreement.fleiss import fleiss_kappa, gwet_ac1
from analysis.stats.agreement.kappa import cohen_kappa
from analysis.stats.design_checks import (
    ALL_ALIKE,
    LEAST_UNITS,
    MOST_UNDEFINED,
    PERFECT,
    About,
    about_raters,
    few_clusters,
)
from analysis.stats.design_checks import undefined as unsaid
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

COLUMNS = (
    "measure", "level", "value", "low", "high", "items", "votes", "resampled", "draws",
    "confidence", "about",
)  # fmt: skip
KAPPAS: tuple[tuple[str, Callable[..., AgreementResult]], ...] = (
    ("Fleiss' kappa", fleiss_kappa),
    ("Gwet's AC1", gwet_ac1),
    ("Cohen's kappa, mean over pairs of workers", cohen_kappa),
)
BOTH, TOPICS = "workers and items", "topics"  # resampled: the intervals to report
KAPPA_DRAWS = 200  # over workers, and of pairs of workers: each counts all votes again


def votes_of(frame: pd.DataFrame, measure: Measure) -> Votes:
    """Return the votes of a measure; options are numbers where the level is interval.

    The options of a range are the chosen numbers in ascending order.
    """
    if not measure.options:
        numbers = frame[["item", "worker"]].assign(value=frame["score"])
        return Votes.from_frame(numbers, options=sorted(set(frame["score"])))
    votes = Votes.from_frame(frame[["item", "worker", "value"]], options=measure.labels)
    scores = tuple(option.score for option in measure.options)
    return votes if measure.level != "interval" else replace(votes, options=scores)


def agreement(data: AnalysisInput) -> Tables:
    """Return alpha, percent agreement and the kappas, each with its intervals.

    Alpha has an interval over workers and items at once, with few workers over topics; all have
    bootstraps over items and over workers alone. The table `undefined` gives the reason for a
    missing kappa or interval. Raises CannotCompute without an alpha.
    """
    votes, scale = votes_of(data.counted, data.measure), data.measure.level
    measures: list[tuple[str, str, Callable[..., AgreementResult]]] = [
        ("alpha", scale, partial(krippendorff_alpha, level=scale))
    ]
    if data.options:  # two numbers on a range are never quite the same
        measures += [
            ("percent agreement", "", percent_agreement),
            *((name, "nominal", function) for name, function in KAPPAS),
        ]
    rows: list[list[Any]] = []
    undefined: list[list[str]] = []
    if not data.as_published:
        row, why = _headline(votes, data)
        rows.append(row)
        undefined += [["alpha", row[COLUMNS.index("resampled")], why]] * bool(why)
    few_workers = _few_workers(data)
    undefined += [["", "workers", few_workers]] * bool(few_workers)
    for resample in ("items", "workers"):
        for measure, level, function in measures:
            few = function is cohen_kappa or (
                resample == "workers" and (measure, function) in KAPPAS
            )
            draws = min(data.draws, KAPPA_DRAWS) if few else data.draws
            try:
                result = function(
                    votes, draws=draws, confidence=data.confidence, seed=data.seed,
                    resample=resample,
                )  # fmt: skip
            except CannotCompute as reason:
                if level != "nominal" or measure == "alpha":
                    raise
                undefined.append([measure, resample, str(reason)])
                continue
            numbers, hides = numbers_of(result), data.sequential  # these are of one look
            if few_workers and resample == "workers":
                hides = True
            elif not data.as_published:
                doubt, is_missing = _doubt(measure, result)
                undefined += [[measure, resample, doubt]] * bool(doubt)
                hides = hides or is_missing
            if hides:
                numbers[1:3] = [None, None]
            rows.append([measure, level, *numbers, resample, draws, result.confidence, ""])
    return {
        "agreement": table_of(COLUMNS, rows),
        "undefined": table_of(("measure", "resampled", "reason"), undefined),
    }


def _few_workers(data: AnalysisInput) -> str:
    """Return why no interval is about other workers, whatever the measure."""
    raters = int(data.counted["worker"].nunique())
    if data.as_published or about_raters(raters) is not About.THESE:
        return ""
    return few_clusters("agreement over workers", units=LEAST_UNITS, workers=raters)


def _doubt(measure: str, result: AgreementResult) -> tuple[str, bool]:
    """Return why an interval over items or workers alone is in doubt, and whether it is missing."""
    has_few_draws = result.undefined_draws > MOST_UNDEFINED * result.draws
    if result.value > PERFECT and not has_few_draws:
        return ALL_ALIKE.format(measure), True
    doubt = unsaid(measure, undefined_draws=result.undefined_draws, draws=result.draws)
    return doubt, has_few_draws


def _headline(votes: Votes, data: AnalysisInput) -> tuple[list[Any], str]:
    """Return alpha with the interval to report, and why it has none.

    It is over workers and items; with few workers over topics, since the items of a topic share
    their texts, which such an interval does not cover.
    """
    frame = data.counted
    about = about_raters(frame["worker"].nunique())
    result = crossed_alpha(
        votes,
        together=(
            together(frame, votes.items)
            if about is About.LIKE_THESE
            else topics_of(frame, votes.items)
        ),
        level=data.measure.level,
        confidence=data.confidence,
        about=about,
        sequential=data.sequential,
    )
    numbers = [result.value, result.low, result.high, result.items, result.votes]
    over = BOTH if about is About.LIKE_THESE else TOPICS
    return ["alpha", result.level, *numbers, over, 0, result.confidence, about], result.why


def topics_of(frame: pd.DataFrame, items: Sequence[Hashable]) -> list[Hashable]:
    """Return the topic of each item."""
    first = frame.drop_duplicates("item")
    topics = dict(zip(first["item"].tolist(), first["topic"].tolist(), strict=True))
    return [topics[item] for item in items]


def together(frame: pd.DataFrame, items: Sequence[Hashable]) -> list[Hashable]:
    """Return one key for both directions of a pair, which are drawn as one item."""
    first = frame.drop_duplicates("item")
    columns = (first[name].tolist() for name in ("item", "a", "b"))
    pairs = {
        item: (min(a, b), max(a, b)) if a and b else item
        for item, a, b in zip(*columns, strict=True)
    }
    return [pairs[item] for item in items]


def numbers_of(result: AgreementResult) -> list[float | int | None]:
    return [result.value, result.low, result.high, result.items, result.votes]


ANALYSIS = Analysis(
    name="agreement",
    title="Agreement",
    answers="How much do participants agree on the same item?",
    assumes="Participants answer independently.",
    reads=Reads.VOTES,
    applies=to_votes,
    function=agreement,
    sequential=("agreement",),
    columns={
        "resampled": Column(meaning=RESAMPLED),
        "level": HIDDEN,
        "confidence": HIDDEN,
    },
)
