"""Order of the responses of a topic by comparisons of pairs."""

import numpy as np
import pandas as pd

from analysis.analyses.agreement import votes_of
from analysis.analyses.conditions import to_comparisons
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.settings import RANKINGS
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import grade_ranges, merit_errors
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import MeritsResult, fit_merits
from analysis.stats.design_checks import by_reason, check_comparisons
from analysis.stats.errors import BadSetting
from analysis.stats.labels.majority import majority_vote

COLUMNS = [
    "question", "topic", "response", "merit", "merit_low", "merit_high", "grade", "grade_low",
    "grade_high", "compared",
]  # fmt: skip
ENDS = ["merit_low", "merit_high", "grade_low", "grade_high"]
LEAST_WEIGHT = 1e-6  # a topic whose votes all weigh nothing has no merits


def grades(data: AnalysisInput) -> Tables:
    """Return Bradley-Terry merits and grades per topic and question.

    With votes, intervals are over the workers of a topic, and a merit is its difference from the
    mean of the topic. With labels, pairs are resampled, which ignores their uncertainty; a topic
    with few or unconnected pairs gets no interval, except in the published pipeline.
    """
    compared = compared_in(data.frame, data)
    result = fitted(compared, data)
    frame = result.frame()
    frame["question"] = [question for question, _ in frame["problem"]]
    frame["topic"] = [topic for _, topic in frame["problem"]]
    if "worker" not in compared:
        sure = bootstrap_merits(
            result, draws=data.draws, confidence=data.confidence, seed=data.seed
        )
        frame["merit_low"], frame["merit_high"] = sure.merit_low, sure.merit_high
        frame["grade_low"], frame["grade_high"] = sure.grade_low, sure.grade_high
        if data.sequential:
            frame[ENDS] = np.nan  # a bootstrap is of one look
        if data.as_published:
            return {"grades": table(frame[COLUMNS])}
        why = check_comparisons(result.comparisons)["why"]
        unfit = why.ne("").to_numpy()[result.comparisons.entry_problem]
        frame.loc[unfit, ENDS] = np.nan
    else:
        why = _over_workers(frame, result, compared, data)
    checked = check_comparisons(result.comparisons)["why"].to_numpy()
    frame["why"] = checked[result.comparisons.entry_problem]  # their order says nothing
    return {
        "grades": table(frame[[*COLUMNS, "why"]]),
        "undefined": table_of(("topics", "reason"), _counted(why, result)),
    }


def fitted(compared: pd.DataFrame, data: AnalysisInput) -> MeritsResult:
    """Return merits by which votes or labels (column `outcome`) rank responses of each topic."""
    comparisons = comparisons_of(compared, data)
    tie_parameter = data.setting("tie_parameter")
    if not comparisons.outcome.any():
        tie_parameter = 1.0  # nothing to estimate it from: with any, all merits are equal
    return fit_merits(
        comparisons,
        ties=data.setting("ties"),
        tie_parameter=tie_parameter,
        ridge=data.setting("ridge"),
        confidence=data.confidence,
    )


def comparisons_of(compared: pd.DataFrame, data: AnalysisInput) -> Comparisons:
    """Return votes or labels (column `outcome`) as comparisons; problems are topics of questions.

    An answer that prefers neither text ("equal", "both bad") is a tie.
    """
    outcomes = {measure.key: measure.outcomes for measure in data.measures}
    frame = compared.reset_index(drop=True)
    # as lists: pandas iterates over texts twenty times as slowly
    questions, topics, labels = (frame[name].tolist() for name in ("question", "topic", "outcome"))
    frame = frame.assign(
        problem=pd.Series(list(zip(questions, topics, strict=True)), dtype=object),
        outcome=[
            outcomes[question][label] if label else 0
            for question, label in zip(questions, labels, strict=True)
        ],
    )
    return Comparisons.from_frame(frame, outcomes={1: 1, 0: 0, -1: -1})


def compared_in(frame: pd.DataFrame, data: AnalysisInput) -> pd.DataFrame:
    """Return the votes or labels that rank.

    Columns: question, topic, a, b, outcome; votes have their worker, and a weight if any.
    """
    ranking = data.setting("ranking")
    if ranking == "mace":
        return frame[["question", "topic", "a", "b"]].assign(outcome=frame["gold"])
    columns = ["question", "topic", "a", "b", "worker"]
    if ranking == "votes":
        return frame[columns].assign(outcome=frame["value"])
    if ranking == "weighted":
        weight = frame["competence"].fillna(0).clip(lower=LEAST_WEIGHT)
        return frame[columns].assign(outcome=frame["value"], weight=weight)
    if ranking == "majority":
        return _majorities(frame, data)
    raise BadSetting("ranking", ranking, " or ".join(RANKINGS))


def _majorities(frame: pd.DataFrame, data: AnalysisInput) -> pd.DataFrame:
    """Return the majority label of each item; "" for a tie."""
    votes = votes_of(frame, data.measure)
    majority = majority_vote(votes)
    labels = [
        "" if tied else data.options[gold]
        for gold, tied in zip(majority.gold, majority.tied, strict=True)
    ]
    first = frame.drop_duplicates("item").set_index("item").loc[list(votes.items)]
    return first[["question", "topic", "a", "b"]].assign(outcome=labels).reset_index(drop=True)


def _over_workers(
    frame: pd.DataFrame, result: MeritsResult, compared: pd.DataFrame, data: AnalysisInput
) -> "pd.Series[str]":
    """Write merits and intervals over workers into the frame; return reasons for missing ones."""
    errors = merit_errors(
        result,
        workers=compared["worker"].tolist(),
        confidence=data.confidence,
        sequential=data.sequential,
    )
    lowest, highest = grade_ranges(errors, result.comparisons.entry_problem)
    frame["merit"], frame["merit_low"], frame["merit_high"] = errors.merit, errors.low, errors.high
    frame["grade_low"], frame["grade_high"] = lowest, highest
    return pd.Series(errors.why, dtype=object)


def _counted(why: "pd.Series[str]", result: MeritsResult) -> list[list[str]]:
    """Return the number of topics without an interval for each reason."""
    checked = check_comparisons(result.comparisons)
    topics = [topic for _, topic in checked["problem"]]
    return [
        list(counted) for counted in by_reason(checked.assign(why=why.to_numpy(), topic=topics))
    ]


ANALYSIS = Analysis(
    name="grades",
    title="Grades",
    answers="How do the responses of a topic rank?",
    assumes="Each response has one strength; votes vary around it at random.",
    reads=Reads.RANKED,
    applies=to_comparisons,
    function=grades,
    sequential=("grades",),
    columns={
        "why": Column("Why"),
        "grade": Column(form=NumberFormat.TWO, interval=("grade_low", "grade_high")),
    },
)
