"""Agreement of the questions, for the page of results."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from analysis.models import AnalysisRun
from analysis.results import findings
from analysis.results.found import Found


@dataclass(frozen=True)
class AgreementRow:
    """Agreement of one question; intervals by items and by workers."""

    question: str
    text: str
    alpha: dict[str, Any] | None  # value, low, high, items, votes
    by_workers: dict[str, Any] | None
    percent: dict[str, Any] | None
    missing: str


def agreement_rows(run: AnalysisRun) -> list[AgreementRow]:
    frame = findings.tables(run, "agreement", "agreement")
    missing = {
        question: reason
        for analysis, question, reason in findings.missing(run)
        if analysis == "agreement"
    }
    found: dict[Any, Any] = {
        (row["question"], row["measure"], row["resampled"]): row for row in findings.records(frame)
    }
    return [
        AgreementRow(
            question.criterion.name,
            question.text,
            found.get((question.key, "alpha", "items")),
            found.get((question.key, "alpha", "workers")),
            found.get((question.key, "percent agreement", "items")),
            missing.get(question.key, ""),
        )
        for question in run.study.questions.select_related("criterion")
    ]


def agreement_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    return {"agreement": agreement_rows(found.run)}
