"""Bob records his session in his own browser, through a lost network; a withdrawal erases it."""

import array
import base64
import math
import shutil
import subprocess
import wave
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from annotation.clock import database_now
from annotation.fieldwork.work import assigning
from annotation.models import Assignment
from judging.models import ModeratedSession, Recording, RecordingChunk, Utterance
from judging.sessions import alignment, recordings, saving_sessions
from tests.cast import begun, bob
from tests.judging.sessions.cast import recorded_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAID = ("This text is short.", "Both are fine.", "The second is better.")
TIMES = (1.0, 5.0, 9.0)  # seconds at which each is said
LENGTH = 12  # seconds
RATE = 22_050
# Keep the clock's time at which the microphone was opened.
OPENED = """
  const media = navigator.mediaDevices;
  const open = media.getUserMedia.bind(media);
  media.getUserMedia = async (wish) => {
    const stream = await open(wish);
    window.openedAt = Date.now() / 1000;
    return stream;
  };
"""
# Return the length of audio and the times at which sound follows half a second of silence.
ONSETS = """async (encoded) => {
  const bytes = Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0));
  const sound = await new AudioContext().decodeAudioData(bytes.buffer);
  const samples = sound.getChannelData(0);
  const frame = Math.round(sound.sampleRate / 20);
  const onsets = [];
  let silent = 10;
  for (let at = 0; at + frame <= samples.length; at += frame) {
    const loud = samples.subarray(at, at + frame).some((level) => Math.abs(level) > 0.03);
    if (loud && silent >= 10) onsets.push(at / sound.sampleRate);
    silent = loud ? 0 : silent + 1;
  }
  return { length: sound.duration, onsets };
}"""


def spoken(words: str, path) -> array.array:
    """Return samples of a synthetic voice, or of a tone where there is none."""
    if shutil.which("espeak-ng"):
        subprocess.run(["espeak-ng", "-w", str(path), words], check=True)
        with wave.open(str(path)) as sound:
            assert (sound.getframerate(), sound.getsampwidth()) == (RATE, 2)
            samples = array.array("h", sound.readframes(sound.getnframes()))
        while samples and abs(samples[0]) < 300:  # begins with its first sound
            del samples[0]
        return samples
    tone = (int(9_000 * math.sin(n * 440 * math.tau / RATE)) for n in range(RATE))
    return array.array("h", tone)


@pytest.fixture
def microphone(browser_type, browser_type_launch_args, tmp_path):
    """Return a page of a Chromium whose microphone plays the voice once."""
    samples = array.array("h", bytes(2 * RATE * LENGTH))
    for at, words in zip(TIMES, SAID, strict=True):
        voice = spoken(words, tmp_path / "words.wav")[: 3 * RATE]
        start = int(at * RATE)
        samples[start : start + len(voice)] = voice
    path = tmp_path / "voice.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        sound.writeframes(samples.tobytes())
    flags = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}%noloop",
        "--autoplay-policy=no-user-gesture-required",
    ]
    args = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], *flags]}
    browser = browser_type.launch(**args)
    page = browser.new_context(permissions=["microphone"]).new_page()
    page.add_init_script(OPENED)
    yield page
    browser.close()


def test_a_voice_is_recorded_through_a_lost_network_aligned_and_erased(microphone, live_server):
    page = microphone
    work = begun(recorded_study(), bob())
    consented = database_now() - timedelta(seconds=100)
    Assignment.objects.filter(pk=work.pk).update(started_at=consented)
    page.goto(f"{live_server.url}/w/{work.token}/judging/recording/")
    page.locator("[data-record]").click()
    expect(page.locator("[data-stop]")).to_be_visible()
    page.wait_for_timeout(3_000)
    page.context.set_offline(True)
    page.wait_for_timeout(5_000)
    page.context.set_offline(False)
    page.wait_for_timeout(5_000)
    opened_at = page.evaluate("window.openedAt")
    worked = page.evaluate("Date.now() / 1000") - opened_at
    page.locator("[data-stop]").click()
    expect(page.locator("[data-saved]")).to_be_visible(timeout=60_000)
    made = Recording.objects.get()
    assert made.chunks_expected == RecordingChunk.objects.count() > 4
    sound = b"".join(recordings.read_range(made, 0, recordings.size_of(made)))
    heard = page.evaluate(ONSETS, base64.b64encode(sound).decode())
    assert heard["length"] > worked - 1  # no second lost
    assert len(heard["onsets"]) >= len(TIMES)
    session = ModeratedSession.objects.get()
    truth = [opened_at - consented.timestamp() + at for at in TIMES]
    nearest = [
        min((session.offset + onset for onset in heard["onsets"]), key=lambda at: abs(at - true))
        for true in truth
    ]
    assert nearest == pytest.approx(truth, abs=1)
    rows = [f"{at - session.offset:.3f},{words}" for at, words in zip(nearest, SAID, strict=True)]
    content = "\n".join(["start,text", *rows]).encode()
    assert saving_sessions.import_transcript(session=session, content=content, by=None) == 3
    visits = [
        alignment.PageVisit(n, n, 1, true - 1, true + 1) for n, true in enumerate(truth, start=1)
    ]
    aligned = alignment.utterances_with_pages(session, visits)
    assert [visit and visit.position for _, visit in aligned] == [1, 2, 3]
    work.refresh_from_db()
    assigning.withdraw(assignment=work, now=database_now())
    for model in (ModeratedSession, Recording, RecordingChunk, Utterance):
        assert not model.objects.exists()
    page.reload()
    expect(page.locator("[data-record], [data-saved]")).to_have_count(0)
