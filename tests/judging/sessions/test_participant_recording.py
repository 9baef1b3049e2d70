"""Participants record their session in their own browser, over the address of their work."""

import pytest
from django.urls import reverse

from annotation.fieldwork.work import assigning
from judging.models import ModeratedSession, Recording, RecordingChunk
from judging.sessions import recordings
from tests.cast import HOUR, NOW, begun, bob, small_study, worker
from tests.hooks import elements
from tests.judging.sessions.cast import recorded_study, tone

pytestmark = pytest.mark.django_db


def sent(client, work, query, content=b""):
    address = reverse("judging:recording", args=[work.token])
    return client.post(f"{address}?{query}", content, content_type="application/octet-stream")


def test_a_participant_records_in_chunks_which_may_be_repeated(client):
    work = begun(recorded_study(), bob())
    address = reverse("judging:recording", args=[work.token])
    page = client.get(address)
    assert page.headers["Permissions-Policy"].startswith("microphone=(self)")
    assert elements(page.text, "data-record")
    pk = sent(client, work, "begin=now&ago=7000").json()["saved"]
    sound = tone(2)
    for number, part in [(1, sound[:9000]), (2, sound[9000:]), (1, sound[:9000])]:
        assert sent(client, work, f"recording={pk}&number={number}", part).status_code == 200
    assert sent(client, work, f"recording={pk}&chunks=3").status_code == 409
    assert sent(client, work, f"recording={pk}&chunks=2").json() == {"saved": pk}
    made = Recording.objects.get()
    assert b"".join(recordings.read_range(made, 0, recordings.size_of(made))) == sound
    session = ModeratedSession.objects.get()
    began = (made.made_at - work.started_at).total_seconds() - 7
    assert session.offset == made.offset == pytest.approx(began)
    assert elements(client.get(address).text, "data-saved")
    again = sent(client, work, "begin=now")
    assert (again.status_code, again.json()["refusal"]) == (409, "AlreadyRecorded")
    assert Recording.objects.count() == 1


def test_a_withdrawal_erases_it_and_ends_it(client):
    work = begun(recorded_study(), bob())
    pk = sent(client, work, "begin=now").json()["saved"]
    sent(client, work, f"recording={pk}&number=1", tone(1))
    assigning.withdraw(assignment=work, now=NOW + HOUR)
    assert not RecordingChunk.objects.exists()
    assert not ModeratedSession.objects.exists()
    assert sent(client, work, f"recording={pk}&number=2", tone(1)).status_code == 404
    assert sent(client, work, "begin=now").status_code == 409
    assert not ModeratedSession.objects.exists()
    assert client.get(reverse("judging:recording", args=[work.token])).status_code == 302


def test_a_recording_of_somebody_else_is_not_there(client):
    study = recorded_study(quota=2)
    first, second = begun(study, bob()), begun(study, worker("dora"))
    pk = sent(client, first, "begin=now").json()["saved"]
    assert sent(client, second, f"recording={pk}&number=1", tone(1)).status_code == 404
    assert not RecordingChunk.objects.exists()


@pytest.mark.parametrize("recorded", [True, False])
def test_the_link_is_in_the_instructions_of_recorded_studies_alone(client, recorded):
    work = begun(small_study(recorded=recorded), bob())
    page = client.get(reverse("instructions", args=[work.token])).text
    assert bool(elements(page, "data-record-link")) == recorded
