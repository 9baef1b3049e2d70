"""Takes the chunks of a writer's backup file into the log of the assignment that it names."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from annotation import jobs
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, Study
from annotation.refusals import Refusal
from annotation.texts.coded_errors import CodedError
from annotation.texts.translation import translated_error
from writing import tasks
from writing.editor import drafting
from writing.log.backups import Backup
from writing.log.collecting import collect, missing_numbers
from writing.log.eventlog import well_formed
from writing.models import LogChunk, PackedLog, Writing

State = Assignment.State

# Why nothing can be added to a log, for researchers.
CLOSED = {
    State.ARRIVED: gettext_lazy("The participant hasn't consented yet."),
    State.SUBMITTED: gettext_lazy("This text was submitted. Ask for changes to import more."),
    State.ACCEPTED: gettext_lazy("This text was approved."),
    State.REJECTED: gettext_lazy("This text was rejected."),
    State.RETURNED: gettext_lazy("The participant returned this task."),
    State.EXPIRED: gettext_lazy("This task expired and can't continue."),
    State.WITHDRAWN: gettext_lazy("The participant withdrew consent."),
}


class CannotRestore(CodedError):
    """Nothing of a backup can be taken; the sentence says why."""


@dataclass
class Restored:
    """Result for the chunks of a backup, by number, and for its text."""

    assignment: Assignment
    taken: list[int] = field(default_factory=list)
    there: list[int] = field(default_factory=list)  # already, with the same events
    refused: list[tuple[int, str]] = field(default_factory=list)  # and why
    missing: list[int] = field(default_factory=list)  # of the log, after this
    is_revived: bool = False
    is_same_text: bool = False  # does the log now rebuild the text of the file?
    is_submitted: bool = False


@transaction.atomic
def restore(
    *, backup: Backup, now: datetime, study: Study | None = None, submit: bool = False
) -> Restored:
    """Add what a backup has to the log it belongs to; done twice it is done once.

    1. Find its assignment, which is of `study` where one is given, and lock it. One whose time
       ran out goes on if its place is free.
    2. Take each chunk as if the browser had sent it; one that is refused stops no other.
    3. Hand in the text of the file, if that is asked for. Chunks that are missing are then lost.

    Where it brought nothing, an assignment stays expired. Raises CannotRestore.
    """
    assignment = _found(backup, study)
    restored = Restored(assignment, is_revived=_opened(assignment, now))
    numbers = _numbers(assignment)
    for number, events_json in backup.chunks:
        try:
            collect(
                assignment=assignment,
                number=number,
                events_json=events_json,
                now=now,
                tab=assignment.tab,
            )
        except Refusal as refusal:
            restored.refused.append((number, translated_error(refusal)))
        else:
            (restored.there if number in numbers else restored.taken).append(number)
            numbers.add(number)
    last = max([*restored.taken, *restored.there], default=0)
    restored.missing = missing_numbers(assignment, up_to=last)
    restored.is_same_text = drafting.current_text(assignment).text == well_formed(backup.text)
    if submit:
        _submit(assignment, backup.text, last, now, restored)
    elif restored.is_revived and not restored.taken:
        transaction.set_rollback(True)
        restored.is_revived = False
    return restored


def _found(backup: Backup, study: Study | None) -> Assignment:
    """Return the assignment, locked after its worker. Raises CannotRestore."""
    rows = Assignment.objects.select_related("study", "worker")
    named = rows.addressed(backup.token)
    assignment = named.filter(study__kind=Study.Kind.WRITING).first()
    if assignment is None:
        raise CannotRestore(
            "no_assignment", gettext("No writing task on this server matches this backup.")
        )
    if study is not None and assignment.study_id != study.pk:
        raise CannotRestore("other_study", gettext("This backup belongs to another study."))
    assigning.lock_worker(assignment.worker_id)
    return rows.select_for_update(of=("self",), no_key=True).get(pk=assignment.pk)


def _opened(assignment: Assignment, now: datetime) -> bool:
    """See that the log can be added to; was it revived for that? Raises CannotRestore."""
    is_late = assignment.state == State.EXPIRED
    if is_late and assignment.started_at is not None:
        try:
            assigning.revive(assignment=assignment, now=now)
        except NotLive as error:
            raise CannotRestore("expired", str(CLOSED[State.EXPIRED])) from error
    if assignment.state != State.ACTIVE:
        raise CannotRestore(assignment.state, str(CLOSED[State(assignment.state)]))
    if not Writing.objects.filter(assignment=assignment).exists():
        raise CannotRestore(
            "not_acknowledged",
            gettext("The participant hasn't agreed to the study's rule yet."),
        )
    return is_late


def _numbers(assignment: Assignment) -> set[int]:
    """Return the numbers of the chunks that are here."""
    packed = PackedLog.objects.filter(assignment=assignment).values_list("last_number", flat=True)
    here = LogChunk.objects.filter(assignment=assignment).values_list("number", flat=True)
    return {*range(1, (packed.first() or 0) + 1), *here}


def _submit(
    assignment: Assignment, text: str, last: int, now: datetime, restored: Restored
) -> None:
    """Submit the restored text. Raises CannotRestore."""
    lost = bool(restored.missing)
    try:
        drafting.submit(assignment=assignment, text=text, last_number=last, now=now, lost=lost)
    except Refusal as refusal:
        raise CannotRestore(
            "cannot_submit",
            gettext("Can't submit the text: {refusal}").format(refusal=refusal),
        ) from refusal
    restored.is_submitted = True
    jobs.send_after_commit(tasks.pack, assignment.pk)


def sentences(restored: Restored) -> list[str]:
    """Return sentences about the restored and refused chunks."""
    lines = [
        gettext("{new} chunks restored, {there} already present, {refused} refused.").format(
            new=len(restored.taken), there=len(restored.there), refused=len(restored.refused)
        )
    ]
    lines += [
        gettext("Chunk {number}: {why}").format(number=number, why=why)
        for number, why in restored.refused
    ]
    if restored.is_revived:
        lines.append(gettext("The task had expired. It now has its full time again."))
    if restored.missing:
        lines.append(gettext("Missing chunks: {listed}.").format(listed=_listed(restored.missing)))
    if restored.is_submitted:
        lines.append(gettext("The text in the file was submitted."))
    elif restored.is_same_text:
        lines.append(gettext("The text now matches the file."))
    else:
        lines.append(gettext("The text rebuilt from the log differs from the file."))
    return lines


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:10]))
    return (
        gettext("{listed} and {more} more").format(listed=shown, more=len(numbers) - 10)
        if len(numbers) > 10
        else shown
    )
