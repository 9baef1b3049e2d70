"""In which order do the responses of a topic stand, by the gold labels of their pairs?"""

from collections.abc import Sequence

import pandas as pd

from analysis.analyses.described import (
    COUNT,
    TWO_DIGITS,
    Analysis,
    Column,
    Form,
    Panel,
    Reads,
    to_comparisons,
)
from analysis.inputs.asked import Asked, Tables, table
from analysis.inputs.measures import Measure
from analysis.results.pages.topics import graded_context
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits

COLUMNS = [
    "question", "topic", "response", "merit", "merit_low", "merit_high", "grade", "grade_low",
    "grade_high", "compared",
]  # fmt: skip


def comparisons_of(gold: pd.DataFrame, measures: Sequence[Measure]) -> Comparisons:
    """Gold labels as comparisons; each question and topic is a problem of its own.

    Whatever prefers neither text ("equal", "both bad") is a tie.
    """
    outcomes = {measure.key: measure.outcomes for measure in measures}
    frame = pd.DataFrame(
        {
            "problem": list(zip(gold["question"], gold["topic"], strict=True)),
            "a": gold["a"],
            "b": gold["b"],
            "outcome": [
                outcomes[question][label]
                for question, label in zip(gold["question"], gold["gold"], strict=True)
            ],
        }
    )
    return Comparisons.from_frame(frame, outcomes={1: 1, 0: 0, -1: -1})


def grades(asked: Asked) -> Tables:
    """Bradley-Terry merits and grades per topic and question, from gold labels of pairs.

    Intervals resample the pairs of a topic; they do not know how sure the gold labels are.
    """
    result = fit_merits(
        comparisons_of(asked.frame, asked.measures),
        ties=asked.parameters.get("ties", "rao-kupper"),
        tie_parameter=asked.parameters.get("tie_parameter", 0.05),
        ridge=asked.parameters.get("ridge", 0.2),
    )
    frame = result.frame()
    frame["question"] = [question for question, _ in frame["problem"]]
    frame["topic"] = [topic for _, topic in frame["problem"]]
    sure = bootstrap_merits(result, draws=asked.draws, confidence=asked.confidence, seed=asked.seed)
    frame["merit_low"], frame["merit_high"] = sure.merit_low, sure.merit_high
    frame["grade_low"], frame["grade_high"] = sure.grade_low, sure.grade_high
    return {"grades": table(frame[COLUMNS])}


ANALYSIS = Analysis(
    name="grades",
    title="Grades",
    answers="In which order do the responses of a topic stand, by the gold labels of their pairs?",
    assumes="Each response has one merit, and pairs differ from it by chance alone.",
    reads=Reads.GOLD,
    applies=to_comparisons,
    function=grades,
    part="responses",
    lede="Grades rank the responses of a topic from 1 up; the highest is the best. "
    "Bradley-Terry with ties on the gold labels of the pairs; n is their number. "
    "Brackets hold the {percent} bootstrap interval of the grade, with the pairs drawn "
    "again; they do not know how sure the labels are. Responses without a clear "
    "difference share a grade.",
    columns={
        "merit": Column("Merit", Form.TWO),
        "grade": TWO_DIGITS,
        "compared": COUNT,
    },
    tables={
        "grades": None,
    },
    panel=Panel(below="console/_topics.html", context=graded_context),
)
