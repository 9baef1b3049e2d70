"""Sessions: encrypted recordings in chunks, transcripts on pages, notes, and their erasure."""

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.fieldwork.consenting import erasing_study_data, receipts
from annotation.fieldwork.work import assigning
from annotation.models import Batch, Keeping
from judging.coding import codebook_files, saving_codebooks, starting
from judging.models import (
    CodingUnit,
    Judgment,
    ModeratedSession,
    Presentation,
    Recording,
    RecordingChunk,
    SessionNote,
    Utterance,
)
from judging.sessions import alignment, recordings, saving_recordings, saving_sessions
from tests.cast import NOW, begun, bob, rita, small_study
from tests.hooks import elements
from tests.judging.coding.cast import TABLE, colleague
from tests.judging.sessions.cast import (
    PAGE,
    TRANSCRIPT,
    recorded,
    recorded_study,
    session_of,
    timed_work,
    tone,
    whole_session,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db
MODELS = (ModeratedSession, Recording, RecordingChunk, Utterance, SessionNote)


def address(session, name="session"):
    study = session.assignment.study
    return reverse(name, args=[study.slug, study.version, session.pk])


# -- Pages -----------------------------------------------------------------------------------------


def test_pages_are_visible_from_their_appearance_to_that_of_the_next():
    visits = alignment.visits_of(timed_work())
    assert [visit.position for visit in visits] == [1, 2, 3]
    assert [visit.start for visit in visits] == [0, PAGE, 2 * PAGE]
    assert visits[-1].end == 600  # submitted
    at = [alignment.visit_at(visits, seconds) for seconds in (-1, 19.9, 20, 599, 600)]
    assert [visit and visit.position for visit in at] == [None, 1, 2, 3, None]


def test_a_page_that_was_opened_again_is_visited_twice():
    work = timed_work()
    first = Presentation.objects.get(assignment=work, position=1)
    again = NOW + timedelta(seconds=100)
    answers = Judgment.objects.filter(assignment=work, item=first.item_id)
    answers.update(answered_at=again, milliseconds=5000, changes=1)
    visits = alignment.visits_of(work)
    assert [visit.position for visit in visits] == [1, 2, 3, 1]
    assert visits[-1].start == 95


def test_without_measured_times_a_page_follows_the_last_answer_before_it():
    work = timed_work()
    Judgment.objects.filter(assignment=work).update(milliseconds=None)
    assert [visit.start for visit in alignment.visits_of(work)] == [0, PAGE, 2 * PAGE]


def test_the_offset_moves_utterances_to_other_pages():
    session = whole_session()

    def pages():
        rows = alignment.utterances_with_pages(session)
        return [visit and visit.position for _, visit in rows]

    assert pages() == [1, 2, 3]
    saving_sessions.set_offset(session=session, offset=-2)
    assert pages() == [None, 1, 3]


def test_work_without_answers_has_no_visits():
    assert alignment.visits_of(begun(recorded_study(), bob())) == []


# -- Recording -------------------------------------------------------------------------------------


def test_a_recording_is_encrypted_and_read_in_any_range():
    content = tone(200)
    made = recorded(session_of(timed_work()), content)
    assert made.media_type == "audio/wav"
    assert made.chunks.count() == 4
    assert all(b"\x80" * 50 not in bytes(chunk.data) for chunk in made.chunks.all())
    assert b"".join(recordings.read_range(made, 0, len(content))) == content
    middle = saving_recordings.CHUNK
    assert (
        b"".join(recordings.read_range(made, middle - 3, middle + 4))
        == content[middle - 3 : middle + 4]
    )


def test_chunks_are_taken_in_any_order_and_once():
    session = session_of(timed_work())
    made = saving_recordings.begin(session=session, now=NOW)
    for number, content in [(2, b"b"), (1, tone(1)), (2, b"other")]:
        saving_recordings.save_chunk(recording=made, number=number, content=content)
    with refused("ChunksMissing"):
        saving_recordings.finish(recording=made, chunks=3, by=None)
    saving_recordings.finish(recording=made, chunks=2, by=None)
    saving_recordings.finish(recording=made, chunks=2, by=None)
    size = recordings.size_of(made)
    assert b"".join(recordings.read_range(made, 0, size)) == tone(1) + b"b"
    late = {"recording": made, "number": 3, "content": b"c"}
    with refused("RecordingComplete"):
        saving_recordings.save_chunk(**late)


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"MZ no audio", "NotAudio"), (b"", "BadChunk"), (b"ID3" * 200_000, "BadChunk")],
)
def test_other_files_are_refused(content, code):
    made = saving_recordings.begin(session=session_of(timed_work()), now=NOW)
    with refused(code):
        saving_recordings.save_chunk(recording=made, number=1, content=content)


