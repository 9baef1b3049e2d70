"""Who gets a place by a study's link, and whose work an arrival leads to."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import tasks
from annotation.fieldwork.recruiting import arriving
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning, pacing
from annotation.fieldwork.work.refusals import NoTaskLeft
from annotation.models import AddressPace, Assignment, Consent, Place, ReviewDecision, Worker
from annotation.refusals import Refusal
from tests.cast import (
    NOW,
    answer_all,
    begun,
    bob,
    onboarding_study,
    prolific_id,
    prolific_link,
    proof,
    small_study,
    submitted,
    worker,
)
from writing.models import Writing

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
AGREE, DECLINE = {"agree": "yes"}, {"agree": "no"}
BOB = prolific_link("bob")
BOB_AGAIN = prolific_link("bob", submission="second")


@pytest.fixture
def study():
    """Three tasks of one pair, two of them for each person."""
    return small_study(responses=3, items=1, recruitment="prolific", cap=2, consent_version="2b")


@pytest.fixture
def stranger(client):
    """Somebody who knows Bob's participant id and nothing else, in a browser of their own."""
    return type(client)()


def token(response):
    assert response.status_code == 302, response.content.decode()
    return response["Location"].split("/")[2]


def nothing_is_written():
    counted = (Assignment, Worker, Consent, AddressPace)
    return not any(model.objects.exists() for model in counted)


# -- A place is taken by whoever agrees -------------------------------------------------------


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_looking_at_a_link_takes_no_place_and_writes_nothing(client, recruitment):
    small_study(recruitment=recruitment)
    response = client.get(BOB)
    assert "data-consent" in response.content.decode()
    assert nothing_is_written()


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_who_agrees_gets_a_place_and_the_consent_is_recorded(client, recruitment):
    study = small_study(recruitment=recruitment, consent_version="2b")
    client.get(BOB)
    before = timezone.now()
    response = client.post(BOB, AGREE)
    assert response["Location"] == f"/w/{token(response)}/instructions/"
    assignment = Assignment.objects.get(study=study)
    assert (assignment.state, assignment.token) == ("active", token(response))
    consent = Consent.objects.get(worker=assignment.worker)
    assert consent.version == "2b"
    assert before <= consent.given_at <= timezone.now()


@pytest.mark.parametrize("form", [{}, {"agree": "perhaps"}])
def test_only_a_clear_yes_takes_a_place(client, study, form):
    client.get(BOB)
    assert "data-consent" in client.post(BOB, form).content.decode()
    assert nothing_is_written()


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_who_declines_leaves_nothing_behind(client, recruitment):
    small_study(recruitment=recruitment)
    client.get(BOB)
    assert "data-declined" in client.post(BOB, DECLINE).content.decode()
    assert nothing_is_written()


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_a_double_click_is_one_person(client, recruitment):
    small_study(quota=2, recruitment=recruitment)
    client.get(BOB)
    assert token(client.post(BOB, AGREE)) == token(client.post(BOB, AGREE))
    assert Assignment.objects.count() == 1


def test_a_plain_link_needs_cookies_and_says_so(client):
    small_study()
    assert "data-no-cookies" in client.post("/s/lamps/", AGREE).content.decode()
    assert nothing_is_written()


def test_prolific_needs_no_cookies(client, study):
    assert token(client.post(BOB, AGREE))
    client.cookies.clear()
    assert token(client.post(BOB, AGREE)) == Assignment.objects.get().token


def test_ids_are_the_same_in_capital_letters(client, study):
    mine = token(client.post(BOB, AGREE))
    path, _, query = BOB.partition("?")
    capitals = "&".join(
        f"{name}={value.upper()}" for name, value in (part.split("=") for part in query.split("&"))
    )
    client.cookies.clear()
    assert token(client.get(f"{path}?{capitals}")) == mine
    assert Worker.objects.count() == 1


def test_a_full_study_says_so_before_anybody_reads_and_agrees(client):
    small_study(recruitment="prolific")
    client.post(prolific_link("charlie"), AGREE)
    response = client.get(BOB)
    assert response.status_code == 409
    assert 'data-refusal="NoTaskLeft"' in response.content.decode()


def test_the_place_of_somebody_who_agrees_and_does_not_begin_is_soon_free(client):
    small_study(recruitment="prolific", time_limit_minutes=120)
    client.post(prolific_link("charlie"), AGREE)
    assigning.expire_due(now=timezone.now() + assigning.HOLD + timedelta(seconds=1))
    assert Place.objects.filter(assignment=None).count() == 1
    assert token(client.post(BOB, AGREE))


# -- Whose work it is -------------------------------------------------------------------------


