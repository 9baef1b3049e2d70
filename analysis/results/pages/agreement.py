"""Agreement of the questions, for the page of results."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

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


def agreement_rows(found: Found) -> list[AgreementRow]:
    missing = {
        question: reason for analysis, question, reason in found.missing if analysis == "agreement"
    }
    known: dict[Any, Any] = {
        (row["question"], row["measure"], row["resampled"]): row
        for row in found.records("agreement", "agreement")
    }
    return [
        AgreementRow(
            measure.title,
            measure.text,
            known.get((measure.key, "alpha", "items")),
            known.get((measure.key, "alpha", "workers")),
            known.get((measure.key, "percent agreement", "items")),
            missing.get(measure.key, ""),
        )
        for measure in found.measures
    ]


def agreement_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    return {"agreement": agreement_rows(found)}
