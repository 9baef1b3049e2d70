"""Texts that are chosen as the best or the worst of several."""

import pandas as pd

from analysis.analyses.conditions import to_choices
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.choices import choices_of, marks
from analysis.inputs.columns import COUNT, INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.choices.best_worst import best_worst as count
from analysis.stats.choices.choices import Choices
from analysis.stats.choices.plackett_luce import plackett_luce
from analysis.stats.errors import CannotCompute

COLUMNS = (
    "question", "topic", "unit", "score", "low", "high", "best", "worst", "shown", "merit",
    "merit_low", "merit_high",
)  # fmt: skip


def best_worst(data: AnalysisInput) -> Tables:
    """Return best-worst counts and Plackett-Luce merits of the units of each topic.

    Intervals are over the raters of a topic. Counts are given where merits do not exist, too.
    """
    frames, undefined = [], []
    for choice in choices_of(data.measures):
        for topic, rows in marks(choice, data.counted).groupby("topic", sort=True):
            frame, reasons = _topic(rows, data)
            key = choice.measure.key
            undefined += [[key, topic, reason] for reason in reasons]
            if frame is not None:
                frames.append(frame.assign(question=key, topic=topic).reindex(columns=[*COLUMNS]))
    return {
        "best_worst": table(pd.concat(frames, ignore_index=True))
        if frames
        else table_of(COLUMNS, []),
        "undefined": table_of(("question", "topic", "reason"), undefined),
    }


def _topic(rows: pd.DataFrame, data: AnalysisInput) -> tuple[pd.DataFrame | None, list[str]]:
    """Return counts and merits of the units of a topic, and reasons for missing ones."""
    try:
        choices = Choices.from_frame(rows)
        result = count(choices, confidence=data.confidence)
    except CannotCompute as reason:
        return None, [str(reason)]
    counted = result.frame().rename(columns={"value": "score"})
    try:
        fitted = plackett_luce(choices, confidence=data.confidence).frame()
    except CannotCompute as reason:
        return counted, [str(reason)]
    merits = fitted.rename(columns={"low": "merit_low", "high": "merit_high"})
    return counted.merge(merits.drop(columns="shown"), on="unit"), []


ANALYSIS = Analysis(
    name="best_worst",
    title="Best and worst",
    answers="Which texts are chosen as best, and which as worst?",
    assumes="Texts appeared in comparable sets; answers are independent.",
    reads=Reads.ALL_VOTES,
    applies=to_choices,
    function=best_worst,
    columns={
        "score": Column(form=NumberFormat.TWO, interval=INTERVAL),
        "best": COUNT,
        "worst": COUNT,
        "shown": COUNT,
        "unit": Column("Text"),
    },
)
