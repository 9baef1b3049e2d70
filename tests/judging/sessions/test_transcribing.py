"""Transcripts by faster-whisper, which is optional; here its place is taken by a script."""

import sys
from io import StringIO
from types import ModuleType, SimpleNamespace

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from judging.sessions.transcribing import PACKAGE, transcribe
from tests.judging.sessions.cast import recorded, session_of, timed_work, tone
from tests.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = session_of(timed_work())
    recorded(session, tone(3))
    return session


@pytest.fixture
def whisper(monkeypatch):
    """Return what a speech model was given, which hears three segments."""
    heard = []
    segments = [
        (0.0, 1.5, " Both are fine. "),
        (1.5, 1.5, "  "),
        (2.0, 2.9, "The second is short."),
    ]

    class WhisperModel:
        """The names of faster-whisper 1.2.1, which reads WAV and WebM from a binary file."""

        def __init__(self, model_size_or_path):
            self.name = model_size_or_path

        def transcribe(self, audio, language=None, task="transcribe", *, vad_filter=False):
            heard.append((self.name, audio.read(), {"language": language, "vad": vad_filter}))
            said = (SimpleNamespace(start=s, end=e, text=t) for s, e, t in segments)
            return said, SimpleNamespace(language="en")

    module = ModuleType(PACKAGE)
    module.WhisperModel = WhisperModel
    monkeypatch.setitem(sys.modules, PACKAGE, module)
    return heard


def test_without_the_package_it_is_said_how_to_install_it(session, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with refused("NotInstalled"):
        transcribe(session=session, by=None)
    with pytest.raises(CommandError, match="pip install"):
        call_command("transcribe", session.assignment.study.slug)
    assert not session.utterances.exists()


def test_a_session_without_a_recording_is_not_transcribed(whisper):
    with refused("NoRecording"):
        transcribe(session=session_of(timed_work()), by=None)
    assert not whisper


def test_segments_become_utterances_of_the_decrypted_audio(session, whisper):
    assert transcribe(session=session, model="tiny", language="en", by=None) == 2
    said = session.utterances.order_by("position").values_list("start", "end", "text")
    assert list(said) == [(0, 1.5, "Both are fine."), (2, 2.9, "The second is short.")]
    name, audio, options = whisper[0]
    assert (name, audio, options["language"]) == ("tiny", tone(3), "en")


def test_the_command_skips_sessions_with_a_transcript(session, whisper):
    out = StringIO()
    slug = session.assignment.study.slug
    call_command("transcribe", slug, stdout=out)
    assert str(session.pk) in out.getvalue()
    with pytest.raises(CommandError):
        call_command("transcribe", slug)
    call_command("transcribe", slug, session=session.pk, stdout=out)
    assert len(whisper) == 2
    with pytest.raises(CommandError, match="nothing"):
        call_command("transcribe", "nothing")
