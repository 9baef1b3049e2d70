"""Somebody came first under the id of another, who is told what to do; a click lets them in."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.fieldwork.recruiting import releasing_held_up
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, AuditEntry, HeldUp, Place
from annotation.studies.waiting_notices import waiting_in
from tests.cast import begun, bob, prolific_link, rita, small_study
from tests.hooks import numbers, values

pytestmark = pytest.mark.django_db
AGREE = {"agree": "yes"}
AT = ["lamps", 1]
FIRST, REAL = prolific_link("bob", submission="made-up"), prolific_link("bob", submission="real")


@pytest.fixture
def study():
    return small_study(responses=3, items=1, recruitment="prolific")


@pytest.fixture
def real(client, study):
    """Return the browser of Bob, in whose place a stranger has begun under his id."""
    assert type(client)().post(FIRST, AGREE).status_code == 302
    return client


def let_in(client, study, work):
    at = [study.slug, study.version]
    return client.post(reverse("let_in", args=[*at, work.pk]), follow=True)


def hand_in():
    Assignment.objects.update(state="submitted", submitted_at=timezone.now())
    return Assignment.objects.get()


def reject(work):
    reviewing.decide(
        assignment=work, decision="reject", reviewer="rita", reason="So.", now=timezone.now()
    )


def waits(study):
    notices = waiting_in([study], {}, now=timezone.now())[study.pk]
    return [notice.sentence for notice in notices if notice.address == reverse("held_up", args=AT)]


def is_let_in(response):
    """Return whether the page after letting somebody in reports success."""
    return values(response.content.decode(), "data-message") == ["success"]


def test_the_person_reads_whom_to_write_to_and_the_researcher_sees_that_they_came(real, study):
    for times in (1, 2, 3):
        page = real.get(REAL) if times % 2 else real.post(REAL, AGREE)
        assert page.status_code == 409
        assert 'data-refusal="OtherSession"' in page.content.decode()
        assert HeldUp.objects.get().times == times
    (said,) = waiting_in([study], {}, now=timezone.now())[study.pk]
    assert (said.address, numbers(said.sentence)) == (reverse("held_up", args=AT), [1])


def test_one_click_lets_them_in_and_the_other_does_not_come_back(real, study):
    stranger = Assignment.objects.get()
    real.get(REAL)
    desk = type(real)()
    desk.force_login(rita())
    page = desk.get(reverse("held_up", args=[study.slug, study.version])).content.decode()
    assert stranger.worker.pseudonym in page
    assert "data-not-asked" in page
    for _ in range(2):  # a double click
        assert is_let_in(let_in(desk, study, stranger))
    assert AuditEntry.objects.filter(act="let in a blocked participant").count() == 1
    stranger.refresh_from_db()
    assert (stranger.state, Place.objects.filter(assignment=stranger).exists()) == (
        "expired",
        False,
    )
    assert type(real)().post(FIRST, AGREE).status_code == 302  # as another go, not with that work
    assert Assignment.objects.live().get().worker == stranger.worker  # and not as Bob
    with pytest.raises(NotLive):
        assigning.revive(assignment=stranger, now=timezone.now())
    assert not HeldUp.objects.waiting().exists()


def test_then_the_person_begins(real, study):
    real.get(REAL)
    releasing_held_up.release(work=Assignment.objects.get(), user=None, now=timezone.now())
    assert real.post(REAL, AGREE).status_code == 302
    assert Assignment.objects.live().count() == 1
    assert Assignment.objects.count() == 2


def test_work_that_was_handed_in_meanwhile_stays(real, study):
    real.get(REAL)
    work = hand_in()
    desk = type(real)()
    desk.force_login(rita())
    assert 'data-message="error"' in let_in(desk, study, work).content.decode()
    work.refresh_from_db()
    assert (work.state, HeldUp.objects.get().released_at) == ("submitted", None)


def test_nobody_is_let_in_where_nobody_was_held_up(study):
    work = begun(study, bob())
    releasing_held_up.release(work=work, user=None, now=timezone.now() + timedelta(hours=1))
    work.refresh_from_db()
    assert work.state == "active"


# -- The stranger has handed in: all that one person may do is done --------------------------------


def test_who_finds_their_turn_taken_reads_whom_to_write_to_and_the_researcher_sees_it(real, study):
    hand_in()
    assert not waits(study)
    page = real.post(REAL, AGREE)
    assert (page.status_code, HeldUp.objects.get().times) == (409, 1)
    assert 'data-refusal="DoneInOtherSession"' in page.content.decode()
    assert numbers(waits(study)[0]) == [1]


def test_who_did_the_work_is_led_to_it_and_holds_nobody_up(real, study):
    hand_in()
    stranger = type(real)()
    assert stranger.post(FIRST, AGREE).status_code == 302
    assert not HeldUp.objects.exists()


def test_the_work_is_rejected_first_and_then_the_person_is_let_in_and_begins(real, study):
    work = hand_in()
    real.post(REAL, AGREE)
    desk = type(real)()
    desk.force_login(rita())
    assert not is_let_in(let_in(desk, study, work))
    assert real.post(REAL, AGREE).status_code == 409
    reject(work)
    assert real.post(REAL, AGREE).status_code == 409  # a rejection alone opens no further task
    assert is_let_in(let_in(desk, study, work))
    assert not waits(study)
    assert real.post(REAL, AGREE).status_code == 302
    assert Assignment.objects.live().count() == 1
    again = type(real)().post(FIRST, AGREE)
    assert again.headers["location"] == f"/w/{work.token}/"  # to the end of their own work
    assert Assignment.objects.count() == 2


def test_work_that_is_accepted_after_all_is_the_strangers_and_holds_nobody_up(real, study):
    work = hand_in()
    real.post(REAL, AGREE)
    reject(work)
    releasing_held_up.release(work=work, user=None, now=timezone.now())
    reviewing.decide(assignment=work, decision="accept", reviewer="rita", now=timezone.now())
    assert real.post(REAL, AGREE).status_code == 302
    assert not waits(study)
    assert Assignment.objects.live().get().worker != work.worker


def test_a_person_who_came_again_to_their_own_work_waits_for_nothing(real, study):
    work = hand_in()
    real.post(REAL, AGREE)
    desk = type(real)()
    desk.force_login(rita())
    address = reverse("leave_held_up", args=[study.slug, study.version, work.pk])
    assert "data-held=" not in desk.post(address, follow=True).content.decode()
    assert not waits(study)
    real.post(REAL, AGREE)
    assert waits(study)


def test_a_stranger_who_withdraws_takes_no_turn_for_good(real, study):
    work = Assignment.objects.get()
    assigning.withdraw(assignment=work, now=timezone.now())
    assert real.post(REAL, AGREE).status_code == 409
    assert waits(study)
    releasing_held_up.release(work=work, user=None, now=timezone.now())
    assert real.post(REAL, AGREE).status_code == 302
