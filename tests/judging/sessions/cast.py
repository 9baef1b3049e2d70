"""A participant whose answers have times, and the session with a recording."""

import struct
from datetime import timedelta

from annotation.models import Assignment, Study
from judging.models import Judgment, ModeratedSession, Presentation, Recording
from judging.sessions import saving_recordings, saving_sessions
from tests.cast import NOW, bob, rita, small_study, submitted

SECOND = timedelta(seconds=1)
PAGE = 20  # seconds for which each page is visible
TRANSCRIPT = b"""WEBVTT

00:00:01.000 --> 00:00:03.500
<v Rita>Please think aloud.

00:00:21.500 --> 00:00:25.000
<v Bob>This text is short.

00:00:45.000 --> 00:00:47.000
Bob: Both are fine.
"""


def tone(seconds: int = 60, rate: int = 8000) -> bytes:
    """Return a WAV file of a constant level."""
    data = b"\x80" * seconds * rate
    form = struct.pack("<4sIHHIIHH4sI", b"fmt ", 16, 1, 1, rate, rate, 1, 8, b"data", len(data))
    return b"RIFF" + struct.pack("<I", 4 + len(form) + len(data)) + b"WAVE" + form + data


def recorded_study(*, responses: int = 3, **settings: object) -> Study:
    return small_study(responses=responses, recorded=True, **settings)


def timed_work(study: Study | None = None) -> Assignment:
    """Return submitted work: its page n was visible from (n-1) to n times PAGE seconds."""
    work = submitted(study or recorded_study(), bob())
    for page in Presentation.objects.filter(assignment=work):
        at = NOW + page.position * PAGE * SECOND
        Judgment.objects.filter(assignment=work, item=page.item_id).update(
            first_at=at, answered_at=at, milliseconds=PAGE * 1000
        )
    return work


def session_of(work: Assignment) -> ModeratedSession:
    return saving_sessions.make(assignment=work, now=NOW)


def recorded(session: ModeratedSession, content: bytes) -> Recording:
    made = saving_recordings.begin(session=session, now=NOW)
    size = saving_recordings.CHUNK
    parts = [content[at : at + size] for at in range(0, len(content), size)]
    for number, part in enumerate(parts, start=1):
        saving_recordings.save_chunk(recording=made, number=number, content=part)
    saving_recordings.finish(recording=made, chunks=len(parts), by=None)
    made.refresh_from_db()
    return made


def whole_session() -> ModeratedSession:
    """Return a session with recording, transcript and a note."""
    session = session_of(timed_work())
    recorded(session, tone())
    saving_sessions.import_transcript(session=session, content=TRANSCRIPT, by=None)
    saving_sessions.save_note(session=session, text="Hesitates.", at=30, by=rita(), now=NOW)
    return session
