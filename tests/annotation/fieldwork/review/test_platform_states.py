"""What a reviewer reads of the platform's state and of payments, before a decision."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.review import effects
from annotation.fieldwork.review.platform_states import state_of
from annotation.models import Assignment
from tests.annotation.fieldwork.paying.desk import Desk
from tests.annotation.fieldwork.paying.ordered import at_prolific, decided, go_on, order
from tests.cast import rita, small_study, submitted, worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def work():
    study = small_study(recruitment="prolific", pay="3.00", currency="GBP")
    return submitted(study, worker("bob"))


def pages(work):
    """Return the panel beside the list, the page of the work, and the list."""
    client = Client()
    client.force_login(rita())
    of = [work.study.slug, work.study.version]
    addresses = [reverse(name, args=[*of, work.pk]) for name in ("review_panel", "assignment_page")]
    return [client.get(address).text for address in (*addresses, reverse("review", args=of))]


@pytest.mark.parametrize("status", ["TIMED-OUT", "RETURNED", "REJECTED"])
def test_a_submission_that_ended_without_pay_is_shown_beside_the_decision(work, status):
    there = at_prolific(work, status)
    panel, page, listed = pages(work)
    contact = reverse("contact_participant", args=[work.study.slug, work.study.version, there.pk])
    for text in (panel, page):
        assert f'data-platform="{status}"' in text
        assert 'data-about="ended-unpaid"' in text
        assert contact in text
    assert there.get_status_display() in listed
    effect = effects.effect_of(study=work.study, works=[work.pk], decision="accept")
    assert (effect.gone, effect.settled) == (1, 0)


def test_a_code_that_was_entered_before_the_work_was_submitted_is_said(work):
    Assignment.objects.filter(pk=work.pk).update(state="active", submitted_at=None, ended_at=None)
    work.refresh_from_db()
    at_prolific(work, "AWAITING REVIEW", code="DONE")
    assert "code-first" in state_of(work).sentences


def test_late_work_that_was_revived_says_that_it_had_timed_out(work):
    at_prolific(work, "AWAITING REVIEW", was_late=True)
    assert "was-late" in state_of(work).sentences


def test_paid_work_says_what_was_paid_and_that_it_stays_paid():
    study, desk = decided(["bob"]), Desk()
    work = Assignment.objects.get()
    assert state_of(work).sentences == {}
    order(study)
    assert "under-way" in state_of(work).sentences
    go_on(desk)
    sentences = state_of(work).sentences
    assert "3.00 GBP" in sentences["paid"]
    assert "final" in sentences
    effect = effects.effect_of(study=study, works=[work.pk], decision="reject")
    assert effect.settled == 1