def test_the_link_of_the_same_submission_leads_back_to_the_work_in_any_browser(
    client, stranger, study
):
    mine = token(client.post(BOB, AGREE))
    assert stranger.get(BOB)["Location"] == f"/w/{mine}/"
    assert token(stranger.post(BOB, AGREE)) == mine


def test_the_same_browser_leads_back_to_the_work_with_another_submission(client, study):
    client.get(BOB)
    mine = token(client.post(BOB, AGREE))
    assert client.get(BOB_AGAIN)["Location"] == f"/w/{mine}/"


@pytest.mark.parametrize("method", ["get", "post"])
def test_knowing_a_participant_does_not_lead_to_their_work(client, stranger, study, method):
    mine = token(client.post(BOB, AGREE))
    stranger.get(prolific_link("charlie"))  # has a cookie, of another person
    response = getattr(stranger, method)(BOB_AGAIN, AGREE if method == "post" else {})
    page = response.content.decode()
    assert (response.status_code, mine in page) == (409, False)
    assert 'data-refusal="OtherSession"' in page
    assert Assignment.objects.count() == 1


def test_a_cookie_of_another_person_does_not_lead_to_the_work_of_a_participant(client, study):
    client.post(BOB, AGREE)
    client.get(prolific_link("charlie"))
    theirs = token(client.post(prolific_link("charlie"), AGREE))
    assert Assignment.objects.addressed(theirs).get().worker != Assignment.objects.first().worker


def test_a_forged_cookie_is_nobodys(client, stranger, study):
    client.get(BOB)
    client.post(BOB, AGREE)
    signed = client.cookies["crowdwright_visitor"].value
    stranger.cookies["crowdwright_visitor"] = signed.split(":")[0] + ":abc:def"
    assert stranger.get(BOB_AGAIN).status_code == 409


def test_late_work_is_not_given_to_who_only_knows_the_participant(client, stranger, study):
    mine = token(client.post(BOB, AGREE))
    assigning.expire_due(now=timezone.now() + timedelta(days=1))
    assert token(stranger.post(BOB_AGAIN, AGREE)) != mine
    assert Assignment.objects.addressed(mine).get().state == "expired"


def test_a_second_task_may_be_taken_with_a_new_submission(client, stranger, study):
    first = submitted(study, bob(), now=timezone.now())
    Assignment.objects.update(session_hash=proof("bob").session)
    second = token(stranger.post(BOB_AGAIN, AGREE))
    assert Assignment.objects.addressed(second).get().worker == first.worker


def test_a_second_task_of_a_stranger_does_not_withdraw_the_first(client, stranger, study):
    """Who only knows the participant's id takes a task, and withdraws it at once."""
    answer_all(begun(study, bob(), proof=proof("bob")))
    done = Assignment.objects.get()
    assigning.submit(assignment=done, now=timezone.now())
    stolen = token(stranger.post(BOB_AGAIN, AGREE))
    stranger.post(f"/w/{stolen}/withdraw/")
    done.refresh_from_db()
    assert (done.state, done.judgments.count()) == ("submitted", 1)
    assert Consent.objects.get().withdrawn_at is None
    client.post(f"/w/{done.token}/withdraw/")
    done.refresh_from_db()
    assert (done.state, done.judgments.count()) == ("withdrawn", 0)
    assert Consent.objects.get().withdrawn_at is not None


def test_a_stranger_who_withdraws_does_not_close_the_study_for_the_participant(
    client, stranger, study
):
    stolen = token(stranger.post(BOB_AGAIN, AGREE))
    stranger.post(f"/w/{stolen}/withdraw/")
    assert token(client.post(BOB, AGREE)) != stolen


def test_withdrawing_reaches_the_tasks_of_all_submissions_in_one_browser(client, study):
    for link in (BOB, BOB_AGAIN):
        client.get(link)
        mine = token(client.post(link, AGREE))
        work = Assignment.objects.addressed(mine).get()
        answer_all(work, now=timezone.now())
        assigning.submit(assignment=work, now=timezone.now())
    client.post(f"/w/{mine}/withdraw/")
    assert set(Assignment.objects.values_list("state", flat=True)) == {"withdrawn"}
    assert client.get(BOB).status_code == 410


def test_feedback_is_not_shown_to_who_only_knows_the_participant(client, stranger):
    study = onboarding_study(slug="lamps", recruitment="prolific")
    work = begun(study, bob(), proof=proof("bob"))
    Writing.objects.create(assignment=work, acknowledged_at=NOW, text="Lamps shine.")
    assigning.submit(assignment=work, now=NOW)
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.ACCEPT,
        reviewer="rita",
        reason="Well done, Bob.",
        now=NOW,
    )
    assert "Well done, Bob." in client.get(BOB).content.decode()
    assert "Well done" not in stranger.get(BOB_AGAIN).content.decode()
    second = token(stranger.post(BOB_AGAIN, AGREE))
    for page in ("return/", "withdraw/"):
        stranger.post(f"/w/{second}/{page}")
    assert "Well done" not in stranger.get(f"/w/{second}/done/").content.decode()


