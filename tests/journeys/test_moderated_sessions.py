"""Rita uploads or records a session and finds pages by utterance; a withdrawal erases it."""

import struct
import time
import wave

import pytest
from django.test import Client
from playwright.sync_api import expect

from annotation.fieldwork.work import assigning
from annotation.models import Assignment
from judging.models import ModeratedSession, Recording, RecordingChunk, SessionNote, Utterance
from tests.cast import begun, bob, rita
from tests.judging.sessions.cast import TRANSCRIPT, recorded_study, timed_work, tone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page, live_server, user):
    client = Client()
    client.force_login(user)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def opened(page, live_server, work):
    sign_in(page, live_server, rita())
    page.goto(f"{live_server.url}/studies/{work.study.slug}/{work.study.version}/sessions/")
    page.locator("[data-new-session] button").click()
    expect(page.locator("[data-session]")).to_be_visible()


def test_an_uploaded_session_is_read_page_by_page_and_erased(page, live_server, axe):
    work = timed_work()
    opened(page, live_server, work)
    assert not axe(page)
    sound = {"name": "talk.wav", "mimeType": "audio/wav", "buffer": tone(120)}
    page.locator("#audio").set_input_files(sound)
    page.locator("[data-send]").click()
    expect(page.locator("[data-audio]")).to_be_visible()
    assert RecordingChunk.objects.count() == 2
    talk = {"name": "talk.vtt", "mimeType": "text/vtt", "buffer": TRANSCRIPT}
    page.locator("#transcript").set_input_files(talk)
    page.locator("[data-transcript-form] button").click()
    expect(page.locator("[data-utterance]")).to_have_count(3)
    assert not axe(page)
    page.locator("[data-utterance='2'] [data-seek]").click()
    expect(page.locator("[data-page-number]")).to_have_text("2")
    expect(page.locator("[data-page-shown] .scrolls")).to_have_count(2)
    expect(page.locator("[data-audio]")).to_have_js_property("currentTime", 21.5)
    page.locator("#text").fill("Hesitates.")
    page.locator("[data-note-form] button").click()
    expect(page.locator("[data-note]")).to_have_count(1)
    assert SessionNote.objects.get().at == pytest.approx(21.5)
    page.locator("#offset").fill("-2")
    page.locator("[data-offset-form] button").click()
    expect(page.locator("[data-utterance='2'] [data-page]")).to_have_text("1")
    assigning.withdraw(assignment=Assignment.objects.get(pk=work.pk), now=work.submitted_at)
    assert page.reload().status == 404
    for model in (ModeratedSession, Recording, RecordingChunk, Utterance, SessionNote):
        assert not model.objects.exists()


@pytest.fixture
def microphone(browser_type, browser_type_launch_args, tmp_path):
    """Return a page of a Chromium whose microphone plays a tone."""
    path = tmp_path / "voice.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        wave_of = (12_000 if n // 40 % 2 else -12_000 for n in range(16_000 * 5))
        sound.writeframes(b"".join(struct.pack("<h", level) for level in wave_of))
    flags = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}",
        "--autoplay-policy=no-user-gesture-required",
    ]
    args = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], *flags]}
    browser = browser_type.launch(**args)
    yield browser.new_context(permissions=["microphone"]).new_page()
    browser.close()


def test_a_recording_survives_a_lost_network(microphone, live_server):
    page, work = microphone, begun(recorded_study(), bob())
    opened(page, live_server, work)
    asked = time.monotonic()
    page.locator("[data-record]").click()
    expect(page.locator("[data-stop]")).to_be_visible()
    started = time.monotonic()
    page.locator("#text").fill("Begins calmly.")
    page.locator("[data-note-form] button").click()
    expect(page.locator("[data-note]")).to_have_count(1)
    expect(page.locator("[data-stop]")).to_be_visible()
    assert 0 <= SessionNote.objects.get().at < time.monotonic() - asked
    page.wait_for_timeout(2_500)
    page.context.set_offline(True)
    page.wait_for_timeout(5_000)
    before = RecordingChunk.objects.count()
    page.context.set_offline(False)
    page.wait_for_timeout(1_000)
    least = time.monotonic() - started
    page.locator("[data-stop]").click()
    most = time.monotonic() - asked
    audio = page.locator("[data-audio]")
    expect(audio).to_be_visible(timeout=90_000)
    made = Recording.objects.get()
    assert made.media_type == "audio/webm"
    assert made.chunks_expected == RecordingChunk.objects.count() > before
    duration = audio.evaluate(
        """element => new Promise(resolve => {
             const tell = () => isFinite(element.duration) && resolve(element.duration);
             element.addEventListener("durationchange", tell);
             element.currentTime = 1e9;
             tell();
           })"""
    )
    assert least - 1 < duration < most + 1
