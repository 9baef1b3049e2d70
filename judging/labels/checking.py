"""Check a file of labels by importing it in a transaction that is rolled back."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.corpora.schema import BadLine
from annotation.models import Study
from annotation.texts.translation import translated_error
from judging.labels.files import COLUMNS, TooManyLines
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import (
    RUBRIC,
    BroughtLabels,
    LabelChoices,
    LabelFile,
    asks_about_points,
    bring,
)
from judging.labels.problems import problems_as_json
from judging.labels.rows import LabelRow, rows_of
from judging.labels.rubric_importing import CannotImport
from judging.labels.saving import LabelReport
from judging.models import Rater
from judging.raters.registering import BadRater

MOST_LINES = 100  # bad rows and remarks that a report lists
MOST_VALUES = 50  # that a page offers to map
MOST_RATERS = 50  # that a report lists
LOOKED_AT = 1_000  # rows in which raters are looked for
FEW_ROWS = 4  # of a small file the half is no sign


@dataclass(frozen=True)
class LabelCheck:
    """Effects of importing a file, or why the import would be refused.

    `fault` concerns the whole file or its rater (`is_of_rater`). `new_raters` are the raters that
    the import would add.
    """

    report: LabelReport
    fault: str = ""
    is_of_rater: bool = False
    new_raters: Collection[str] = ()
    left_out: tuple[tuple[str, int], ...] = ()

    @property
    def ignored(self) -> int:
        """Number of rows without problems that would not become labels."""
        return self.report.skipped.total() + self.report.of_others

    @property
    def ignores_most(self) -> bool:
        rows = self.report.rows
        return rows >= FEW_ROWS and self.ignored * 2 > rows

    @property
    def may_import(self) -> bool:
        return not self.fault and not self.report.bad_line_count


def check_labels(
    *, study: Study, file: LabelFile, choices: LabelChoices, by: User | None, now: datetime
) -> LabelCheck:
    """Return the effects that an import would have, without saving anything.

    A rater without a name is treated as new.
    """
    grader, stand_in = choices.grader, secrets.token_hex(8)
    if grader.kind in ("expert", "model"):
        model = grader.model or (stand_in if grader.kind == "model" else "")
        grader = replace(grader, name=grader.name or stand_in, model=model)
        choices = replace(choices, grader=grader)
    rater_ids = set(Rater.objects.values_list("pk", flat=True))
    try:
        with transaction.atomic():
            brought = bring(study=study, file=file, choices=choices, by=by, now=now)
            transaction.set_rollback(True)
    except LabelsRefused as error:
        return LabelCheck(_unnamed(error.report, stand_in))
    except CannotImport as error:
        report = LabelReport(file.name, bad_lines=error.lines, bad_line_count=error.count)
        return LabelCheck(report, translated_error(error))
    except BadRater as error:
        return LabelCheck(LabelReport(file.name), translated_error(error), is_of_rater=True)
    except TooManyLines as error:
        return LabelCheck(LabelReport(file.name), translated_error(error))
    new = [rater.name for rater, _ in brought.reports if rater.pk not in rater_ids]
    new = ["" if name == stand_in else name for name in new]
    return LabelCheck(_unnamed(brought.whole, stand_in), new_raters=new, left_out=brought.left_out)


def _unnamed(report: LabelReport, stand_in: str) -> LabelReport:
    for name, kind in list(report.raters):
        if name == stand_in:
            report.raters["", kind] = report.raters.pop((name, kind))
    return report


def guess(study: Study, file: LabelFile) -> dict[str, str]:
    """Guess the kind and name of the rater from the first rows of a file."""
    raters: set[str] = set()
    rows = rows_of(file.path, name=file.name, bounds=file.bounds)
    for row in islice(rows, LOOKED_AT):
        if isinstance(row, BadLine) and row.line and asks_about_points(study):
            return {"kind": RUBRIC}
        if isinstance(row, LabelRow):
            names = {name.strip().casefold(): str(cell or "") for name, cell in row.cells.items()}
            if names.get("kind"):
                return {"kind": "named"}
            raters |= {names[name].strip() for name in COLUMNS["rater"] if names.get(name)}
    if len(raters) > 1:
        return {"kind": "crowd"}
    return {"kind": "expert", "name": next(iter(raters), "")[:100]}


# -- As JSON -------------------------------------------------------------------------------------
def check_as_json(check: LabelCheck, remedies: Mapping[str, str]) -> dict[str, Any]:
    """Return a check as JSON data for the page and the API."""
    report = check.report
    return {
        "file": report.file,
        "kinds": dict(list(report.kinds.items())[:MOST_LINES]),
        "may_import": check.may_import,
        "fault": check.fault,
        "is_of_rater": check.is_of_rater,
        "rows": report.rows,
        "labels": report.labels,
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "items": report.items,
        "ignored": check.ignored,
        "ignores_most": check.ignores_most,
        "of_others": report.of_others,
        "rater_count": len(report.raters),
        "raters": [
            {"name": name, "kind": kind, "labels": n, "is_new": name in check.new_raters}
            for (name, kind), n in report.raters.most_common(MOST_RATERS)
        ],
        "questions": dict(report.questions.most_common(MOST_VALUES)),
        "bad": report.bad_line_count,
        "lines": lines_as_json(report.bad_lines),
        "problems": problems_as_json(report.problems, remedies),
        **foreign_as_json(report),
        "remark_count": report.remark_count,
        "remarks": lines_as_json(report.remarks),
        "left_out": dict(check.left_out),
    }


def foreign_as_json(report: LabelReport) -> dict[str, Any]:
    """Return the most frequent unknown values and unknown questions."""
    return {
        "values": [
            {"question": question, "value": value[:500], "lines": n}
            for (question, value), n in report.foreign.most_common(MOST_LINES)
        ],
        "foreign_questions": dict(report.foreign_questions.most_common(MOST_LINES)),
    }


def lines_as_json(lines: list[BadLine]) -> list[dict[str, Any]]:
    """Return the first rows with problems and their reasons."""
    return [
        {"file": line.file, "line": line.line, "field": line.field, "reason": line.reason[:500]}
        for line in lines[:MOST_LINES]
    ]


def import_as_json(brought: BroughtLabels) -> dict[str, Any]:
    """Return counts by rater. `left_out` counts data that studies can't store."""
    counts = ("added", "changed", "unchanged", "of_others", "items", "remark_count")
    raters = [
        {
            "rater": rater.pseudonym,
            "name": rater.name,
            **{name: getattr(report, name) for name in counts},
            "remarks": lines_as_json(report.remarks),
        }
        for rater, report in brought.reports
    ]
    return {"raters": raters, "left_out": dict(brought.left_out)}
