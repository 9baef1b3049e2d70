"""Save recordings in numbered chunks, which can be sent again, and delete them."""

from datetime import datetime
from itertools import count
from typing import Any

from django.db import transaction

from annotation import wiping
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.models import ModeratedSession, Recording, RecordingChunk
from judging.sessions.recordings import cipher_of, encrypted, media_type_of, size_of

CHUNK = 512 * 1024  # bytes
MISSING = Sentence("Part of the file didn't arrive. Try again.")
LIMIT = 200 * 1024 * 1024  # bytes of a recording
MOST_INCOMPLETE = 3  # recordings of a session


@transaction.atomic
def begin(*, session: ModeratedSession, now: datetime, offset: float | None = None) -> Recording:
    """Start a recording; the previous one stays until this one is complete. Raises Refusal.

    `offset` is given if the recording starts now, in the browser.
    """
    ModeratedSession.objects.select_for_update().get(pk=session.pk)
    incomplete = session.recordings.filter(chunks_expected=None)
    incomplete.filter(chunks=None).delete()
    if incomplete.count() >= MOST_INCOMPLETE:
        raise Refusal(
            "TooManyIncomplete", Sentence("Use or delete the incomplete recording first.")
        )
    return Recording.objects.create(session=session, made_at=now, offset=offset)


@transaction.atomic
def save_chunk(*, recording: Recording, number: int, content: bytes) -> None:
    """Save a chunk. A chunk that is sent again changes nothing. Raises Refusal."""
    current = Recording.objects.select_for_update().get(pk=recording.pk)
    if current.chunks.filter(number=number).exists():
        return
    if current.chunks_expected is not None:
        raise Refusal("RecordingComplete", Sentence("This recording is already complete."))
    if not 0 < len(content) <= CHUNK:
        raise Refusal("BadChunk", MISSING, status=422)
    if size_of(current) + len(content) > LIMIT:
        raise Refusal("TooLong", Sentence("A recording can be up to 200 MB."), status=422)
    if number == 1:
        media_type = media_type_of(content)
        if not media_type:
            sentence = Sentence("Choose an audio file: MP3, M4A, WAV, FLAC, Ogg or WebM.")
            raise Refusal("NotAudio", sentence, status=422)
        Recording.objects.filter(pk=current.pk).update(media_type=media_type)
    data = encrypted(cipher_of(current), number, content)
    RecordingChunk.objects.create(recording=current, number=number, size=len(content), data=data)


@transaction.atomic
def finish(*, recording: Recording, chunks: int, by: Any) -> None:
    """Close a recording with this number of chunks, and delete the previous one.

    Raises Refusal if chunks are missing.
    """
    ModeratedSession.objects.select_for_update().get(pk=recording.session_id)
    current = Recording.objects.select_for_update().get(pk=recording.pk)
    numbers = set(current.chunks.values_list("number", flat=True))
    if not chunks or numbers != set(range(1, chunks + 1)):
        raise Refusal("ChunksMissing", MISSING)
    if current.chunks_expected is None:
        delete(session=current.session, by=by, but=current)
        if current.offset is not None:
            ModeratedSession.objects.filter(pk=current.session_id).update(offset=current.offset)
        Recording.objects.filter(pk=current.pk).update(chunks_expected=chunks)
        work = current.session.assignment
        what = f"{work.worker}, {size_of(current)} bytes"
        access.record(user=by, act="saved a recording", what=what, of=work.study)


@transaction.atomic
def finish_incomplete(*, session: ModeratedSession, by: Any) -> None:
    """Close the newest incomplete recording with the chunks that arrived. Raises Refusal."""
    recording = session.recordings.filter(chunks_expected=None).last()
    if recording is None:
        raise Refusal("ChunksMissing", MISSING)
    numbers = set(recording.chunks.values_list("number", flat=True))
    whole = next(number for number in count(1) if number not in numbers) - 1
    if recording.chunks.filter(number__gt=whole).delete()[0]:
        wiping.mark_erasure()
    finish(recording=recording, chunks=whole, by=by)


@transaction.atomic
def delete(*, session: ModeratedSession, by: Any, but: Recording | None = None) -> None:
    """Delete the recordings of a session, all or all but one."""
    rows = Recording.objects.filter(session=session)
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    if rows.delete()[0]:
        wiping.mark_erasure()
        work = session.assignment
        access.record(user=by, act="deleted a recording", what=str(work.worker), of=work.study)