def test_a_recording_has_a_limit(monkeypatch):
    monkeypatch.setattr(saving_recordings, "LIMIT", 10_000)
    made = saving_recordings.begin(session=session_of(timed_work()), now=NOW)
    saving_recordings.save_chunk(recording=made, number=1, content=tone(1))
    more = {"recording": made, "number": 2, "content": tone(1)}
    with refused("TooLong"):
        saving_recordings.save_chunk(**more)


def test_a_new_recording_replaces_the_previous_one():
    session = whole_session()
    recorded(session, tone(2))
    assert recordings.size_of(Recording.objects.get()) == len(tone(2))


def test_the_previous_recording_stays_until_a_new_one_is_complete():
    session = whole_session()
    kept = Recording.objects.get()
    for _ in range(saving_recordings.MOST_INCOMPLETE):
        made = saving_recordings.begin(session=session, now=NOW, offset=5)
        with refused("NotAudio"):
            saving_recordings.save_chunk(recording=made, number=1, content=b"MZ no audio")
        assert Recording.objects.filter(pk=kept.pk).exists()
        saving_recordings.save_chunk(recording=made, number=1, content=tone(1))
    with refused("TooManyIncomplete"):
        saving_recordings.begin(session=session, now=NOW)
    session.refresh_from_db()
    assert session.offset == 0
    saving_recordings.finish(recording=made, chunks=1, by=None)
    session.refresh_from_db()
    assert (Recording.objects.get(), session.offset) == (made, 5)


def test_the_part_that_arrived_can_be_used(client):
    client.force_login(rita())
    session = session_of(timed_work())
    here = address(session)
    assert client.post(here, {"act": "use_incomplete"}).status_code == 409
    made = saving_recordings.begin(session=session, now=NOW)
    for number in (1, 2, 4):
        saving_recordings.save_chunk(recording=made, number=number, content=tone(1))
    assert elements(client.get(here).text, "data-incomplete")
    assert client.post(here, {"act": "use_incomplete"}).status_code == 302
    made.refresh_from_db()
    assert (made.chunks_expected, recordings.size_of(made)) == (2, 2 * len(tone(1)))


def test_only_recorded_studies_have_sessions():
    work = begun(small_study(), bob())
    with refused("NotRecorded"):
        saving_sessions.make(assignment=work, now=NOW)


def test_a_withdrawn_participant_has_no_session():
    work = timed_work()
    assigning.withdraw(assignment=work, now=NOW)
    with refused("NoConsent"):
        saving_sessions.make(assignment=work, now=NOW)


# -- Console ---------------------------------------------------------------------------------------


def test_the_console_takes_chunks_and_plays_ranges(client):
    client.force_login(rita())
    session = session_of(timed_work())
    place = address(session, "session_recording")
    pk = client.post(f"{place}?begin=file").json()["saved"]
    sent = {"content_type": "application/octet-stream", "data": tone(2)}
    assert client.post(f"{place}?recording={pk}&number=0", **sent).status_code == 404
    assert client.post(f"{place}?recording={pk}&number=1", **sent).status_code == 200
    assert client.post(f"{place}?recording={pk}&chunks=2").status_code == 409
    assert client.post(f"{place}?recording={pk}&chunks=1").status_code == 200
    whole = client.get(place)
    assert (b"".join(whole), whole["Content-Type"]) == (tone(2), "audio/wav")
    part = client.get(place, headers={"Range": "bytes=10-19"})
    assert (part.status_code, b"".join(part)) == (206, tone(2)[10:20])
    assert part["Content-Range"] == f"bytes 10-19/{len(tone(2))}"
    assert b"".join(client.get(place, headers={"Range": "bytes=-5"})) == tone(2)[-5:]
    assert client.get(place, headers={"Range": "bytes=99999999-"}).status_code == 416


