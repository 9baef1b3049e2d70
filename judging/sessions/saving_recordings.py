"""Save recordings in numbered chunks, which can be sent again, and delete them."""

from datetime import datetime
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


@transaction.atomic
def begin(
    *, session: ModeratedSession, by: Any, now: datetime, offset: float | None = None
) -> Recording:
    """Start a recording, and delete the previous one.

    `offset` is given if the recording starts now, in the browser.
    """
    ModeratedSession.objects.select_for_update().get(pk=session.pk)
    delete(session=session, by=by)
    if offset is not None:
        ModeratedSession.objects.filter(pk=session.pk).update(offset=offset)
    return Recording.objects.create(session=session, made_at=now)


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
        raise Refusal("TooLong", Sentence("A recording can have up to 200 MB."), status=422)
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
    """Close a recording with this number of chunks. Raises Refusal if any are missing."""
    current = Recording.objects.select_for_update().get(pk=recording.pk)
    numbers = set(current.chunks.values_list("number", flat=True))
    if not chunks or numbers != set(range(1, chunks + 1)):
        raise Refusal("ChunksMissing", MISSING)
    if current.chunks_expected is None:
        Recording.objects.filter(pk=current.pk).update(chunks_expected=chunks)
        work = current.session.assignment
        what = f"{work.worker}, {size_of(current)} bytes"
        access.record(user=by, act="saved a recording", what=what, of=work.study)


@transaction.atomic
def delete(*, session: ModeratedSession, by: Any) -> None:
    """Delete the recording of a session, if it has one."""
    if Recording.objects.filter(session=session).delete()[0]:
        wiping.mark_erasure()
        work = session.assignment
        access.record(user=by, act="deleted a recording", what=str(work.worker), of=work.study)
