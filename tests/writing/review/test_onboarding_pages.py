"""Onboarding as writers and reviewers see it: what is asked, the feedback, the next task."""

import pytest
from django.urls import reverse

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision
from tests.analysis.pages.entities.counted import counted_on, total_of
from tests.cast import (
    MINUTE,
    NOW,
    begun,
    bob,
    handed_in,
    onboarding_study,
    prolific_link,
    proof,
    rita,
)
from tests.hooks import element, elements, values
from writing.models import Writing

pytestmark = pytest.mark.django_db
LINK = prolific_link("bob", slug="letters")


@pytest.fixture
def study():
    return onboarding_study(recruitment="prolific")


def written(study):
    work = begun(study, bob(), proof=proof("bob"))
    Writing.objects.create(assignment=work, acknowledged_at=NOW, text="Lamps shine.")
    return handed_in(work, now=NOW + 20 * MINUTE)


def decide(work, decision, reason=""):
    reviewing.decide(
        assignment=work, decision=decision, reviewer="rita", reason=reason, now=NOW + 60 * MINUTE
    )


def page(client, address=LINK):
    response = client.get(address, follow=True)
    return response.status_code, response.content.decode()


def test_a_newcomer_reads_what_is_asked_of_them_before_they_consent(client, study):
    status, shown = page(client)
    assert status == 200
    assert element(shown, "data-onboarding-ahead").numbers == [2, 2]
    assert elements(shown, "aria-labelledby", "onboarding-title") == []


def test_the_next_task_shows_the_feedback_on_the_last_one(client, study):
    decide(written(study), ReviewDecision.Decision.ACCEPT, "Well done; <shorter> next time.")
    status, shown = page(client)
    assert (status, 'name="agree"' in shown) == (200, True)
    accepted, of_all = element(shown, "aria-labelledby", "onboarding-title").numbers[:2]
    assert (accepted, of_all) == (1, 2)
    for words in ("what is lamp 1?", "Well done; &lt;shorter&gt; next time."):
        assert words in shown


def test_waiting_writer_sees_the_review_state_and_its_decision(client, study):
    decide(written(study), ReviewDecision.Decision.ACCEPT, "Well done.")
    written(study)
    status, shown = page(client)
    assert status == 409
    for words in (
        "Your work is being reviewed",
        "same link",
        "1 of 2 approved, 1 in review",
        "Well",
    ):
        assert words in shown


def test_writer_who_cannot_pass_sees_the_reason(client, study):
    decide(written(study), ReviewDecision.Decision.REJECT, "This is of another topic.")
    status, shown = page(client)
    assert status == 409
    over = client.get(LINK, headers={"accept": "application/json"}, follow=True)
    assert over.json()["refusal"] == "OnboardingOver"
    assert element(shown, "data-refusal").text == over.json()["sentence"]
    assert elements(shown, "data-onboarding-state", "rejected")
    assert "This is of another topic." in shown


def test_the_end_of_an_onboarding_task_says_how_to_go_on(client, study):
    work = written(study)
    shown = page(client, reverse("done", args=[work.token]))[1]
    assert element(shown, "data-come-back")
    assert element(shown, "aria-labelledby", "onboarding-title").numbers[:3] == [0, 2, 1]


def test_writer_who_stops_sees_the_consequences(client, study):
    shown = page(client, reverse("return_task", args=[begun(study, bob()).token]))[1]
    assert values(shown, "data-onboarding") == ["2"]


def test_plain_link_shows_feedback_on_the_first_page(client):
    onboarding_study()
    client.get("/s/letters/")
    token = client.post("/s/letters/", {"agree": "yes"})["Location"].split("/")[2]
    work = assigning.begin(assignment=Assignment.objects.addressed(token).get(), now=NOW)
    decide(handed_in(work, now=NOW), ReviewDecision.Decision.ACCEPT, "Good.")
    shown = page(client, "/s/letters/")[1]
    assert "Good." in shown
    assert element(shown, "data-next-task")  # they have agreed before the first


# -- The reviewer -----------------------------------------------------------------------------


def test_reviewers_see_which_onboarding_work_it_is_and_can_have_these_first(client, study):
    client.force_login(rita())
    decide(written(study), ReviewDecision.Decision.ACCEPT)
    work = written(study)
    place = [study.slug, study.version]
    queue = client.get(reverse("review", args=place) + "?order=onboarding")
    assert queue.context["rows"][0]["onboarding"] == "2 of 2"
    assert "selected" in element(queue.content.decode(), "value", "onboarding").attributes
    shown = client.get(reverse("review_work", args=[*place, work.pk])).content.decode()
    assert "onboarding 2 of 2" in shown
    assert element(shown, "data-feedback")


def test_onboarding_works_come_first_in_their_order_of_the_queue(client):
    study = onboarding_study(onboarding=1)
    client.force_login(rita())
    decide(written(study), ReviewDecision.Decision.ACCEPT)
    other = written(study)
    Assignment.objects.filter(pk=other.pk).update(submitted_at=NOW)
    address = reverse("review", args=[study.slug, study.version]) + "?list=all&order="
    for order, first in (("oldest", None), ("onboarding", "1 of 1")):
        assert client.get(address + order).context["rows"][0]["onboarding"] == first


def test_the_page_of_the_study_counts_who_is_in_onboarding_and_who_passed(client, study):
    client.force_login(rita())
    numbers = []
    for _ in range(2):
        decide(written(study), ReviewDecision.Decision.ACCEPT)
        newcomers = client.get(study.get_absolute_url()).context["newcomers"]
        led = [
            count_shown
            for count_shown in counted_on(client, study.get_absolute_url())
            if "onb" in count_shown[0]
        ]
        assert [(total_of(client, there), n) for there, n in led] == [(1, 1)]
        numbers.append((newcomers.in_onboarding, newcomers.passed))
    assert numbers == [(1, 0), (0, 1)]
