"""Rows of the answers before a redo.

For work that was submitted again and counts: a row for each earlier answer, changed or not, per
requested redo. The current answers are in the votes.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from analysis.exports.cells import iso
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    COMMENT,
    FIRST_AT,
    INSTRUMENT,
    MILLISECONDS,
    MOMENT,
    NUMBER,
    QUERY,
    QUESTION,
    QUESTIONNAIRE,
    RAW,
    SHOWN,
    SLOT,
    TEXT,
    WORKER,
    ExportColumn,
    slot_columns,
)
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs import judged_items
from analysis.inputs.judged_items import JudgedItem, Vote
from annotation.models import Assignment, Study
from judging.models import AnswersBefore

COLUMNS = (
    QUESTIONNAIRE,
    QUERY,
    *slot_columns(),
    WORKER,
    INSTRUMENT,
    QUESTION,
    SLOT,
    ExportColumn("vote", ANSWER, "b", "answer as first submitted; see votes"),
    RAW,
    SHOWN,
    MILLISECONDS,
    COMMENT,
    FIRST_AT,
    ExportColumn(
        "answered_at", MOMENT, "2026-03-02T09:01:30.250+00:00",
        "time of the last answer before that submission; ISO 8601, UTC",
        guide="time of the last answer before that submission",
    ),
    ExportColumn("changes", NUMBER, "0", "number of changes to the answer until then"),
    ExportColumn(
        "handed_in_at", MOMENT, "2026-03-02T09:40:00.000+00:00",
        "time of that submission; ISO 8601, UTC",
        guide="time of that submission",
    ),
    ExportColumn(
        "asked_at", MOMENT, "2026-03-03T10:00:00.000+00:00",
        "time of the request for changes; ISO 8601, UTC",
        guide="time of the request for changes",
    ),
    ExportColumn(
        "reason", TEXT, "Please read the right text of page 4 again.",
        "message of the reviewer to the participant",
    ),
)  # fmt: skip


def were(source: ExportSource) -> None:
    """Raise CannotExport (nothing_redone) if no questionnaire was redone."""
    if not kept_of(source.study).exists():
        raise CannotExport(
            "nothing_redone", f"Study {source.study.slug} has no revised submissions."
        )


def kept_of(study: Study) -> Any:
    counting = Assignment.objects.filter(study=study).counting()
    return AnswersBefore.objects.filter(assignment__in=counting)


def votes_before(source: ExportSource) -> Iterator[Row]:
    """Yield the answers by item, then by time of the redo, then by question."""
    answers_by_item: dict[int, list[tuple[AnswersBefore, dict[str, Any]]]] = defaultdict(list)
    rows = kept_of(source.study).select_related("assignment__worker", "assignment__task")
    for kept in rows.select_related("decision").order_by("pk"):
        for answer in kept.answers:
            if answer["raw"]:
                answers_by_item[answer["item"]].append((kept, answer))
    for chunk in judged_items.items(study=source.study, step=source.step):
        for item in chunk:
            for kept, answer in answers_by_item[item.pk]:
                if (row := _row(source, item, kept, answer)) is not None:
                    yield row


def _row(
    source: ExportSource, item: JudgedItem, kept: AnswersBefore, answer: dict[str, Any]
) -> Row | None:
    exported = next(
        (question for question in source.questions if question.pk == answer["question"]), None
    )
    if exported is None:
        return None
    work, decision = kept.assignment, kept.decision
    vote = Vote(
        item.pk, work.pk, work.task.key, work.worker.pseudonym, exported.pk, answer["raw"],
        answer["value"], "crowd", answer["slot"], answer["shown"], answer["milliseconds"],
        answer["comment"],
    )  # fmt: skip
    vote = source.without_words(vote)
    row: Row = {"submission_id": vote.questionnaire} | source.item_columns(item)
    row["worker"] = vote.worker
    if source.instruments:
        row["instrument"] = exported.instrument
    row["question"] = exported.name
    if source.per_slot:
        row["slot"] = vote.slot
    return row | {
        "vote": source.written(exported.label(vote, item.contents)),
        "raw": source.written(vote.raw),
        "shown": vote.shown,
        "milliseconds": vote.milliseconds,
        "comment": vote.comment,
        **{name: iso(datetime.fromisoformat(answer[name])) for name in ("first_at", "answered_at")},
        "changes": answer["changes"],
        "handed_in_at": iso(kept.submitted_at),
        "asked_at": iso(decision.decided_at),
        "reason": decision.reason,
    }
