"""Classes of problems in the rows of a file of labels, and their remedies.

Classes are declared only in `PROBLEMS`, which the page, the API and the command line list.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.problem_rows import ProblemCount
from annotation.corpora.remedies import LABELS, ProblemClass, Remedy
from annotation.texts.sentences import marked
from judging.labels.values import BadMapping

MAKE = "make"  # create an item of the study from texts of its corpus
REMEDY_LABELS: dict[str, str] = {
    **{remedy.value: label for remedy, label in LABELS.items()},
    MAKE: marked("Create items"),
}


class LabelProblem(StrEnum):
    """Code of a class of problem."""

    UNREADABLE_ROW = "unreadable_row"
    UNKNOWN_COLUMN = "unknown_column"
    BLANK_FIELD = "blank_field"
    UNKNOWN_ITEM = "unknown_item"
    MISSING_CONTENT = "missing_content"
    UNKNOWN_QUESTION = "unknown_question"
    UNKNOWN_VALUE = "unknown_value"
    BAD_CELL = "bad_cell"
    CONTRADICTION = "contradiction"


PROBLEMS: dict[LabelProblem, ProblemClass] = {
    LabelProblem.UNREADABLE_ROW: ProblemClass(
        "{n:,} unreadable row", "{n:,} unreadable rows", (Remedy.SKIP,)
    ),
    LabelProblem.UNKNOWN_COLUMN: ProblemClass(
        "{n:,} unknown column",
        "{n:,} unknown columns",
        (Remedy.DROP, Remedy.SKIP),
    ),
    LabelProblem.BLANK_FIELD: ProblemClass(
        "{n:,} required value is missing",
        "{n:,} required values are missing",
        (Remedy.SKIP,),
    ),
    LabelProblem.UNKNOWN_ITEM: ProblemClass(
        "{n:,} row has an unknown item",
        "{n:,} rows have unknown items",
        (Remedy.SKIP,),
    ),
    LabelProblem.MISSING_CONTENT: ProblemClass(
        "{n:,} row has an unknown text",
        "{n:,} rows have unknown texts",
        (Remedy.SKIP,),
    ),
    LabelProblem.UNKNOWN_QUESTION: ProblemClass(
        "{n:,} row has an unknown question",
        "{n:,} rows have unknown questions",
        (Remedy.MAP, Remedy.SKIP),
    ),
    LabelProblem.UNKNOWN_VALUE: ProblemClass(
        "{n:,} invalid value",
        "{n:,} invalid values",
        (Remedy.MAP, Remedy.SKIP),
    ),
    LabelProblem.BAD_CELL: ProblemClass(
        "{n:,} invalid cell",
        "{n:,} invalid cells",
        (Remedy.SKIP,),
    ),
    LabelProblem.CONTRADICTION: ProblemClass(
        "{n:,} row contradicts another label",
        "{n:,} rows contradict other labels",
        (Remedy.SKIP,),
    ),
}


def remedies_for(problem: LabelProblem) -> tuple[str, ...]:
    """Return the remedies of a class, in the order of the page."""
    remedies = tuple(remedy.value for remedy in PROBLEMS[problem].remedies)
    return (MAKE, *remedies) if problem is LabelProblem.UNKNOWN_ITEM else remedies


def remedies_of(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the chosen remedies by code, leaving out `ask`. Raises BadMapping."""
    chosen = {}
    for code, remedy in pairs:
        if code not in list(LabelProblem):
            message = gettext("Problem “{code}” not found. Available: {codes}.")
            raise BadMapping(message.format(code=code[:60], codes=", ".join(LabelProblem)))
        offered = remedies_for(LabelProblem(code))
        if remedy not in (Remedy.ASK, *offered):
            message = gettext("Remedies for {code}: {remedies}.")
            raise BadMapping(message.format(code=code, remedies=", ".join(offered)))
        if remedy != Remedy.ASK:
            chosen[code] = str(remedy)
    return chosen


def problems_as_json(
    seen: Mapping[str, ProblemCount], chosen: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return each class of problems with its row count, remedies and first rows."""
    return [
        {
            "code": problem.value,
            "count": seen[problem].count,
            "remedies": list(remedies_for(problem)),
            "chosen": chosen.get(problem, Remedy.ASK.value),
            "samples": [
                {"file": bad.file, "line": bad.line, "field": bad.field, "reason": bad.reason[:500]}
                for bad in seen[problem].samples
            ],
        }
        for problem in PROBLEMS
        if problem in seen
    ]
