"""Rows of answers that are no votes, and of all texts of writers.

Votes are answers of counted work. Unfinished and rejected work, and check pages, are here with the
state of the work. Withdrawn work is in no file.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db.models import Q, QuerySet

from analysis.exports.assignments import is_finished
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    COMMENT,
    FIRST_AT,
    INSTRUMENT,
    MILLISECONDS,
    NUMBER,
    QUERY,
    QUESTION,
    RAW,
    SHOWN,
    SLOT,
    STYLE,
    TEXT,
    TIME,
    TOPIC,
    WORK,
    ExportColumn,
    slot_columns,
)
from analysis.exports.source import CannotExport, ExportQuestion, ExportSource
from analysis.inputs import judged_items
from analysis.inputs.judged_items import DETAILS, PLAIN, JudgedItem, Vote
from annotation.models import Assignment, Study
from annotation.texts.words import count_words
from judging.models import Item, Judgment, Presentation
from writing.editor.drafting import current_text
from writing.models import Writing

State = Assignment.State
CHECK = ExportColumn(
             "check", TEXT, "attention",
             "attention, gold or training if the page was a check; else empty",
         )  # fmt: skip
ITEM = (QUERY, *slot_columns(("r1", "r2", "r1"), ("", "", "")))
POSITION = ExportColumn(
                "position", "number, from 1", "3",
                "position of the page for this worker, from 1",
            )  # fmt: skip
OTHER_ANSWERS = (
    *WORK,
    CHECK,
    *ITEM,
    replace(INSTRUMENT, guide=""),
    QUESTION,
    replace(SLOT, guide=""),
    ExportColumn("vote", ANSWER, "b", "see votes"),
    replace(RAW, guide=""),
    SHOWN,
    POSITION,
    replace(MILLISECONDS, guide="", example="8123"),
    replace(COMMENT, example="Both texts are hard to read."),
    replace(FIRST_AT, guide="", example="2026-03-02T09:04:11.000+00:00", type=TIME),
    ExportColumn(
        "answered_at", TIME, "2026-03-02T09:04:15.000+00:00",
        "time of the last answer; ISO 8601, UTC",
    ),
    ExportColumn("changes", NUMBER, "1", "number of changes to the answer"),
)  # fmt: skip
WRITTEN_TEXTS = (
    *WORK,
    TOPIC,
    STYLE,
    ExportColumn("words", NUMBER, "231", "words of the text, without citations"),
    ExportColumn(
        "text", TEXT, "So a lamp [1].",
        "the text; for unfinished work, the last saved version",
    ),
)  # fmt: skip


# -- Answers -----------------------------------------------------------------------------------


def other_answers_of(study: Study) -> "QuerySet[Judgment]":
    """Return the answers of uncounted work and to checks."""
    rows = Judgment.objects.filter(assignment__study=study).exclude(raw="")
    rows = rows.exclude(assignment__state=State.WITHDRAWN)
    counting = Q(assignment__state__in=Assignment.COUNTING)
    return rows.filter(~counting | Q(item__check_of__isnull=False))


def answered_otherwise(source: ExportSource) -> None:
    """Raise CannotExport (no_other_answers) if all answers are votes.

    Uncounted work and checks are few: their answers are looked up, each by an index.
    """
    work = Assignment.objects.filter(study=source.study).exclude(state=State.WITHDRAWN)
    uncounted = work.exclude(state__in=Assignment.COUNTING).order_by().values("pk")
    checks = Item.every.filter(study=source.study, check_of__isnull=False).values("pk")
    answers = Judgment.objects.exclude(raw="")
    of_checks = answers.filter(item__in=checks, assignment__in=work.order_by().values("pk"))
    if not (answers.filter(assignment__in=uncounted).exists() or of_checks.exists()):
        raise CannotExport(
            "no_other_answers",
            f"Study {source.study.slug} has no other answers: no submission is unfinished or "
            "rejected, and it has no check pages.",
        )


def other_answers(source: ExportSource) -> Iterator[Row]:
    """Yield one row per answer, by item, assignment and question."""
    answers = other_answers_of(source.study)
    questions = {exported.pk: exported for exported in source.questions}
    items = Item.every.filter(pk__in=answers.values("item"))
    for chunk in judged_items.items(study=source.study, step=source.step, rows=items):
        by_pk = {item.pk: item for item in chunk}
        roles = dict(Item.every.filter(pk__in=by_pk).values_list("pk", "check_of__role"))
        seen = _seen(by_pk)
        rows = answers.filter(item__in=by_pk)
        rows = rows.order_by("assignment_id", "question__position", "slot")
        for *row, state, name in rows.values_list(
            *PLAIN, *DETAILS, "assignment__state", "question__key"
        ):
            vote = source.without_words(Vote(*row))
            by_pk[vote.item].votes.append(vote)
            question = questions.get(vote.question)
            yield _answer(
                source, by_pk[vote.item], vote, question, name, state, roles[vote.item] or ""
            ) | {"position": seen.get((vote.item, vote.assignment, vote.instrument))}


def _seen(items: dict[int, JudgedItem]) -> dict[Any, int]:
    """Return the position of each page, by item, assignment and instrument."""
    pages = Presentation.objects.filter(item__in=items)
    at = ("item_id", "assignment_id", "instrument_id", "position")
    return {tuple(place): position for *place, position in pages.values_list(*at)}


def _answer(
    source: ExportSource,
    item: JudgedItem,
    vote: Vote,
    asked: ExportQuestion | None,
    name: str,
    state: str,
    check: str,
) -> Row:
    row: Row = {
        "assignment": vote.assignment,
        "submission_id": vote.questionnaire,
        "worker": vote.worker,
        "state": state,
        "finished": is_finished(state),
        "check": check,
    }
    row |= source.item_columns(item)
    if source.instruments:
        row["instrument"] = source.instruments[vote.instrument]
    row["question"] = name
    if source.per_slot:
        row["slot"] = vote.slot
    label = asked.label(vote, item.contents) if asked else vote.value
    return row | {
        "vote": source.written(label),
        "raw": source.written(vote.raw),
        "shown": vote.shown,
        "position": None,
        "milliseconds": vote.milliseconds,
        "comment": vote.comment,
        "first_at": vote.first_at,
        "answered_at": vote.answered_at,
        "changes": vote.changes,
    }


# -- Texts -------------------------------------------------------------------------------------


def texts_of(study: Study) -> "QuerySet[Writing]":
    """Return the texts that were begun, without withdrawn ones."""
    rows = Writing.objects.filter(assignment__study=study)
    return rows.exclude(assignment__state=State.WITHDRAWN)


def begun(source: ExportSource) -> None:
    """Raise CannotExport (no_texts_begun) if no text was begun."""
    if not texts_of(source.study).exists():
        raise CannotExport("no_texts_begun", f"Study {source.study.slug} has no texts yet.")


def written_texts(source: ExportSource) -> Iterator[Row]:
    """Yield one row per text; of unfinished work as far as its log has arrived."""
    texts = texts_of(source.study)
    for pks in judged_items.chunks(texts.order_by("assignment"), source.step):
        rows = texts.filter(pk__in=pks).select_related(
            "assignment__worker", "assignment__task__writing_task__topic"
        )
        for writing in rows.order_by("assignment"):
            work = writing.assignment
            finished = is_finished(work.state)
            text = writing.text if finished else current_text(work).text
            yield {
                "assignment": work.pk,
                "submission_id": work.task.key,
                "worker": work.worker.pseudonym,
                "state": work.state,
                "finished": finished,
                "topic": work.task.writing_task.topic.key,
                "style": work.task.writing_task.style,
                "words": writing.words if finished else count_words(text),
                "text": text,
            }
