"""Sessions over the API and as a file; recordings after a change of the server's key."""

import pytest
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from annotation.fieldwork.recruiting.rotating_keys import rotate
from judging.coding import codebook_files, reconciling, saving_codebooks, starting
from judging.models import Recording
from judging.sessions import recordings, saving_sessions
from tests.analysis.exports.exported import jsonl
from tests.cast import NOW, rita
from tests.judging.coding.cast import KEYS, TABLE, code_all, two_coders
from tests.judging.sessions.cast import (
    TRANSCRIPT,
    recorded,
    session_of,
    timed_work,
    tone,
)

pytestmark = pytest.mark.django_db


def test_utterances_are_a_file_with_offset_page_and_codes(tmp_path):
    session = session_of(timed_work())
    saving_sessions.import_transcript(session=session, content=TRANSCRIPT, by=None)
    saving_sessions.set_offset(session=session, offset=-2)
    study = session.assignment.study
    book = codebook_files.read(TABLE)
    version = saving_codebooks.save(team=study.team, file=book, by=None, now=NOW, name="Book")
    coding = starting.start(
        study=study, version=version, name="Talk", kinds=["utterance"], by=None, now=NOW
    )
    for coder in two_coders(coding):
        code_all(coder, [[KEYS[0], KEYS[1]], [], [KEYS[2]]])
    write_bundle(study=study, out=tmp_path)
    path = tmp_path / "utterances.jsonl.gz"
    assert {row["codes"] for row in jsonl(path)} == {""}  # still blind
    reconciling.close(coding=coding, by=None, now=NOW)
    write_bundle(study=study, out=tmp_path)
    rows = jsonl(path)
    assert [(row["utterance"], row["start"], row["end"]) for row in rows] == [
        (1, 1, 3.5),
        (2, 21.5, 25),
        (3, 45, 47),
    ]
    assert [(row["offset"], row["since_consent"]) for row in rows] == [
        (-2, -1),
        (-2, 19.5),
        (-2, 43),
    ]
    assert [row["position"] for row in rows] == [None, 1, 3]
    assert [row["speaker"] for row in rows] == ["Rita", "Bob", "Bob"]
    assert [row["codes"] for row in rows] == [
        f"Talk: {KEYS[0]} | Talk: {KEYS[1]}",
        "",
        f"Talk: {KEYS[2]}",
    ]


def test_a_study_without_transcripts_has_no_such_file(tmp_path):
    write_bundle(study=timed_work().study, out=tmp_path)
    assert not (tmp_path / "utterances.jsonl.gz").exists()


def test_sessions_are_read_and_changed_over_the_api(client):
    client.force_login(rita())
    work = timed_work()
    many = reverse("api_sessions", args=[work.study.slug, 1])
    json = "application/json"
    made = client.post(many, {"assignment": work.pk}, content_type=json)
    assert made.status_code == 201
    row = made.json()
    assert (row["assignment"], row["recorded"], row["utterances"]) == (work.pk, False, 0)
    assert client.get(many).json() == [row]
    assert client.post(many, {"assignment": 10**9}, content_type=json).status_code == 404
    one = reverse("api_session", args=[work.study.slug, 1, row["id"]])
    sent = {
        "offset": -2,
        "transcript": TRANSCRIPT.decode(),
        "note": "Hm.",
        "question": "Why?",
        "at": 3,
    }
    whole = client.post(one, sent, content_type=json).json()
    assert (whole["offset"], whole["utterances"], whole["notes"]) == (-2, 3, 1)
    assert [said["page"] for said in whole["transcript"]] == [None, 1, 3]
    assert whole["moderator_notes"] == [{"at": 3, "question": "Why?", "text": "Hm."}]
    assert client.get(one).json() == whole
    for bad in ({"offset": 10**9}, {"transcript": "no table"}):
        assert client.post(one, bad, content_type=json).status_code in (400, 422)


def test_a_recording_is_read_after_a_change_of_the_key(settings):
    settings.PSEUDONYM_KEY = "o" * 40
    made = recorded(session_of(timed_work()), tone(3))
    before = bytes(made.sealed_key)
    settings.PSEUDONYM_KEY = "n" * 40
    assert rotate(old="o" * 40)["keys of recordings"] == 1
    made = Recording.objects.get()
    assert bytes(made.sealed_key) != before
    assert b"".join(recordings.read_range(made, 0, recordings.size_of(made))) == tone(3)
    assert rotate(old="o" * 40)["keys of recordings"] == 0
