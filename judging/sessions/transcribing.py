"""Transcripts by faster-whisper, an optional package that runs a model on this machine."""

import importlib
import io
from typing import Any

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.models import ModeratedSession, Recording
from judging.sessions import recordings, saving_sessions
from judging.sessions.transcripts import DAY, LONGEST, MOST_ROWS, Spoken

PACKAGE = "faster_whisper"
MODEL = "small"
MISSING = Sentence(
    "The package faster-whisper is not installed. Run "
    '`pip install "crowdwright[transcription]"`, or `pip install faster-whisper`.'
)


def transcribe(
    *, session: ModeratedSession, model: str = MODEL, language: str = "", by: Any
) -> int:
    """Replace the transcript by that of a speech model; return the number of utterances.

    The audio is decrypted in memory alone. Raises Refusal without the package or a recording.
    """
    recording = Recording.objects.filter(session=session, chunks_expected__isnull=False).first()
    if recording is None:
        raise Refusal("NoRecording", Sentence("This session has no complete recording."))
    try:
        whisper = importlib.import_module(PACKAGE)
    except ImportError as error:
        raise Refusal("NotInstalled", MISSING) from error
    audio = b"".join(recordings.read_range(recording, 0, recordings.size_of(recording)))
    segments, _ = whisper.WhisperModel(model).transcribe(
        io.BytesIO(audio), language=language or None, vad_filter=True
    )
    spoken = [
        Spoken(max(0.0, segment.start), max(segment.start, segment.end, 0.0), "", text)
        for segment in segments
        if (text := " ".join(segment.text.split())[:LONGEST]) and segment.end <= DAY
    ]
    if not spoken:
        raise Refusal("NothingSaid", Sentence("The model found no speech."))
    return saving_sessions.save_transcript(session=session, spoken=spoken[:MOST_ROWS], by=by)
