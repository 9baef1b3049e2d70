"""Messages to participants and requests to return: sent once, kept, and erased with the person."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.consenting import erasing_study_data
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.fake_prolific.troubles import ApiTrouble, ProlificTrouble
from annotation.fieldwork.recruiting.prolific import messaging
from annotation.fieldwork.work import assigning
from annotation.models import AuditEntry, PlatformMessage, PlatformSubmission
from annotation.people.pseudonyms import encrypted
from annotation.studies.setting_retention import PLATFORM_IDS
from tests.annotation.fieldwork.paying.ordered import at_prolific
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import NOW, begun, prolific_id, rita, small_study, worker
from tests.refusals import refused

pytestmark = pytest.mark.django_db
Kind, State = PlatformMessage.Kind, PlatformMessage.State
TEXT = "Your answers did not arrive. Did something go wrong?"


@pytest.fixture
def fake():
    return Fake()


@pytest.fixture
def submission(fake):
    """Bob entered a code at Prolific while his work here is open."""
    study = small_study(recruitment="prolific", pay="3.00")
    work = begun(study, worker("bob"))
    there = fake.published()
    external_id = fake.arrived(there, prolific_id("bob"))
    fake.control(f"submissions/{external_id}/complete/", code="DONE")
    row = at_prolific(work, "AWAITING REVIEW", code="DONE")
    row.platform_study.external_id = there
    row.platform_study.save()
    row.external_id = encrypted(external_id)
    row.save()
    return row


def write(submission, fake, kind=Kind.MESSAGE, body=TEXT, number=0):
    return messaging.write(
        submission=submission,
        kind=kind,
        body=body,
        number=number,
        user=None,
        now=NOW,
        desk=fake.client,
    )


def theirs(submission, fake):
    return fake.world.submission(submission.submission)


def test_a_message_reaches_its_participant_once(submission, fake):
    write(submission, fake)
    with refused("SentBefore"):
        write(submission, fake)  # the same form again
    assert theirs(submission, fake).messages == [TEXT]
    assert PlatformMessage.objects.get().state == State.SENT
    assert AuditEntry.objects.get(act="messaged a participant").what == "bob"


def test_a_return_is_requested_with_its_reason(submission, fake):
    write(submission, fake, Kind.RETURN)
    assert theirs(submission, fake).return_reasons == [TEXT]
    assert theirs(submission, fake).messages == []


@pytest.mark.parametrize("kind", list(Kind))
def test_a_message_whose_answer_was_lost_is_not_sent_again(submission, fake, kind):
    where = "messages" if kind == Kind.MESSAGE else "request-return"
    fake.api.troubles.waiting.append(ApiTrouble(ProlificTrouble.ERROR_AFTER, where))
    with pytest.raises(calls.OutcomeUnknown):
        write(submission, fake, kind)
    sent = theirs(submission, fake).messages + theirs(submission, fake).return_reasons
    assert sent == [TEXT]
    assert PlatformMessage.objects.get().state == State.UNKNOWN


@pytest.mark.parametrize("status", ["APPROVED", "RETURNED", "TIMED-OUT", "REJECTED"])
def test_no_return_is_requested_of_what_is_over(submission, fake, status):
    PlatformSubmission.objects.update(status=status)
    submission.refresh_from_db()
    with refused("NoMessage"):
        write(submission, fake, Kind.RETURN)
    write(submission, fake)  # a message is possible
    assert theirs(submission, fake).messages == [TEXT]


@pytest.mark.parametrize("body", ["", "  \n", "\x00", "x" * 3001])
def test_a_message_has_a_text_that_fits(submission, fake, body):
    with refused("MessageTooLong" if len(body) > 3000 else "EmptyMessage"):
        write(submission, fake, body=body)
    assert not PlatformMessage.objects.exists()


def test_in_a_dry_run_nothing_is_sent_and_the_page_says_so(submission, settings):
    settings.RECRUITING_DRY_RUN, settings.PROLIFIC_TOKEN = True, "t"
    settings.PROLIFIC_URL = "http://127.0.0.1:9/"
    client = Client()
    client.force_login(rita())
    study = submission.platform_study.study
    address = reverse("contact_participant", args=[study.slug, study.version, submission.pk])
    assert 'name="body"' in client.get(address).text
    sent = client.post(address, {"kind": "return", "body": TEXT, "number": "0"})
    assert sent.status_code == 409
    assert TEXT in sent.text  # what was typed is not lost
    assert PlatformMessage.objects.get().state == State.REFUSED


def test_what_was_written_is_erased_with_the_person_and_with_the_ids(submission, fake):
    write(submission, fake)
    assigning.withdraw(assignment=submission.assignment, now=NOW)
    assert not PlatformMessage.objects.exists()
    write(submission, fake)
    study = submission.platform_study.study
    study.batches.update(state="closed", closed_at=NOW)
    erasing_study_data.forget(
        study=study, what=PLATFORM_IDS, now=NOW, user=rita(), although_owed=True
    )
    assert not PlatformMessage.objects.exists()
    submission.refresh_from_db()
    with refused("NoMessage"):
        write(submission, fake)
