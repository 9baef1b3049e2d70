"""Agreement of the questions."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from analysis.analyses.agreement import BOTH, TOPICS
from analysis.inputs.settings import PEOPLE
from analysis.pages.results.run_results import RunResults

REPORTED = (BOTH, TOPICS, "items")  # resampled: the first that a run has


@dataclass(frozen=True)
class AgreementRow:
    """Agreement of one question; intervals over workers and items, and over each alone.

    alpha: with the interval to report: over both, with few workers over topics, in runs of before
    over items.
    """

    question: str
    text: str
    alpha: dict[str, Any] | None  # value, low, high, items, votes, resampled
    by_items: dict[str, Any] | None
    by_workers: dict[str, Any] | None
    percent: dict[str, Any] | None
    missing: str
    key: str = ""  # of the question, where the answers of people were read


def agreement_rows(found: RunResults) -> list[AgreementRow]:
    missing = {
        question: reason for analysis, question, reason in found.missing if analysis == "agreement"
    }
    cells: dict[Any, Any] = {
        (row["question"], row["measure"], row["resampled"]): row
        for row in found.records("agreement", "agreement")
    }
    return [
        AgreementRow(
            measure.title,
            measure.text,
            next((cells[key] for key in _reported(measure.key) if key in cells), None),
            cells.get((measure.key, "alpha", "items")),
            cells.get((measure.key, "alpha", "workers")),
            cells.get((measure.key, "percent agreement", "items")),
            missing.get(measure.key, ""),
            measure.key if found.run.pool == PEOPLE else "",
        )
        for measure in found.measures
    ]


def _reported(question: str) -> list[tuple[str, str, str]]:
    return [(question, "alpha", over) for over in REPORTED]


def agreement_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    rows = agreement_rows(found)
    reported = next((row.alpha["resampled"] for row in rows if row.alpha), "items")
    return {"agreement": rows, "both": reported == BOTH, "over_topics": reported == TOPICS}


def headline_alphas(found: RunResults) -> dict[str, dict[str, Any]]:
    """Return alpha of each measure by its key, with its interval."""
    rows = found.records("agreement", "agreement", measure="alpha")
    over = {(row["question"], row["resampled"]): row for row in rows}
    return {
        question: next(over[question, name] for name in REPORTED if (question, name) in over)
        for question in dict.fromkeys(question for question, _ in over)
    }
