"""Values of groups of responses in each topic, and their change without each worker.

These are the frames of stats.effects.worker_changes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.analyses.grades import compared_in, fitted
from analysis.inputs.analysis_input import AnalysisInput
from analysis.inputs.choices import choices_of, marks
from analysis.inputs.measures import Does, Measure
from analysis.inputs.scorers import comparing_scorer, scored_measures
from analysis.inputs.settings import OF_WORKERS
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import MeritsResult
from analysis.stats.design_checks import by_reason, check_comparisons
from analysis.stats.effects.sweeps import Pair, Sweep, sweeps_of
from analysis.stats.effects.worker_changes import from_merits, from_scores

COUNTED = ("mean", "best-worst counts", "share of a label")  # scores that are means of votes


@dataclass(frozen=True)
class GroupValues:
    """Values of groups: `of` takes responses with their `group`, and gives values and changes.

    The changes are None for scores from labels, which have no workers. left_out: numbers of topics
    without a value, and the reasons. compared: the votes on pairs (a, b, outcome, topic, worker),
    if any.
    """

    of: Callable[[pd.DataFrame], tuple[pd.DataFrame, pd.DataFrame | None]]
    left_out: Sequence[tuple[str, str]] = ()
    compared: pd.DataFrame | None = None

    def sweeps(self, rows: pd.DataFrame) -> dict[Pair, Sweep]:
        """Return the pairs of groups of which all votes prefer one; rows: response, group."""
        if self.compared is None:
            return {}
        group = _by_response(rows, "group")
        first, second = (self.compared[side].map(group) for side in ("a", "b"))
        named = self.compared.assign(first=first, second=second)
        return sweeps_of(named.dropna(subset=["first", "second", "outcome"]))


def group_values(question: str, data: AnalysisInput) -> GroupValues:
    """Return the values by the score of a measure (its key) that compares groups."""
    measure = next(
        scored_measure
        for scored_measure in scored_measures(data.measures)
        if scored_measure.key == question
    )
    scorer = comparing_scorer(measure, data.parameters)
    votes, speakers = data.votes, data.speakers
    assert votes is not None  # VOTED_SCORES
    assert speakers is not None
    compared = None
    if measure.does == Does.COMPARES:
        compared = votes[votes["question"] == question]
        compared = compared.assign(outcome=compared["value"].map(measure.outcomes))
    of_workers = data.setting("ranking") in OF_WORKERS and scorer.shared
    if measure.does == Does.COMPARES and of_workers:
        by_merits = _by_merits(votes[votes["question"] == question], data)
        return replace(by_merits, compared=compared)
    if scorer.method in COUNTED:
        responses = speakers[speakers["question"] == question]
        return _by_scores(_scores(measure, data, votes), responses)
    return GroupValues(lambda rows: (rows[["topic", "group", "value"]], None), compared=compared)


def _by_merits(votes: pd.DataFrame, data: AnalysisInput) -> GroupValues:
    compared = compared_in(votes, data)
    result = fitted(compared, data)
    errors = merit_errors(result, workers=compared["worker"].tolist(), confidence=data.confidence)
    checked = _checked(result, data)

    def of(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        values, changes = from_merits(result, errors, _by_response(rows, "group"))
        return _of_topics(values), _of_topics(changes)

    return GroupValues(of, by_reason(checked))


def _checked(result: MeritsResult, data: AnalysisInput) -> pd.DataFrame:
    """Return the topics with the systems of each of their parts, and reasons to leave them out."""
    responses = data.responses
    named = responses.dropna(subset=["system"]) if responses is not None else None
    system = {} if named is None else _by_response(named, "system")
    names = {response: data.names.get(key, key) for response, key in system.items()}
    checked = check_comparisons(result.comparisons, names=names)
    left_out = checked["parts"] > 1
    return checked.assign(
        why=checked["why"].where(left_out, ""), topic=[topic for _, topic in checked["problem"]]
    )


def _by_response(rows: pd.DataFrame, column: str) -> dict[str, str]:
    return dict(zip(rows["response"].tolist(), rows[column].tolist(), strict=True))


def _of_topics(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(topic=[topic for _, topic in frame["topic"]])


def _by_scores(votes: pd.DataFrame, speakers: pd.DataFrame) -> GroupValues:
    spoken = speakers.assign(unit=_units(speakers))[["unit", "response"]]
    named = votes.assign(unit=_units(votes))

    def of(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        return from_scores(named, spoken.merge(rows[["response", "topic", "group"]], on="response"))

    return GroupValues(of)


def _units(frame: pd.DataFrame) -> pd.Series:
    """Return units by topic: a passage that two topics have is two units."""
    return frame["topic"].astype(str) + "\n" + frame["unit"].astype(str)


def _scores(measure: Measure, data: AnalysisInput, votes: pd.DataFrame) -> pd.DataFrame:
    """Return the score that each vote gives a unit: worker, topic, unit, score."""
    if measure.does == Does.CHOOSES:
        choices = {choice.measure.key: choice for choice in choices_of(data.measures)}
        return marks(choices[measure.key], votes).rename(columns={"mark": "score"})
    answers = votes[votes["question"] == measure.key].rename(columns={"item": "unit"})
    if measure.does == Does.LABELS:
        answers = answers.assign(score=answers["value"].isin(measure.positive).astype(float))
    return answers[["worker", "topic", "unit", "score"]]
