"""Page of one worker of a study."""

from typing import Any

from analysis.inputs.selected_rows import selected_rows
from analysis.pages.entities.assignments import shown as works_shown
from analysis.pages.entities.assignments import works_of
from analysis.pages.entities.flags import Standard, marks_of
from analysis.pages.entities.newest_results import newest_of
from analysis.pages.entities.workers import shown
from annotation.models import Study, Worker

WORKS_SHOWN = 50  # the list has all


def context(study: Study, worker: Worker) -> dict[str, Any]:
    (row,) = shown(study, [worker])
    works = list(works_of(study).filter(worker=worker)[:WORKS_SHOWN])
    rows, standard = works_shown(study, works), Standard.of(study)
    return {
        "row": row,
        "works": rows,
        "marks": [(row, marks) for row in rows if (marks := marks_of(row.work, standard))],
        "by_question": _by_question(study, worker) if study.kind == Study.Kind.JUDGING else [],
        "consents": worker.consents.filter(study=study).order_by("given_at"),
    }


def _by_question(study: Study, worker: Worker) -> list[dict[str, Any]]:
    """Return competence and votes, question by question."""
    newest = newest_of(study)
    if newest is None:
        return []
    name = worker.pseudonym
    cells = {
        step.question: row
        for step in selected_rows(
            newest.run, "competence", "competence", column="worker", values=[name]
        )
        for row in step.rows
        if step.question not in newest.without("competence")
    }
    return [
        {"key": measure.key, "title": measure.title, **cells[measure.key]}
        for measure in newest.measures
        if measure.key in cells
    ]
