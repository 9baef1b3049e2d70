"""Problems of an upload with their remedies, as its page shows and sends them."""

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from annotation.corpora.remedies import LABELS, PROBLEMS, Problem, Remedy
from annotation.models import Origin
from annotation.texts.translation import translated


def problems_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the problems of a report, with titles and labels in the language of the page."""
    return [_shown(problem) for problem in report.get("problems", [])]


def _shown(problem: dict[str, Any]) -> dict[str, Any]:
    declared = PROBLEMS[Problem(problem["code"])]
    is_open = problem["chosen"] == Remedy.ASK
    remedies = [*declared.remedies, *([Remedy.ASK] if declared.default is Remedy.ASK else [])]
    return {
        **problem,
        "title": translated(declared.titled(problem["count"])),
        "is_open": is_open,
        "accepted": _accepted(problem["code"]),
        "options": [(remedy.value, gettext(LABELS[remedy])) for remedy in remedies],
    }


def _accepted(code: str) -> list[tuple[str, Any]]:
    """Return the values that a replacement may have, with their titles; empty: any."""
    return list(Origin.choices) if code == Problem.MISSING_ORIGIN else []


def sent_remedies(sent: QueryDict) -> dict[str, Any]:
    """Return the choices that a page sends: {code: {remedy, value, values}}."""
    remedies = {}
    for code in Problem:
        if remedy := sent.get(f"remedy-{code}"):
            pairs = zip(sent.getlist(f"from-{code}"), sent.getlist(f"to-{code}"), strict=False)
            is_mapped = remedy == Remedy.MAP
            remedies[code.value] = {
                "remedy": remedy,
                "value": sent.get(f"value-{code}", "") if remedy == Remedy.REPLACE else "",
                "values": {old: new.strip() for old, new in pairs if new.strip()}
                if is_mapped
                else {},
            }
    return remedies
