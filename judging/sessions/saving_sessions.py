"""Save sessions, their offset, transcript and notes, and erase them."""

import math
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation import wiping
from annotation.models import Assignment, Study
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.models import (
    AddedCode,
    CoderCall,
    CodingUnit,
    ModeratedSession,
    SessionNote,
    Utterance,
)
from judging.sessions import transcripts
from judging.sessions.transcripts import Spoken

FARTHEST = 24 * 3600  # seconds between consent and a recording, in either direction
LONGEST_NOTE = 5_000  # characters
MOST_NOTES = 2_000
LONGEST_QUESTION = 300  # characters, of an interview guide


@transaction.atomic
def make(*, assignment: Assignment, now: datetime) -> ModeratedSession:
    """Return the session of an assignment, created if needed. Raises Refusal."""
    study = assignment.study
    if not study.recorded:
        raise Refusal(
            "NotRecorded",
            Sentence("Participants in this study weren't asked to agree to a recording."),
            status=422,
        )
    current = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if current.started_at is None or current.state == Assignment.State.WITHDRAWN:
        raise Refusal("NoConsent", Sentence("This participant hasn't agreed or has withdrawn."))
    session, _ = ModeratedSession.objects.get_or_create(
        assignment=assignment, defaults={"made_at": now}
    )
    return session


def set_offset(*, session: ModeratedSession, offset: float) -> None:
    """Save the seconds between consent and the start of the recording. Raises Refusal."""
    if not math.isfinite(offset) or abs(offset) > FARTHEST:
        raise Refusal("BadOffset", Sentence("Enter an offset of up to 24 hours."), status=422)
    ModeratedSession.objects.filter(pk=session.pk).update(offset=offset)
    session.offset = offset


def import_transcript(*, session: ModeratedSession, content: bytes, by: Any) -> int:
    """Replace the transcript of a session; return the number of utterances. Raises Refusal."""
    return save_transcript(session=session, spoken=transcripts.read(content), by=by)


@transaction.atomic
def save_transcript(*, session: ModeratedSession, spoken: Sequence[Spoken], by: Any) -> int:
    """Replace the utterances of a session; return their number. Raises Refusal if coded."""
    locked = ModeratedSession.objects.select_for_update().get(pk=session.pk)
    coded = CodingUnit.objects.filter(assignment=locked.assignment_id, kind="utterance")
    if coded.exists():
        raise Refusal("Coded", Sentence("This transcript is already part of a coding."))
    if Utterance.objects.filter(session=locked).delete()[0]:
        wiping.mark_erasure()
    Utterance.objects.bulk_create(
        Utterance(
            session=locked,
            position=position,
            start=row.start,
            end=row.end,
            speaker=row.speaker,
            text=row.text,
        )
        for position, row in enumerate(spoken, start=1)
    )
    work = locked.assignment
    what = f"{work.worker}, {len(spoken)} utterances"
    access.record(user=by, act="imported a transcript", what=what, of=work.study)
    return len(spoken)


def save_note(
    *,
    session: ModeratedSession,
    text: str,
    at: float | None,
    by: Any,
    now: datetime,
    question: str = "",
) -> SessionNote:
    """Save a note at a time of the recording, by default now. Raises Refusal."""
    text = text.strip()
    if not text or len(text) > LONGEST_NOTE:
        sentence = Sentence("Enter a note of up to {most} characters.", most=LONGEST_NOTE)
        raise Refusal("BadNote", sentence, status=422)
    if session.notes.count() >= MOST_NOTES:
        raise Refusal("TooManyNotes", Sentence("You can save up to {n} notes.", n=MOST_NOTES))
    if at is None:
        started = session.assignment.started_at or now
        at = (now - started).total_seconds() - session.offset
    if not math.isfinite(at) or abs(at) > 2 * FARTHEST:
        at = 0
    question = " ".join(question.split())[:LONGEST_QUESTION]
    return SessionNote.objects.create(
        session=session, at=at, question=question, text=text, by=by, made_at=now
    )


@transaction.atomic
def delete_note(*, session: ModeratedSession, pk: int) -> None:
    if SessionNote.objects.filter(session=session, pk=pk).delete()[0]:
        wiping.mark_erasure()


@transaction.atomic
def erase(*, assignments: Collection[Assignment]) -> None:
    """Delete recording, transcript and notes of a participant who withdrew."""
    if ModeratedSession.objects.filter(assignment__in=assignments).delete()[0]:
        wiping.mark_erasure()


@transaction.atomic
def erase_all(*, study: Study) -> int:
    """Delete all sessions of a study; return their number."""
    rows = ModeratedSession.objects.filter(assignment__study=study)
    n = rows.count()
    if n:
        units = CodingUnit.objects.filter(assignment__study=study, kind="utterance")
        AddedCode.objects.filter(unit__in=units).update(name="")
        CoderCall.objects.filter(unit__in=units).forget()
        units.delete()
        rows.delete()
        wiping.mark_erasure()
    return n