def test_who_has_done_all_is_led_to_their_code_by_the_same_submission(client, stranger):
    study = small_study(recruitment="prolific", quota=2, completion_code="C0FFEE")
    answer_all(begun(study, bob(), proof=proof("bob")))
    assigning.submit(assignment=Assignment.objects.get(), now=NOW)
    assert "C0FFEE" in client.get(BOB, follow=True).content.decode()
    assert "C0FFEE" not in stranger.get(BOB_AGAIN, follow=True).content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_participant_and_submission_swapped_lead_to_nobodys_work(client, stranger, study, method):
    """Both look alike, so that an unsigned link with them swapped is somebody new."""
    mine = token(client.post(BOB, AGREE))
    person, submission = prolific_id("bob"), prolific_id("first of bob")
    query = f"PROLIFIC_PID={submission}&STUDY_ID={'0' * 24}&SESSION_ID={person}"
    response = getattr(stranger, method)(f"/s/lamps/?{query}", AGREE if method == "post" else {})
    assert mine not in response.content.decode() + response.get("Location", "")
    assert Assignment.objects.addressed(mine).get().worker.assignments.count() == 1


def test_who_comes_back_after_a_rejection_gets_the_last_page_and_no_further_task(client, stranger):
    study = small_study(responses=3, items=1, recruitment="prolific", cap=2)
    work = begun(study, bob(), proof=proof("bob"))
    answer_all(work)
    assigning.submit(assignment=work, now=NOW)
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    for browser in (client, stranger):
        for answer in (browser.get(BOB), browser.post(BOB, AGREE)):
            assert token(answer) == work.token
    assert Assignment.objects.get().state == "rejected"


# -- How many from one address ----------------------------------------------------------------


def came(study, names, *, now=NOW, address="198.51.100.7"):
    """How many of these people begin."""
    began = 0
    for name in names:
        arrival = arriving.Arrival("prolific", name, name, address=address)
        try:
            arriving.take_part(study=study, arrival=arrival, now=now)
        except Refusal as refusal:
            if refusal.code != "TooManyAtOnce":
                raise
            continue
        began += 1
    return began


@pytest.fixture
def wide(settings):
    """Forty places, and at most five people from one address in ten minutes."""
    settings.ARRIVALS_PER_ADDRESS = 5
    return small_study(quota=40)


def people(number, name="p"):
    return [f"{name}{n}" for n in range(number)]


def test_no_more_people_begin_from_one_address_than_the_limit(wide):
    assert came(wide, people(12)) == 5
    assert Assignment.objects.count() == Worker.objects.count() == 5


def test_another_address_is_not_kept_waiting(wide):
    came(wide, people(12))
    assert came(wide, people(5, "q"), address="203.0.113.9") == 5


def test_who_comes_too_early_gets_in_a_little_later(wide):
    came(wide, people(12))
    soon = NOW + pacing.WINDOW / 5
    assert came(wide, people(3, "q"), now=soon) == 1
    assert came(wide, people(9, "r"), now=soon + pacing.WINDOW) == 5


def test_who_has_a_place_is_not_counted(wide):
    first = people(5)
    assert [came(wide, first) for _ in range(4)] == [5] * 4


def test_who_gets_no_place_is_not_counted(settings):
    settings.ARRIVALS_PER_ADDRESS = 5
    study = small_study(quota=1)
    came(study, people(1))
    for name in people(9, "q"):
        with pytest.raises(NoTaskLeft):
            came(study, [name])
    assert AddressPace.objects.get().clear_at == NOW + pacing.WINDOW / 5


def test_zero_is_no_limit(wide, settings):
    settings.ARRIVALS_PER_ADDRESS = 0
    assert came(wide, people(12)) == 12
    assert not AddressPace.objects.exists()


def test_the_limit_is_told_kindly_and_keeps_nothing(client, settings):
    settings.ARRIVALS_PER_ADDRESS = 1
    small_study(quota=3, recruitment="prolific")
    client.post(prolific_link("charlie"), AGREE)
    response = client.post(BOB, AGREE)
    assert response.status_code == 429
    assert 'data-refusal="TooManyAtOnce"' in response.content.decode()
    assert Worker.objects.count() == 1


def test_the_address_is_not_kept(wide):
    came(wide, people(1))
    assert "198.51" not in AddressPace.objects.get().address_hash
    AddressPace.objects.update(clear_at=timezone.now())
    tasks.expire()
    assert not AddressPace.objects.exists()


def test_a_simulated_crowd_has_no_address(wide):
    assert came(wide, people(12), address="") == 12
    assert worker("bob").assignments.count() == 0
