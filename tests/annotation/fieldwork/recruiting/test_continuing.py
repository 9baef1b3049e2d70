"""Whoever has handed work in by a link takes the next task, where there is one for them."""

import pytest
from django.conf import settings
from django.test import Client

from annotation.fieldwork.recruiting import continuing, contracting
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NoTaskLeft
from annotation.models import Assignment, Batch, Consent, ReviewDecision
from tests.annotation.people.access.people import on_threads
from tests.cast import (
    NOW,
    answer_all,
    handed_in,
    prolific_link,
    small_study,
    writing_study,
)
from tests.hooks import element, values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
AGREE = {"agree": "yes"}
OFFER = "data-following"


def study_of(**said):
    """Three tasks of one pair, two of them for each person."""
    return small_study(**{"responses": 3, "items": 1, "quota": 2, "cap": 2, **said})


def first_work(client, study, address=""):
    """Somebody comes, agrees, and hands their first task in."""
    address = address or study.public_path
    client.get(address)
    token = client.post(address, AGREE)["Location"].split("/")[2]
    return handed_in(Assignment.objects.addressed(token).get())


def done(client, work):
    return client.get(f"/w/{work.token}/done/").text


def take(client, work, **sent):
    return client.post(f"/w/{work.token}/next/", sent)


def works():
    return Assignment.objects.order_by("pk")


def test_the_last_page_offers_the_next_task_and_one_press_begins_it(client):
    study = study_of(pay="3.00", minutes=20, consent_version="2b")
    work = first_work(client, study)
    page = done(client, work)
    assert values(page, "data-following") == ["1"]
    assert {20.0, 3.0} <= set(element(page, "data-following").numbers)
    answer = take(client, work)
    after = works().last()
    assert answer["Location"] == f"/w/{after.token}/"
    assert (after.state, after.worker, works().count()) == ("active", work.worker, 2)
    assert after.task != work.task
    assert [consent.version for consent in Consent.objects.all()] == [
        "2b"
    ]  # one, that holds for both
    receipts = [client.get(f"/w/{each.token}/receipt/").text for each in (work, after)]
    for receipt in receipts:
        assert sorted(values(receipt, "data-work")) == ["active", "submitted"]


def test_a_repeated_press_gives_one_task_and_leads_to_it(client):
    work = first_work(client, study_of(cap=3))
    one, again = take(client, work), take(Client(), work)  # another tab, with no cookie at all
    assert one["Location"] == again["Location"]
    assert works().count() == 2
    page = done(client, work)
    assert OFFER not in page
    assert "data-next-task" in page


def test_nothing_is_offered_beyond_what_one_person_may_do(client):
    work = first_work(client, study_of())
    take(client, work)
    last = handed_in(works().last())
    for each in (work, last):
        assert OFFER not in done(client, each)
        assert take(client, each)["Location"] == f"/w/{each.token}/"
    assert works().count() == 2


def test_the_codes_of_all_their_tasks_are_on_the_last_page(client):
    work = first_work(client, study_of())
    code = element(done(client, work), "data-completion-code").text
    take(client, work)
    page = done(client, handed_in(works().last()))
    assert code in element(page, "data-other-codes").text
    assert values(page, "data-other-code") == [code]


def test_it_says_up_to_how_many_and_writers_meet_no_topic_twice(client):
    study = writing_study(topics=3, cap=5, styles=("essay", "news"))
    page = client.get(study.public_path).text
    assert values(page, "data-most-tasks") == ["3"]
    assert element(page, "data-most-tasks").numbers == [1, 3]
    client.post(study.public_path, AGREE)
    Assignment.objects.update(state="submitted", submitted_at=NOW)
    assert values(done(client, works().get()), "data-following") == ["2"]


def test_one_task_for_each_person_is_not_mentioned(client):
    assert "data-most-tasks" not in client.get(study_of(cap=1).public_path).text


def test_by_the_link_once_more_they_come_to_the_page_that_offers_it(client):
    study = study_of()
    work = first_work(client, study)
    assert client.get(study.public_path)["Location"] == f"/w/{work.token}/"
    stranger = Client().get(study.public_path)
    assert "data-consent" in stranger.text


def test_on_prolific_the_platform_gives_out_places(client):
    study = study_of(recruitment="prolific")
    assert "data-most-tasks" not in client.get(prolific_link("bob")).text
    work = first_work(client, study, prolific_link("bob"))
    assert OFFER not in done(client, work)
    with pytest.raises(NoTaskLeft):
        continuing.go_on(after=work, now=NOW)
    assert take(client, work)["Location"] == f"/w/{work.token}/"
    assert works().count() == 1


def test_a_personal_link_that_has_ended_gives_no_task(client):
    study = study_of(recruitment="invitation")
    (hired,) = contracting.hire(study=study, people=[("bob", "Bob")], user=None, now=NOW)
    work = first_work(client, study, hired.link.removeprefix(settings.PUBLIC_URL))
    assert OFFER in done(client, work)
    contracting.revoke(contract=hired.contract, user=None, now=NOW)
    assert OFFER not in done(client, work)


@pytest.mark.parametrize("state", [Batch.State.PAUSED, Batch.State.CLOSED])
def test_a_study_that_lets_nobody_in_offers_nothing(client, state):
    work = first_work(client, study_of())
    Batch.objects.update(state=state, closed_at=NOW if state == Batch.State.CLOSED else None)
    assert OFFER not in done(client, work)


def test_who_withdrew_or_was_rejected_is_offered_nothing(client):
    study = study_of()
    work = first_work(client, study)
    other = first_work(Client(), study)
    decision = ReviewDecision.Decision.REJECT
    reviewing.decide(assignment=other, decision=decision, reviewer="rita", reason="So.", now=NOW)
    assigning.withdraw(assignment=work, now=NOW)
    for each in (work, other):
        assert OFFER not in done(client, each)
        take(client, each)
    assert works().count() == 2


def test_who_agreed_to_another_version_is_asked_by_the_link(client):
    study = study_of()
    work = first_work(client, study)
    Consent.objects.update(version="of before")
    assert OFFER not in done(client, work)


def test_whoever_is_too_late_is_told_so_on_the_page_they_were_on(client, monkeypatch):
    study = study_of(quota=1)
    work = first_work(client, study)
    offered = continuing.next_after(work)
    for _ in range(2):
        first_work(Client(), study)
    monkeypatch.setattr(continuing, "next_after", lambda _: offered)
    answer = take(client, work)
    assert answer.status_code == 409
    assert 'data-end="done"' in answer.text
    assert "data-refused" in answer.text
    assert works().count() == 3


def test_another_pay_than_was_read_is_shown_first(client):
    study = study_of(pay="3.00")
    work = first_work(client, study)
    answer = take(client, work, terms="4.00 15")
    assert "data-refused" in answer.text
    assert works().count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_give_one_task(client):
    work, got = first_work(client, study_of(cap=3)), []

    def press():
        got.append(take(Client(), work)["Location"])

    assert on_threads([press, press]) == ["done", "done"]
    assert got[0] == got[1]
    assert works().count() == 2


def test_answers_are_needed_as_in_the_first_task(client):
    work = first_work(client, study_of())
    take(client, work)
    following = works().last()
    assert client.post(f"/w/{following.token}/judging/finish/").status_code == 422
    answer_all(following)
    assert client.post(f"/w/{following.token}/judging/finish/")["Location"].endswith("/done/")
