"""What a writer's pages send late never takes the place of something newer."""

import pytest

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work.refusals import Superseded
from annotation.models import Assignment, ReviewDecision
from tests.cast import NOW, alice, begun, writing_study
from tests.hooks import element
from tests.writing.log.test_log_endpoint import Page, answers_to, typed
from writing import tasks
from writing.models import Writing

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch):
    monkeypatch.setattr(tasks.pack, "delay", tasks.pack)


@pytest.fixture
def page():
    return Page(begun(writing_study(), alice()))


def enter(page, number, **answers):
    form = answers_to(Assignment.objects.get().study.entry_form)
    form |= answers | {"acknowledged": "yes", "request_number": str(number)}
    return page.client.post(f"{page.url}entry/", form)


def test_a_late_entry_form_does_not_overwrite_a_newer_one(page):
    assert enter(page, 20).status_code == 302
    kept = Assignment.objects.get().entry_answers
    Assignment.objects.update(entry_answers={"experience": "newer"})
    assert enter(page, 10).status_code == 302
    assert Assignment.objects.get().entry_answers == {"experience": "newer"}
    assert enter(page, 30).status_code == 302
    assert Assignment.objects.get().entry_answers == kept


def test_a_late_here_does_not_take_the_text_from_a_later_tab(page):
    enter(page, 1)
    assert page.post("here", {"tab": "one", "number": 5}).status_code == 200
    assert page.post("here", {"tab": "two", "number": 9}).status_code == 200
    refused = page.post("here", {"tab": "one", "number": 6})
    assert (refused.status_code, refused.json()["after"]) == (409, 9)
    assert Assignment.objects.get().tab == "two"


def test_a_submission_from_before_a_text_was_given_back_does_not_hand_it_in(page):
    enter(page, 1)
    page.log(1, typed("Lamps."))
    form = answers_to(Assignment.objects.get().study.exit_form) | {
        "text": "Lamps.",
        "last_number": 1,
    }
    assert page.finish(form | {"request_number": "50"}).status_code == 302
    assignment = Assignment.objects.get()
    assert assignment.state == Assignment.State.SUBMITTED
    reviewing.decide(
        assignment=assignment,
        decision=ReviewDecision.Decision.REDO,
        reviewer="rita",
        now=NOW,
        reason="Please say more.",
    )
    late = page.finish(form | {"text": "Old.", "request_number": "50"})
    assert late.status_code == 409
    assert element(late.content.decode(), "data-refused").text == Superseded().said
    assert Assignment.objects.get().state == Assignment.State.ACTIVE
    assert Writing.objects.get().text == "Lamps."
    assert page.finish(form | {"text": "Lamps shine.", "request_number": "60"}).status_code == 302
    assert Writing.objects.get().text == "Lamps shine."
