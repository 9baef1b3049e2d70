"""Results of the newest finished run for single workers, items and responses."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from analysis.inputs.scores import response_scores
from analysis.inputs.selected_rows import selected_rows
from analysis.models import AnalysisRun
from analysis.pages.results.pages.workers import HonestAgreement, honest_agreement, worker_rows
from analysis.pages.results.rankable import graded_in, unplaced_of
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings
from annotation.models import Study

NEWEST = "_newest_found"  # where an object of a study keeps what was looked up


class Competence(NamedTuple):  # kept of thousands
    """Competence of a worker over all questions, with its interval.

    `honesty` compares the worker with an honest one on the same items, where the run did.
    """

    value: float
    low: float | None
    high: float | None
    honesty: HonestAgreement | None

    @property
    def mark(self) -> bool:
        return self.honesty is not None and self.honesty.mark


@dataclass(frozen=True)
class GoldLabel:
    """Gold label of an item.

    `sure` is its probability given the votes, `fresh` the probability that the next vote agrees.
    """

    question: str
    title: str
    label: str
    sure: float | None
    fresh: float | None
    majority: str
    votes: int


@dataclass(frozen=True)
class Score:
    """Score of a response by a measure.

    `place` is its rank in the topic from 1, shared by equals; None where nothing tells the texts of
    the topic apart. A measure that only ranks has ranks as low and high, and no value.
    """

    question: str
    title: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    place: int | None
    of: int


def newest_of(study: Study) -> RunResults | None:
    """Return the results of the newest finished run, cached on the study object."""
    attributes = vars(study)
    if NEWEST not in attributes:
        attributes[NEWEST] = _newest_of(study)
    newest: RunResults | None = attributes[NEWEST]
    return newest


def _newest_of(study: Study) -> RunResults | None:
    run: AnalysisRun | None = study.runs.newest_finished()
    if run is None:
        return None
    run.study = copy(study)  # both would keep each other, and all that the run has read
    return RunResults(run)


def competences(found: RunResults | None) -> dict[str, Competence]:
    """Return the competence of each worker, by pseudonym."""
    return found.kept("competences", lambda: _competences(found)) if found else {}


def _competences(found: RunResults) -> dict[str, Competence]:
    pooled = found.records("crowd", "workers")
    if pooled:
        return {
            row["worker"]: Competence(
                row["competence"], row["low"], row["high"], honest_agreement(row)
            )
            for row in pooled
        }
    return {row.worker: Competence(row.pooled, None, None, None) for row in worker_rows(found)}


def labels_of(found: RunResults | None, item: str) -> list[GoldLabel]:
    """Return the labels of an item (key), in the order of the questions."""
    if found is None:
        return []
    titles = {measure.key: measure.title for measure in found.measures}
    labels = {}
    for step in selected_rows(found.run, "competence", "gold", column="item", values=[item]):
        for row in step.rows:
            labels[step.question] = GoldLabel(
                question=step.question,
                title=titles.get(step.question, step.question),
                label=row["gold"],
                sure=row.get(f"p_{row['gold']}"),
                fresh=row.get("next_vote"),
                majority=row["majority"],
                votes=row["votes"],
            )
    return [labels[key] for key in titles if key in labels]


def scores_in(
    found: RunResults | None, topics: Collection[str], *, questions: Collection[str] | None = None
) -> Mapping[str, Sequence[Score]]:
    """Return the scores of the responses to these topics, by key of the response.

    All keys are those of the corpus; without `questions`, every measure is read.
    """
    if found is None or not topics:
        return {}
    rows = findings.records(
        response_scores(found.run, topics=topics, questions=questions, measures=found.scored)
    )
    of = dict(
        found.run.study.corpus.responses.filter(
            key__in={row["response"] for row in rows}
        ).values_list("key", "topic__key")
    )
    graded, unplaced = graded_in(found), unplaced_of(found, topics)
    beside: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        beside.setdefault((row["question"], of[row["response"]]), []).append(row["value"])
    scores_of: dict[str, dict[str, Score]] = {}
    titles = {measure.key: measure.title for measure in found.scored}
    for row in rows:
        at = row["question"], of[row["response"]]
        score = _score(row, titles, beside[at], ranks_alone=row["question"] in graded)
        if at in unplaced:
            score = replace(score, value=None, low=None, high=None, place=None)
        scores_of.setdefault(row["response"], {})[row["question"]] = score
    return {
        key: [scores[question] for question in titles if question in scores]
        for key, scores in scores_of.items()
    }


def _score(
    row: dict[str, Any], titles: Mapping[str, str], others: Sequence[float], *, ranks_alone: bool
) -> Score:
    low, high = row["low"], row["high"]
    if ranks_alone and low is not None:
        low, high = 1 + len(others) - high, 1 + len(others) - low
    return Score(
        question=row["question"],
        title=titles.get(row["question"], row["question"]),
        value=None if ranks_alone else row["value"],
        low=low,
        high=high,
        n=row["n"],
        place=1 + sum(other > row["value"] for other in others),
        of=len(others),
    )
