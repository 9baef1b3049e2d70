"""A judge is withdrawn, comes back, or is deleted where it was never asked."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import AuditEntry
from judging.calls.asking import BadAsker, may_be_deleted
from judging.calls.fake.running import FakeEndpoint
from judging.labels.removing import CannotRemove, remove_labels
from judging.machines import setting_up
from judging.machines.preparing import prepare
from judging.machines.recording import take_answers
from judging.machines.withdrawing import delete, restore, withdraw
from judging.models import Judgment, MachineCall, MachineJudge, Rater
from tests.cast import NOW, rita, small_study
from tests.coded_errors import raises
from tests.config.askers import client_of
from tests.hooks import numbers
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db
State = MachineJudge.State


@pytest.fixture
def study():
    return small_study(responses=4)


@pytest.fixture
def judge(study, settings):
    """One that has judged all six items."""
    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint() as fake:
        return run(machine(study, fake.url, terms={"price_in": 2, "price_out": 8}))


def said(judge):
    rows = Judgment.objects.filter(rater=judge.rater)
    return set(rows.values_list("item", "question", "value", "score", "shown"))


def test_what_it_said_counts_no_more_and_comes_back_at_no_cost(study, judge):
    before, calls = said(judge), list(MachineCall.objects.order_by("pk").values())
    assert withdraw(judge=judge, by=None) == len(before) == 6
    judge.refresh_from_db()
    assert (judge.state, said(judge)) == (State.WITHDRAWN, set())
    assert list(MachineCall.objects.order_by("pk").values()) == calls
    assert take_answers(judge=judge, now=NOW).added == 0
    assert restore(judge=judge, by=None, now=NOW) == 6
    judge.refresh_from_db()
    assert (judge.state, said(judge)) == (State.PAUSED, before)
    assert list(MachineCall.objects.order_by("pk").values()) == calls
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts[-2:] == ["withdrew an LLM judge", "restored an LLM judge"]


def test_what_is_withdrawn_does_nothing_until_it_is_back(study, judge):
    withdraw(judge=judge, by=None)
    for code, act in (
        ("withdrawn", lambda: setting_up.run(judge=judge, items=None, by=None)),
        ("withdrawn", lambda: setting_up.retry(judge=judge, error="cut", by=None)),
        ("already_withdrawn", lambda: withdraw(judge=judge, by=None)),
        ("has_calls", lambda: delete(judge=judge, by=None)),
    ):
        with raises(BadAsker, code):
            act()
    with raises(BadAsker, "same_as_withdrawn"):
        machine(study, judge.base_url, name="again")
    restore(judge=judge, by=None, now=NOW)
    with raises(BadAsker, "not_withdrawn"):
        restore(judge=judge, by=None, now=NOW)


@pytest.mark.parametrize(
    "busy",
    [
        {"state": "running"},
        {"held_by": "a participant", "held_until": timezone.now() + timedelta(days=1)},
    ],
)
def test_nobody_withdraws_or_deletes_what_judges_just_now(study, judge, busy):
    MachineJudge.objects.filter(pk=judge.pk).update(**busy)
    with raises(BadAsker, "running"):
        withdraw(judge=judge, by=None)
    with raises(CannotRemove, "running"):
        remove_labels(study=study, rater=judge.rater, expected=6)
    assert len(said(judge)) == 6
    fresh = machine(study, judge.base_url, name="fresh", model="other")
    MachineJudge.objects.filter(pk=fresh.pk).update(**busy)
    with raises(BadAsker, "running"):
        delete(judge=fresh, by=None)


def test_labels_that_were_taken_out_on_raters_can_be_counted_again(study, judge):
    before = said(judge)
    remove_labels(study=study, rater=judge.rater, expected=6)
    judge.refresh_from_db()
    assert judge.state == State.WITHDRAWN
    restore(judge=judge, by=None, now=NOW)
    assert said(judge) == before


def test_a_judge_that_was_never_asked_is_deleted(study, judge):
    fresh = machine(study, judge.base_url, name="fresh", model="other")
    prepare(judge=fresh)
    assert may_be_deleted(fresh)
    assert not may_be_deleted(judge)
    rater = fresh.rater_id
    delete(judge=fresh, by=None)
    assert not MachineJudge.objects.filter(name="fresh").exists()
    assert not Rater.objects.filter(pk=rater).exists()
    machine(study, judge.base_url, name="fresh", model="other")  # the name is free again
    with raises(BadAsker, "has_calls"):
        delete(judge=judge, by=None)


def test_the_page_offers_what_can_be_done(study, judge):
    client = client_of(rita())
    page = reverse("machine", args=[study.slug, 1, judge.pk])
    act = reverse("machine_act", args=[study.slug, 1, judge.pk])
    assert 'value="withdraw"' in client.get(page).text
    raters = client.get(reverse("raters", args=[study.slug, 1])).text
    assert f'href="{page}"' in raters  # where it can be brought back
    [message] = client.post(act, {"do": "withdraw"}, follow=True).context["messages"]
    assert (message.level_tag, numbers(message.message)) == ("success", [6])
    text = client.get(page).text
    assert 'value="bring_back"' in text
    assert 'value="run"' not in text
    [message] = client.post(act, {"do": "bring_back"}, follow=True).context["messages"]
    assert (message.level_tag, numbers(message.message)) == ("success", [6])
    fresh = machine(study, judge.base_url, name="fresh", model="other")
    act = reverse("machine_act", args=[study.slug, 1, fresh.pk])
    [message] = client.post(act, {"do": "delete"}, follow=True).context["messages"]
    assert message.level_tag == "success"
    assert "fresh" in message.message
    assert not MachineJudge.objects.filter(pk=fresh.pk).exists()
