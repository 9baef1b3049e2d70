"""Agreement of methods, and of imported scores, on the ranking of texts and systems.

After figures 6 and 7 and tables 37 and 39 of Popp et al.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_totals
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, TAU, Column, NumberFormat, P
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.inputs.method_scores import ANY, SYSTEM, TEXT
from analysis.inputs.scorers import is_scored
from analysis.stats.effects.method_agreement import method_agreement, signal_to_noise
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

WORK = (
    "method", "submissions", "minutes", "page_seconds", "judgments", "pay", "judgment_cost",
    "certainty_pay", "comments", "agreed", "left",
)  # fmt: skip
TOTAL = "total"
COLUMNS = ("scale", "first", "second", "tau", "low", "high", "p", "why", "units", "topics")
KEY = ["topic", "unit"]
HEAD = "scale_"  # of a scale; a method that asks about the head alone has no scale
NO_INTERVAL = (
    "Agreement on systems has no interval: the systems are not a sample, and resampling topics "
    "pulls every correlation towards 0."
)


def to_methods(measure: Measure) -> bool:
    """Return whether texts have scores by this measure."""
    return to_totals(measure) or is_scored(measure)


def methods(data: AnalysisInput) -> Tables:
    """Return tau-b for each pair of methods on every criterion, scale and total they share."""
    undefined: dict[tuple[str, str], None] = {}
    tables = {
        name: _pairs(data.frame[data.frame["by"] == by], data.confidence, undefined)
        for name, by in (("texts", TEXT), ("systems", SYSTEM))
    }
    work = _work(data)
    if not work and not any(tables.values()):
        reason = next(iter(undefined), ("", "No two methods share a criterion."))[1]
        raise CannotCompute("no_common_scores", reason)
    if tables["systems"]:
        undefined["", NO_INTERVAL] = None
    undefined |= _without_intervals(tables["texts"])
    return {
        "work": table_of(WORK, work),
        **{name: table_of(COLUMNS, rows) for name, rows in tables.items()},
        "undefined": table_of(("scale", "reason"), [[*reason] for reason in undefined]),
    }


def _pairs(
    frame: pd.DataFrame, confidence: float, undefined: dict[tuple[str, str], None]
) -> list[list[Any]]:
    """Return the rows of COLUMNS, and add to `undefined` why rows are missing."""
    scales = {
        str(method): {
            str(scale): part.drop_duplicates(KEY).set_index(KEY)["value"]
            for scale, part in of_method.groupby("scale", sort=False)
        }
        for method, of_method in frame.groupby("method", sort=False)
    }
    names = [name for name in dict.fromkeys(chain(*scales.values())) if name != ANY]
    rows = []
    for first, second in combinations(scales, 2):
        for scale, x, y in _common(scales[first], scales[second], names):
            both = pd.concat([x, y], axis=1, keys=["x", "y"]).dropna()
            try:
                agreement = method_agreement(
                    both["x"], both["y"],
                    topics=list(both.index.get_level_values("topic")), confidence=confidence,
                )  # fmt: skip
            except CannotCompute as reason:
                undefined[scale, str(reason)] = None
                continue
            ends = [agreement.tau, agreement.low, agreement.high, agreement.p]
            rows.append(
                [scale, first, second, *ends, agreement.why, agreement.units, agreement.topics]
            )
    return rows


def _without_intervals(rows: Sequence[list[Any]]) -> dict[tuple[str, str], None]:
    """Return (scale, reason) of tau-b without an interval; one for all if none has an interval."""
    scale, why, topics = (COLUMNS.index(name) for name in ("scale", "why", "topics"))
    lacking = [row for row in rows if row[why]]
    if lacking and len(lacking) == len(rows):
        return {("", max(lacking, key=lambda row: row[topics])[why]): None}
    return {(row[scale], row[why]): None for row in lacking}


def _work(data: AnalysisInput) -> list[list[Any]]:
    """Return the rows of WORK, one a method."""
    rows = []
    records = [] if data.method_work is None else data.method_work.to_dict("records")
    for of in records:
        pay, (agreed, left) = float(of["pay"]), data.arms_left.get(of["method"], (None, None))
        took = [of["submissions"], of["minutes"] / of["submissions"], of["page_seconds"]]
        paid = [
            of["judgments"],
            pay,
            pay / of["judgments"],
            _certainty_pay(of["method"], pay, data),
        ]
        rows.append([of["method"], *took, *paid, of["comments"], agreed, left])
    return rows


def _certainty_pay(method: str, pay: float, data: AnalysisInput) -> float | None:
    """Return the pay for a signal-to-noise ratio of 1 in the totals of texts; None if unknown."""
    frame = data.frame
    if not {"low", "high"} <= set(frame.columns):
        return None
    rows = frame[
        (frame["method"] == method) & (frame["by"] == TEXT) & (frame["scale"] == TOTAL)
    ].dropna(subset=["value", "low", "high"])
    ratio = signal_to_noise(
        rows["value"].astype(float),
        (rows["high"].astype(float) - rows["low"].astype(float)) / 2,
        topics=list(rows["topic"]),
        confidence=data.confidence,
    )
    return pay / ratio if ratio > 0 else None


Scales = dict[str, "pd.Series[float]"]


def _common(
    first: Scales, second: Scales, names: Iterable[str]
) -> Iterator[tuple[str, "pd.Series[float]", "pd.Series[float]"]]:
    """Yield each scale that two methods share, with the scores of both."""
    if ANY in first and ANY in second:
        return  # both are imported scores
    for scale in names:
        x, y = _scores(first, scale), _scores(second, scale)
        if x is not None and y is not None:
            yield scale, x, y


def _scores(scales: Scales, scale: str) -> "pd.Series[float] | None":
    """Return the scores on a scale, or on its heading if the method only asks about that."""
    for name in (scale, scale.removeprefix(HEAD), ANY):
        if name in scales:
            return scales[name]
    return None


ANALYSIS = Analysis(
    name="methods",
    title="Methods compared",
    answers="Do methods and imported scores rank texts and systems in the same order?",
    assumes="Topics are a random sample.",
    reads=Reads.METHODS,
    applies=to_methods,
    function=methods,
    columns={
        "scale": Column("Criterion or scale"),
        "first": Column("Method"),
        "second": Column("Other method"),
        "tau": TAU,
        "p": P,
        "units": Column("n", COUNT.form, marked("texts or systems that both methods score")),
        "topics": COUNT,
        "submissions": COUNT,
        "minutes": Column("Minutes", NumberFormat.TWO, marked("active minutes per submission")),
        "page_seconds": Column(
            "Seconds per page", NumberFormat.TWO, marked("median time to answer a page")
        ),
        "judgments": COUNT,
        "pay": Column("Pay", NumberFormat.TWO, marked("pay for all submissions, without fees")),
        "judgment_cost": Column("Pay per judgment", meaning=marked("without fees")),
        "certainty_pay": Column(
            "Pay per certainty",
            NumberFormat.TWO,
            marked("pay for text totals with a signal-to-noise ratio of 1; lower is better"),
        ),
        "comments": COUNT,
        "agreed": Column(form=COUNT.form, meaning=marked("participants in the arm who consented")),
        "left": Column(
            form=COUNT.form,
            meaning=marked("participants in the arm who returned, timed out or withdrew"),
        ),
    },
    published=False,
)
