"""The participants of a study and their submissions, finished or not. Only reads.

People who did not agree to the consent text or have withdrawn are in no row.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Sum

from analysis.exports.cells import Cell, cell_of, type_of
from analysis.exports.encodings import Row
from analysis.exports.rows import iso
from analysis.exports.sources import CannotExport, Source
from analysis.inputs import judged
from annotation.fieldwork.paying.amounts import major
from annotation.fieldwork.platforms.outcomes import Outcome, is_failed_check
from annotation.fieldwork.recruiting.completion_codes import code_of_key
from annotation.fieldwork.work.admission import attempts_of
from annotation.models import (
    Assignment,
    Consent,
    KeptCode,
    LedgerEntry,
    OutcomeCode,
    PlatformSubmission,
    ReviewDecision,
    ScreeningResult,
    Study,
    Worker,
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
ASSIGNMENT = (
    "assignment", "submission_id", "worker", "batch", "onboarding", "state", "finished", "outcome",
    "arrived_at", "agreed_at", "first_work_at", "submitted_at", "ended_at", "active_seconds",
)  # fmt: skip
JUDGED = ("pages", "answered_pages")
WRITTEN = ("topic", "style", "words")
DECIDED = (
    "decision", "decided_at", "reason", "currency", "pay", *KINDS, "completion_code",
    "entered_code",
)  # fmt: skip
PARTICIPANT = (
    "worker", "platform", "arrived_at", "agreed_at", "consent_version", "assignments", "submitted",
    "accepted", "rejected", "unfinished", "active_seconds", "currency", *KINDS,
)  # fmt: skip
SCREENED = (
    "screened_at", "screening_passed", "screening_attempts", "screening_right", "screening_asked",
)  # fmt: skip


class NobodyTookPart(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(f"Nobody has agreed to take part in study {study.slug} yet.")


def works_of(study: Study) -> AssignmentQuerySet:
    """Return the assignments whose participants have agreed and not withdrawn."""
    works = Assignment.objects.filter(study=study, started_at__isnull=False)
    return works.exclude(state=State.WITHDRAWN)


def took_part(source: Source) -> None:
    """Raise NobodyTookPart."""
    if not works_of(source.study).exists():
        raise NobodyTookPart(source.study)


# -- Assignments -------------------------------------------------------------------------------


def assignments(source: Source) -> Iterator[Row]:
    """Yield one row an assignment, in the order in which they were taken."""
    study = source.study
    judges = study.kind == Study.Kind.JUDGING
    rows = works_of(study).select_related("worker", "task__batch")
    if not judges:
        rows = rows.select_related("task__writing_task__topic", "writing")
    for pks in judged.chunks(works_of(study).order_by("pk"), source.step):
        money, active = _money(pks), active_times(study, only=pks)
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
            row = _times(work) | {"active_seconds": _seconds(seconds)}
            if judges:
                row |= dict(zip(JUDGED, pages.get(work.pk, (0, 0)), strict=True))
            else:
                row |= _written(work)
            yield row | {
                **_decided(decisions.get(work.pk)),
                "currency": study.currency,
                "pay": float(work.task.batch.terms_in(study)[0]),
                **money[work.pk],
                "completion_code": codes_shown(work, decisions.get(work.pk)),
                "entered_code": codes.get(work.pk, ""),
                **_answers("entry", study.entry_form, work.entry_answers),
                **_answers("exit", study.exit_form, work.exit_answers),
            }


def _times(work: Assignment) -> Row:
    return {
        "assignment": work.pk,
        "submission_id": work.task.key,
        "worker": work.worker.pseudonym,
        "batch": work.task.batch.number,
        "onboarding": work.task.batch.onboarding,
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


def _seconds(value: float | None) -> float | None:
    return None if value is None else round(float(value), 1)


def is_finished(state: str) -> bool:
    """Return whether the work is submitted; false while it is being redone."""
    return state in Assignment.HANDED_IN


def _money(pks: Sequence[int]) -> Mapping[int, Money]:
    """Return what stands in the ledger of each assignment; without entries it is nothing."""
    sums: dict[int, dict[str, float]] = defaultdict(lambda: dict.fromkeys(KINDS, 0.0))
    entries = LedgerEntry.objects.filter(assignment__in=pks, reversal=None)
    rows = entries.filter(kind__in=KINDS.values()).order_by().values_list("assignment", "kind")
    names = {kind: name for name, kind in KINDS.items()}
    for pk, kind, amount in rows.annotate(amount=Sum("amount")):
        sums[pk][names[LedgerEntry.Kind(kind)]] = float(major(amount))
    return sums


def _pages(pks: Sequence[int]) -> Mapping[int, tuple[int, int]]:
    """Return how many pages each assignment has, and on how many something was answered."""
    shown = Presentation.objects.filter(assignment__in=pks).values_list("assignment")
    answered = Judgment.objects.filter(assignment__in=pks).exclude(raw="")
    done = dict(
        answered.order_by().values_list("assignment").annotate(n=Count("item", distinct=True))
    )
    of_all = shown.order_by().annotate(n=Count("item", distinct=True))
    return {pk: (n, done.get(pk, 0)) for pk, n in of_all}


def _codes(study: Study, pks: Sequence[int]) -> Callable[[Assignment, ReviewDecision | None], str]:
    """Return the function from an assignment and its last decision to the code that the
    participant was shown at the end; '' if the platform has none for how it ended."""
    kept = dict(KeptCode.objects.filter(assignment__in=pks).values_list("assignment", "code"))
    of_outcomes = dict(OutcomeCode.objects.filter(study=study).values_list("outcome", "code"))

    def code_of(work: Assignment, decision: ReviewDecision | None) -> str:
        if work.submitted_at is None:
            return of_outcomes.get(work.outcome, "")
        if is_failed_check(work, decision) and Outcome.FAILED_CHECK in of_outcomes:
            return of_outcomes[Outcome.FAILED_CHECK]
        return study.completion_code or kept.get(work.pk) or code_of_key(work.pk)

    return code_of


def assignment_columns(source: Source) -> tuple[str, ...]:
    study = source.study
    of_kind = JUDGED if study.kind == Study.Kind.JUDGING else WRITTEN
    entry = _form_columns("entry", study.entry_form)
    return (*ASSIGNMENT, *of_kind, *DECIDED, *entry, *_form_columns("exit", study.exit_form))


def _form_columns(name: str, form: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(f"{name}_{field['key']}" for field in form)


def _answers(name: str, form: Iterable[Mapping[str, Any]], given: Mapping[str, Any]) -> Row:
    return {f"{name}_{field['key']}": _cell(field, given.get(field["key"])) for field in form}


def _cell(field: Mapping[str, Any], answer: Any) -> Cell:
    """Return an answer with the type of its column: numbers where all codes are numbers."""
    if answer is None:
        return None
    return cell_of(str(answer), type_of([option["code"] for option in field.get("options", ())]))


# -- Participants ------------------------------------------------------------------------------


def participants(source: Source) -> Iterator[Row]:
    """Yield one row a participant, by pseudonym, over all their assignments in the study."""
    study = source.study
    people = Worker.objects.filter(pk__in=works_of(study).values("worker"))
    for pks in judged.chunks(people.order_by(judged.in_order("pseudonym")), source.step):
        by_pk = Worker.objects.defer("external_id").in_bulk(list(pks))
        works: dict[int, list[Assignment]] = defaultdict(list)
        for work in works_of(study).filter(worker__in=pks).order_by("pk").defer("exit_answers"):
            works[work.worker_id].append(work)
        every = [work.pk for some in works.values() for work in some]
        money, active = _money(every), active_times(study, only=every)
        consents = _consents(study, pks)
        screened = {
            result.worker_id: result
            for result in ScreeningResult.objects.filter(slug=study.slug, worker__in=pks)
        }
        for pk in pks:
            mine = works[pk]
            seconds = [active[work.pk].seconds for work in mine if work.pk in active]
            row: Row = {
                "worker": by_pk[pk].pseudonym,
                "platform": by_pk[pk].platform,
                "arrived_at": iso(min(work.arrived_at for work in mine)),
                "agreed_at": iso(min(work.started_at for work in mine if work.started_at)),
                "consent_version": consents.get(pk, ""),
                "assignments": len(mine),
                "submitted": sum(is_finished(work.state) for work in mine),
                "accepted": sum(work.state == State.ACCEPTED for work in mine),
                "rejected": sum(work.state == State.REJECTED for work in mine),
                "unfinished": sum(not is_finished(work.state) for work in mine),
                "active_seconds": _seconds(sum(seconds)) if seconds else None,
                "currency": study.currency,
            }
            row |= {name: round(sum(money[work.pk][name] for work in mine), 2) for name in KINDS}
            yield row | _screening(study, screened.get(pk))


def _consents(study: Study, workers: Sequence[int]) -> Mapping[int, str]:
    """Return the version of the consent text that each agreed to last."""
    rows = Consent.objects.filter(study=study, worker__in=workers, withdrawn_at=None)
    return dict(rows.order_by("given_at").values_list("worker", "version"))


def _screening(study: Study, result: ScreeningResult | None) -> Row:
    if not _asked(study):
        return {}
    if result is None:
        return dict.fromkeys(_screening_columns(study))
    row: Row = {
        "screened_at": iso(result.answered_at),
        "screening_passed": result.is_passed,
        "screening_attempts": result.attempts,
        "screening_right": result.right,
        "screening_asked": result.asked,
    }
    row |= _answers("screening", _asked(study), result.answers)
    if attempts_of(study) > 1:
        first = result.earlier[0] if result.earlier else {"answers": {}, "right": None}
        row["screening_first_right"] = first["right"]
        row |= _answers("screening_first", _asked(study), first["answers"])
    return row


def _asked(study: Study) -> list[dict[str, Any]]:
    return list(study.screening.get("questions", []))


def _screening_columns(study: Study) -> tuple[str, ...]:
    asked = _asked(study)
    if not asked:
        return ()
    columns = (*SCREENED, *_form_columns("screening", asked))
    if attempts_of(study) > 1:
        first = _form_columns("screening_first", asked)
        columns = (*columns, "screening_first_right", *first)
    return columns


def participant_columns(source: Source) -> tuple[str, ...]:
    return (*PARTICIPANT, *_screening_columns(source.study))
