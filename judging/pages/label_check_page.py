"""Context of the page that checks a file of labels: report, problems, choices. Only reads."""

from typing import Any

from django.utils.translation import gettext

from annotation.corpora.remedies import Remedy
from annotation.texts.translation import translated
from judging.labels.checking import MOST_VALUES
from judging.labels.importing import choices_of, questions_of
from judging.labels.problems import PROBLEMS, REMEDY_LABELS, LabelProblem
from judging.labels.uploading import AS
from judging.models import LabelUpload, Rater
from judging.pages.label_choices import LabelsForm

MAPPED = (LabelProblem.UNKNOWN_VALUE, LabelProblem.UNKNOWN_QUESTION)


def page_of(upload: LabelUpload) -> dict[str, Any]:
    """Return the page context for a file before its import."""
    report, choices = upload.report, upload.choices
    form = LabelsForm(choices, study=upload.study)
    is_complete = form.is_valid()
    if report["is_of_rater"] and choices.get("kind") in ("expert", "model"):
        form.add_error("name", report["fault"])
    kinds = dict(Rater.Kind.choices)
    return {
        "study": upload.study,
        "upload": upload,
        "report": report,
        "form": form,
        "state": _state(report, is_complete),
        "may_import": is_complete and report["may_import"] and report["labels"] > 0,
        "kinds": sorted({gettext(title) for title in report["kinds"].values()}),
        "raters": [rater | {"kind": kinds[rater["kind"]]} for rater in report["raters"]],
        "question_rows": [
            {"key": key, "labels": n} for key, n in sorted(report["questions"].items())
        ],
        "problems": [_problem(problem) for problem in report["problems"]],
        "values": _values(upload),
        "asked": _asked(upload),
        "questions": [(f"{AS}{key}", text) for key, text in questions_of(upload.study)],
        "lines": placed(report["lines"]),
        "remarks": placed(report["remarks"]),
    }


def _state(report: dict[str, Any], is_complete: bool) -> str:
    """Return the most severe state that applies; only `good` is shown in green."""
    if report["fault"] or report["bad"]:
        return "bad"
    if not report["labels"]:
        return "empty"
    if report["ignores_most"]:
        return "ignored"
    return "good" if is_complete else "asking"


def _problem(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a class of problems with its title, remedies and first rows.

    Unknown values and questions are mapped below the table.
    """
    code = LabelProblem(problem["code"])
    title = translated(PROBLEMS[code].titled(problem["count"]))
    options = [
        (remedy, gettext(REMEDY_LABELS[remedy]))
        for remedy in (Remedy.ASK.value, *problem["remedies"])
        if remedy != Remedy.MAP
    ]
    return problem | {
        "title": title,
        "options": options,
        "is_mapped": code in MAPPED,
        "sample": placed(problem["samples"][:1]),
    }


def _asked(upload: LabelUpload) -> list[dict[str, Any]]:
    """Return the unknown questions of the last check, and those that were mapped before."""
    chosen = dict(map(tuple, upload.choices.get("asks", ())))
    counts = dict.fromkeys(chosen, 0) | upload.report["foreign_questions"]
    return [
        {"name": name, "count": n, "choice": chosen.get(name, "")}
        for name, n in list(counts.items())[:MOST_VALUES]
    ]


def _values(upload: LabelUpload) -> list[dict[str, Any]]:
    """Return the unknown values of the last check, and those that were mapped before."""
    chosen = {
        (question, value): answer for question, value, answer in upload.choices.get("values", ())
    }
    lines_by_value = {
        (row["question"], row["value"]): row["lines"] for row in upload.report["values"]
    }
    counts = dict.fromkeys(chosen, 0) | lines_by_value
    answers = {
        question: [(f"{AS}{code}", words) for code, words in choices_of(upload.study, question)]
        for question in {question for question, _ in counts}
    }
    return [
        {
            "question": question,
            "value": value,
            "count": n,
            "choice": chosen.get((question, value), ""),
            "answers": answers[question],
        }
        for (question, value), n in list(counts.items())[:MOST_VALUES]
    ]


def placed(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines with a label of their place. Line 0 is the whole file."""
    return [line | {"place": _place(line["file"], line["line"])} for line in lines]


def _place(file: str, line: int) -> str:
    return gettext("{file}, line {line}").format(file=file, line=line) if line else file
