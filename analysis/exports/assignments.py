"""Rows of the assignments of a study, finished or not.

People who did not agree to the consent text or withdrew are left out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Count, Sum

from analysis.exports.cells import Cell, cell_of, iso, type_of
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    BOOLEAN,
    CURRENCY,
    MOMENT_CELL,
    MONEY,
    NUMBER,
    STYLE,
    TEXT,
    TIME,
    TOPIC,
    WORK,
    ExportColumn,
)
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs import judged_items
from annotation.fieldwork.paying.amounts import major
from annotation.fieldwork.platforms.outcomes import Outcome, is_failed_check
from annotation.fieldwork.recruiting.completion_codes import code_of_key
from annotation.models import (
    Assignment,
    KeptCode,
    LedgerEntry,
    OutcomeCode,
    PlatformSubmission,
    ReviewDecision,
    Study,
)
from annotation.models.work import AssignmentQuerySet
from annotation.studies.active_time import active_times
from judging.models import Judgment, Presentation

State = Assignment.State
Money = Mapping[str, float]
# What the ledger says of each assignment, in the currency of the study.
KINDS = {
    "owed": LedgerEntry.Kind.OWED,
    "approved": LedgerEntry.Kind.APPROVED,
    "paid": LedgerEntry.Kind.PAID,
    "bonus": LedgerEntry.Kind.BONUS,
}


def form_columns(name: str, form: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{name}_{field['key']}" for field in form)


def _judges(source: ExportSource) -> bool:
    return bool(source.study.kind == Study.Kind.JUDGING)


def _writes(source: ExportSource) -> bool:
    return bool(source.study.kind == Study.Kind.WRITING)


def _has_arms(source: ExportSource) -> bool:
    return bool(source.study.arms == Study.Arms.ONE)


ASSIGNMENTS = (
    *WORK[:3],
    ExportColumn("batch", NUMBER, "1", "number of the batch"),
    ExportColumn("onboarding", BOOLEAN, "False", "whether it is an onboarding batch"),
    ExportColumn(
        "arm", TEXT, "ab-comparison",
        "key of the method or style drawn for the participant; only in studies with arms",
        when=_has_arms,
    ),
    *WORK[3:],
    ExportColumn(
        "outcome", TEXT, "screened_out",
        "screened_out or failed_check if that ended the assignment; else empty",
    ),
    ExportColumn("arrived_at", TIME, MOMENT_CELL, "time of arrival; ISO 8601, UTC"),
    ExportColumn("agreed_at", TIME, MOMENT_CELL, "time of consent; ISO 8601, UTC"),
    ExportColumn("first_work_at", TIME, MOMENT_CELL, "time of the first activity; ISO 8601, UTC"),
    ExportColumn("submitted_at", TIME, MOMENT_CELL, "time of submission; ISO 8601, UTC"),
    ExportColumn(
        "ended_at", TIME, MOMENT_CELL,
        "time of approval, rejection, return or expiry; ISO 8601, UTC",
    ),
    ExportColumn(
        "active_seconds", "number, s", "612.4",
        "active time, s; empty if unknown",
    ),
    ExportColumn(
        "pages", NUMBER, "15",
        "number of pages drawn; judging studies", when=_judges,
    ),
    ExportColumn(
        "answered_pages", NUMBER, "2",
        "number of pages with an answer; judging studies", when=_judges,
    ),
    replace(TOPIC, meaning=f"{TOPIC.meaning}; writing studies", when=_writes),
    replace(STYLE, meaning=f"{STYLE.meaning}; writing studies", when=_writes),
    ExportColumn(
        "words", NUMBER, "231",
        "words of the submitted text; writing studies", when=_writes,
    ),
    ExportColumn(
        "decision", TEXT, "accept",
        "last review decision: accept, reject, reject_but_pay, redo, reopen or lapsed; empty "
        "if none",
    ),
    ExportColumn("decided_at", TIME, MOMENT_CELL, "time of that decision; ISO 8601, UTC"),
    ExportColumn("reason", TEXT, "Thank you.", "reason that the reviewer gave"),
    CURRENCY,
    ExportColumn("pay", NUMBER, "1.5", "pay for one task of the batch"),
    *MONEY,
    ExportColumn(
        "completion_code", TEXT, "C7K2Q9XD",
        "code shown to the participant at the end, for any outcome",
    ),
    ExportColumn("entered_code", TEXT, "C7K2Q9XD", "code that the participant entered on Prolific"),
    ExportColumn(
        "entry_{question}", ANSWER, "3",
        "answer to each question of the form before the work",
        names=lambda source: form_columns("entry", source.study.entry_form),
    ),
    ExportColumn(
        "exit_{question}", ANSWER, "easy",
        "answer to each question of the form after the work",
        names=lambda source: form_columns("exit", source.study.exit_form),
    ),
)  # fmt: skip


def works_of(study: Study) -> AssignmentQuerySet:
    """Return the assignments whose participants have agreed and not withdrawn."""
    works = Assignment.objects.filter(study=study, started_at__isnull=False)
    return works.exclude(state=State.WITHDRAWN)


def took_part(source: ExportSource) -> None:
    """Raise CannotExport (no_participants)."""
    if not works_of(source.study).exists():
        raise CannotExport(
            "no_participants", f"Study {source.study.slug} has no participants who agreed yet."
        )


# -- Assignments -------------------------------------------------------------------------------


def assignments(source: ExportSource) -> Iterator[Row]:
    """Yield one row per assignment, in the order of their numbers."""
    study = source.study
    judges, has_arms = study.kind == Study.Kind.JUDGING, study.arms == Study.Arms.ONE
    rows = works_of(study).select_related("worker", "task__batch")
    if not judges:
        rows = rows.select_related("task__writing_task__topic", "writing")
    for pks in judged_items.chunks(works_of(study).order_by("pk"), source.step):
        money, active = money_of(pks), active_times(study, only=pks)
        pages = _pages(pks) if judges else {}
        decisions = {
            decision.assignment_id: decision
            for decision in ReviewDecision.objects.filter(assignment__in=pks).order_by("pk")
        }
        entered = PlatformSubmission.objects.filter(assignment__in=pks).order_by("pk")
        codes = dict(entered.exclude(code="").values_list("assignment", "code"))
        codes_shown = _codes(study, pks)
        for work in rows.filter(pk__in=pks).order_by("pk"):
            seconds = active[work.pk].seconds if work.pk in active else None
            row = _times(work, has_arms=has_arms) | {"active_seconds": rounded_seconds(seconds)}
            if judges:
                row |= dict(
                    zip(("pages", "answered_pages"), pages.get(work.pk, (0, 0)), strict=True)
                )
            else:
                row |= _written(work)
            yield row | {
                **_decided(decisions.get(work.pk)),
                "currency": study.currency,
                "pay": float(work.task.batch.terms_in(study)[0]),
                **money[work.pk],
                "completion_code": codes_shown(work, decisions.get(work.pk)),
                "entered_code": codes.get(work.pk, ""),
                **form_cells("entry", study.entry_form, work.entry_answers),
                **form_cells("exit", study.exit_form, work.exit_answers),
            }


def _times(work: Assignment, *, has_arms: bool) -> Row:
    return {
        "assignment": work.pk,
        "submission_id": work.task.key,
        "worker": work.worker.pseudonym,
        "batch": work.task.batch.number,
        "onboarding": work.task.batch.onboarding,
        **({"arm": work.task.arm} if has_arms else {}),
        "state": work.state,
        "finished": is_finished(work.state),
        "outcome": work.outcome,
        "arrived_at": iso(work.arrived_at),
        "agreed_at": iso(work.started_at),
        "first_work_at": iso(work.worked_at),
        "submitted_at": iso(work.submitted_at),
        "ended_at": iso(work.ended_at),
    }


def _written(work: Assignment) -> Row:
    task, writing = work.task.writing_task, getattr(work, "writing", None)
    words = writing.words if writing and is_finished(work.state) else None
    return {"topic": task.topic.key, "style": task.style, "words": words}


def _decided(decision: ReviewDecision | None) -> Row:
    if decision is None:
        return {"decision": "", "decided_at": None, "reason": ""}
    return {
        "decision": decision.decision,
        "decided_at": iso(decision.decided_at),
        "reason": decision.reason,
    }


def rounded_seconds(value: float | None) -> float | None:
    return None if value is None else round(float(value), 1)


def is_finished(state: str) -> bool:
    """Return whether the work is submitted; False during a redo."""
    return state in Assignment.HANDED_IN


def money_of(pks: Sequence[int]) -> Mapping[int, Money]:
    """Return the sums of the ledger for each assignment, 0 without entries."""
    sums: dict[int, dict[str, float]] = defaultdict(lambda: dict.fromkeys(KINDS, 0.0))
    entries = LedgerEntry.objects.filter(assignment__in=pks, reversal=None)
    rows = entries.filter(kind__in=KINDS.values()).order_by().values_list("assignment", "kind")
    names = {kind: name for name, kind in KINDS.items()}
    for pk, kind, amount in rows.annotate(amount=Sum("amount")):
        sums[pk][names[LedgerEntry.Kind(kind)]] = float(major(amount))
    return sums


def _pages(pks: Sequence[int]) -> Mapping[int, tuple[int, int]]:
    """Return for each assignment its numbers of pages and of answered pages."""
    shown = Presentation.objects.filter(assignment__in=pks).values_list("assignment")
    answered = Judgment.objects.filter(assignment__in=pks).exclude(raw="")
    done = dict(
        answered.order_by().values_list("assignment").annotate(n=Count("item", distinct=True))
    )
    of_all = shown.order_by().annotate(n=Count("item", distinct=True))
    return {pk: (n, done.get(pk, 0)) for pk, n in of_all}


def _codes(study: Study, pks: Sequence[int]) -> Callable[[Assignment, ReviewDecision | None], str]:
    """Return a function that gives the completion code shown at the end of an assignment.

    The code is '' if the platform has none for its outcome.
    """
    kept = dict(KeptCode.objects.filter(assignment__in=pks).values_list("assignment", "code"))
    of_outcomes = dict(OutcomeCode.objects.filter(study=study).values_list("outcome", "code"))

    def code_of(work: Assignment, decision: ReviewDecision | None) -> str:
        if work.submitted_at is None:
            return of_outcomes.get(work.outcome, "")
        if is_failed_check(work, decision) and Outcome.FAILED_CHECK in of_outcomes:
            return of_outcomes[Outcome.FAILED_CHECK]
        return study.completion_code or kept.get(work.pk) or code_of_key(work.pk)

    return code_of


def form_cells(name: str, form: Iterable[Mapping[str, Any]], given: Mapping[str, Any]) -> Row:
    return {f"{name}_{field['key']}": _cell(field, given.get(field["key"])) for field in form}


def _cell(field: Mapping[str, Any], answer: Any) -> Cell:
    if answer is None:
        return None
    return cell_of(str(answer), type_of([option["code"] for option in field.get("options", ())]))
