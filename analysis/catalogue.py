"""Every analysis that is offered: its name, the question it answers, its function, its tables.

An analysis reads frames and answers with tables (columns and rows, ready for JSON). One that
cannot be computed raises CannotCompute, whose sentence stands where the table would be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.stats.agreement import AgreementResult, krippendorff_alpha, percent_agreement
from analysis.stats.comparisons import Comparisons
from analysis.stats.competence import mace
from analysis.stats.labels import majority_vote
from analysis.stats.means import mean_scores
from analysis.stats.merit_intervals import bootstrap_merits
from analysis.stats.merits import fit_merits
from analysis.stats.votes import Votes

Table = dict[str, Any]  # {"columns": [...], "rows": [[...]]}
Tables = dict[str, Table]


@dataclass(frozen=True)
class Asked:
    """What an analysis gets: votes of one question (or gold labels of all), options, settings."""

    frame: pd.DataFrame
    options: tuple[str, ...]
    parameters: dict[str, Any]
    seed: int


@dataclass(frozen=True)
class Analysis:
    """`stage` 1 reads votes question by question; 2 reads what stage 1 found, all at once."""

    name: str
    title: str
    answers: str
    stage: int
    kinds: tuple[str, ...]  # item kinds it makes sense for
    function: Callable[[Asked], Tables]


def table(frame: pd.DataFrame) -> Table:
    """A frame as columns and rows of plain values; NaN becomes None."""
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return {"columns": list(frame.columns), "rows": rows}


def frame_of(table: Table) -> pd.DataFrame:
    """The frame behind a stored table."""
    return pd.DataFrame(table["rows"], columns=table["columns"])


def _votes(frame: pd.DataFrame, options: tuple[str, ...]) -> Votes:
    return Votes.from_frame(frame[["item", "worker", "value"]], options=options)


def agreement(asked: Asked) -> Tables:
    """Krippendorff's alpha, bootstrapped over items and over workers, and percent agreement."""
    votes = _votes(asked.frame[asked.frame["counted"]], asked.options)
    draws = asked.parameters.get("draws", 1000)
    level = asked.parameters.get("level", "ordinal")
    rows = []
    for resample in ("items", "workers"):
        results: tuple[tuple[str, AgreementResult], ...] = (
            (
                "alpha",
                krippendorff_alpha(
                    votes, level=level, draws=draws, seed=asked.seed, resample=resample
                ),
            ),
            (
                "percent agreement",
                percent_agreement(votes, draws=draws, seed=asked.seed, resample=resample),
            ),
        )
        for measure, result in results:
            rows.append(
                [
                    measure,
                    level if measure == "alpha" else "",
                    result.value,
                    result.low,
                    result.high,
                    result.items,
                    result.votes,
                    resample,
                    draws,
                    result.confidence,
                ]
            )
    columns = [
        "measure",
        "level",
        "value",
        "low",
        "high",
        "items",
        "votes",
        "resampled",
        "draws",
        "confidence",
    ]
    return {"agreement": table(pd.DataFrame(rows, columns=columns))}


def competence(asked: Asked) -> Tables:
    """MACE: the competence of each worker and the gold label of each item.

    Reads all votes, also those beyond `votes_per_item`: they tell about their workers too.
    """
    votes = _votes(asked.frame, asked.options)
    result = mace(
        votes,
        restarts=asked.parameters.get("restarts", 0),
        seed=asked.seed,
        compat=asked.parameters.get("compat"),
    )
    majority = majority_vote(votes)
    workers = pd.DataFrame(
        {
            "worker": list(votes.workers),
            "competence": result.competence,
            "spam_probability": result.theta[:, 0],
            "votes": result.worker_votes,
            "spread": result.spread if result.spread is not None else np.nan,
        }
    )
    first = asked.frame.drop_duplicates("item").set_index("item")
    first = first.loc[list(votes.items)]
    gold = pd.DataFrame(
        {
            "item": list(votes.items),
            "topic": first["topic"].to_numpy(),
            "a": first["a"].to_numpy(),
            "b": first["b"].to_numpy(),
            "gold": np.array(asked.options, dtype=object)[result.gold],
            "tied": result.tied,
            "entropy": result.entropy,
            "votes": votes.counts().sum(axis=1),
            "majority": [asked.options[index] for index in majority.gold],
        }
    )
    for k, option in enumerate(asked.options):
        gold[f"p_{option}"] = result.posterior[:, k]
    fit = pd.DataFrame(
        [
            {
                "log_likelihood": result.log_likelihood,
                "iterations": result.iterations,
                "converged": result.converged,
                "starts": result.starts,
            }
        ]
    )
    return {"competence": table(workers), "gold": table(gold), "fit": table(fit)}


def means(asked: Asked) -> Tables:
    """The mean score of each item, with its interval and n."""
    frame = asked.frame[asked.frame["counted"]]
    result = mean_scores(frame, confidence=asked.parameters.get("confidence", 0.95))
    return {"means": table(result.frame[["item", "mean", "low", "high", "n", "sd"]])}


def grades(asked: Asked) -> Tables:
    """Bradley-Terry merits and grades per topic and question, from gold labels of pairs.

    Intervals draw the pairs of a topic anew; they do not know how sure the gold labels are.
    """
    gold = asked.frame
    comparisons = pd.DataFrame(
        {
            "problem": list(zip(gold["question"], gold["topic"], strict=True)),
            "a": gold["a"],
            "b": gold["b"],
            "outcome": gold["gold"],
        }
    )
    # Whatever prefers neither text ("equal", "both bad") is a tie.
    outcomes = {label: {"a": 1, "b": -1}.get(label, 0) for label in gold["gold"].unique()}
    result = fit_merits(
        Comparisons.from_frame(comparisons, outcomes=outcomes),
        tie_parameter=asked.parameters.get("tie_parameter", 0.05),
        ridge=asked.parameters.get("ridge", 0.2),
    )
    frame = result.frame()
    frame["question"] = [question for question, _ in frame["problem"]]
    frame["topic"] = [topic for _, topic in frame["problem"]]
    sure = bootstrap_merits(result, draws=asked.parameters.get("draws", 1000), seed=asked.seed)
    frame["merit_low"], frame["merit_high"] = sure.merit_low, sure.merit_high
    frame["grade_low"], frame["grade_high"] = sure.grade_low, sure.grade_high
    columns = [
        "question", "topic", "response", "merit", "merit_low", "merit_high", "grade",
        "grade_low", "grade_high", "compared",
    ]  # fmt: skip
    return {"grades": table(frame[columns])}


CATALOGUE = {
    analysis.name: analysis
    for analysis in (
        Analysis(
            "agreement", "Agreement",
            "How far do workers who judged the same item give the same answer?",
            1, ("pair", "response"), agreement,
        ),
        Analysis(
            "competence", "Competence and gold labels",
            "How likely does each worker answer from knowledge, and what is each item's answer?",
            1, ("pair", "response"), competence,
        ),
        Analysis(
            "means", "Mean scores",
            "What score does each response get on average?",
            1, ("response",), means,
        ),
        Analysis(
            "grades", "Grades",
            "In which order do the responses of a topic stand, by the gold labels of their pairs?",
            2, ("pair",), grades,
        ),
    )
}  # fmt: skip