def test_a_live_recording_begins_at_its_time_since_consent(client):
    client.force_login(rita())
    session = session_of(timed_work())
    client.post(f"{address(session, 'session_recording')}?begin=now")
    made = Recording.objects.get()
    assert made.offset > 0
    saving_recordings.save_chunk(recording=made, number=1, content=tone(1))
    saving_recordings.finish(recording=made, chunks=1, by=None)
    session.refresh_from_db()
    assert session.offset == made.offset


def test_the_console_saves_offset_transcript_and_notes(client):
    client.force_login(rita())
    study = recorded_study()
    work = timed_work(study)
    place = reverse("sessions", args=[study.slug, study.version])
    assert client.get(place).status_code == 200
    client.post(place, {"work": work.pk})
    session = ModeratedSession.objects.get()
    here = address(session)
    assert client.post(here, {"act": "offset", "offset": "1,5"}).status_code == 302
    assert client.post(here, {"act": "offset", "offset": "soon"}).status_code == 422
    assert client.post(here, {"act": "offset", "offset": "nan"}).status_code == 422
    file = SimpleUploadedFile("talk.vtt", TRANSCRIPT)
    assert client.post(here, {"act": "transcript", "file": file}).status_code == 302
    assert client.post(here, {"act": "transcript"}).status_code == 422
    assert client.post(here, {"act": "note", "text": "Smiles.", "at": "12.5"}).status_code == 302
    assert client.post(here, {"act": "note", "text": ""}).status_code == 422
    session.refresh_from_db()
    assert (session.offset, session.utterances.count()) == (1.5, 3)
    note = session.notes.get()
    assert (note.at, note.text) == (12.5, "Smiles.")
    page = client.get(here)
    assert page["Permissions-Policy"].startswith("microphone=(self), accelerometer=()")
    assert "microphone=()" in client.get(place)["Permissions-Policy"]
    client.post(here, {"act": "delete_note", "note": note.pk})
    assert not session.notes.exists()


def test_a_viewer_reads_no_session(client):
    session = whole_session()
    client.force_login(colleague(session.assignment.study, "vera", role="viewer"))
    for name in ("session", "session_recording"):
        assert client.get(address(session, name)).status_code == 403


# -- Consent and erasure ---------------------------------------------------------------------------


def test_the_consent_page_names_the_recording(client):
    study = recorded_study()
    assert b"data-session-recording" in client.get(f"/s/{study.slug}/").content
    Keeping.objects.create(study=study, recordings_until=date(2099, 1, 1))
    assert len(receipts.promised(study)) == 1


def test_other_studies_name_no_recording(client):
    study = small_study()
    assert b"data-session-recording" not in client.get(f"/s/{study.slug}/").content


def test_a_withdrawal_erases_the_session():
    session = whole_session()
    assert len(receipts.kept_of([session.assignment])) == 2
    assigning.withdraw(assignment=session.assignment, now=NOW)
    assert not any(model.objects.exists() for model in MODELS)


def test_retention_erases_sessions_and_coded_utterances():
    session = whole_session()
    study = session.assignment.study
    coding_of_utterances(study)
    Batch.objects.filter(study=study).update(state=Batch.State.CLOSED, closed_at=NOW)
    assert erasing_study_data.forget(study=study, what="recordings", now=NOW).n == 1
    assert not any(model.objects.exists() for model in (*MODELS, CodingUnit))
    assert Judgment.objects.exists()


# -- Coding ----------------------------------------------------------------------------------------


def coding_of_utterances(study):
    book = codebook_files.read(TABLE)
    version = saving_codebooks.save(team=study.team, file=book, by=None, now=NOW, name="Book")
    return starting.start(
        study=study, version=version, name="Spoken", kinds=["utterance"], by=None, now=NOW
    )


def test_utterances_are_coded_on_their_pages():
    session = whole_session()
    coding = coding_of_utterances(session.assignment.study)
    units = list(coding.units.order_by("position"))
    assert [unit.text for unit in units] == [
        "Rita: Please think aloud.", "Bob: This text is short.", "Bob: Both are fine.",
    ]  # fmt: skip
    pages = Presentation.objects.filter(assignment=session.assignment).order_by("position")
    assert [unit.item_id for unit in units] == [page.item_id for page in pages]


def test_a_coded_transcript_is_not_replaced():
    session = whole_session()
    coding_of_utterances(session.assignment.study)
    again = {"session": session, "content": TRANSCRIPT, "by": None}
    with refused("Coded"):
        saving_sessions.import_transcript(**again)
