"""Of two judges that come to the same prompt one asks; the other takes its answer."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, OperationalError, connections, transaction
from django.utils import timezone

from judging.calls import claiming, locked_database, sending
from judging.calls.askers import kind_of
from judging.calls.fake.running import FakeEndpoint
from judging.machines import setting_up
from judging.machines.preparing import prepare
from judging.machines.setting_up import Terms
from judging.models import MachineCall, MachineJudge
from tests.cast import NOW, small_study
from tests.judging.machines.cast import machine, run

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
State = MachineCall.State
LATER = timedelta(hours=1)


@pytest.fixture
def study():
    return small_study(responses=4)


@pytest.fixture
def two(study, endpoint, monkeypatch):
    """Return two judges with the same prompts.

    A process that is alive, or so it seems, has three of the first one's out.
    """
    monkeypatch.setattr(sending, "OTHERS", 0.01)
    one = machine(study, endpoint.url, terms={"at_most": 3})
    other = machine(study, endpoint.url, name="other", on_disagreement="first")
    setting_up.run(judge=one, items=None, by=None)
    prepare(judge=one)
    out = list(
        MachineCall.objects.filter(judge=one).order_by("pk").values_list("pk", flat=True)[:3]
    )
    MachineCall.objects.filter(pk__in=out).update(state=State.SENT, sent_at=NOW, attempt=1)
    held = {"held_by": "somebody", "held_until": timezone.now() + LATER}
    MachineJudge.objects.filter(pk=one.pk).update(**held)
    return one, other, MachineCall.objects.filter(pk__in=out)


def states(judge):
    return [
        machine_call.state
        for machine_call in MachineCall.objects.filter(judge=judge).order_by("pk")
    ]


def test_what_another_has_out_is_waited_for_and_paid_once(two, endpoint, monkeypatch):
    one, other, out = two
    setting_up.run(judge=other, items=None, by=None)
    slept = []  # seconds; its time is over when it waits for the others, and no sooner
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=lambda _: slept.append(1000))
    with monkeypatch.context() as context:
        context.setattr(sending, "time", clock)
        assert sending.work_on(pk=other.pk)  # there is more to do
    assert states(other) == [State.PREPARED] * 3 + [State.ANSWERED] * 9
    assert endpoint.ledger.counts()["charged"] == 9
    MachineJudge.objects.filter(pk=one.pk).update(held_by="", held_until=None)
    out.update(state=State.PREPARED, attempt=0)
    one = run(one)  # nine of its answers are there, three it asks for
    other = run(other)
    assert {*states(one), *states(other)} == {State.ANSWERED}
    assert endpoint.ledger.counts()["charged"] == 12
    assert MachineCall.objects.filter(copied=True).count() == 12
    assert {one.state, other.state} == {MachineJudge.State.DONE}


@pytest.mark.django_db(transaction=True)
def test_two_that_run_at_once_pay_for_a_prompt_once(study, endpoint):
    """Two processes, as threads with connections of their own."""
    one = machine(study, endpoint.url, terms={"at_most": 4})
    other = machine(study, endpoint.url, name="other", on_disagreement="first")
    for each in (one, other):
        setting_up.run(judge=each, items=None, by=None)

    def go_on(judge):
        try:
            while sending.work_on(pk=judge.pk):
                pass
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(go_on, (one, other)))
    assert {*states(one), *states(other)} == {State.ANSWERED}
    assert endpoint.ledger.counts()["charged"] == 12
    assert MachineCall.objects.filter(copied=True).count() == 12


@pytest.mark.parametrize("repeats", [True, False])
def test_nobody_waits_for_a_process_that_is_gone(two, endpoint, repeats):
    one, other, out = two
    gone = {"held_until": NOW, "state": "paused", "repeats": repeats}
    MachineJudge.objects.filter(pk=one.pk).update(**gone)
    other = run(other)
    assert set(states(other)) == {State.ANSWERED}
    after = State.PREPARED if repeats else State.UNKNOWN
    assert set(out.values_list("state", flat=True)) == {after}
    one.refresh_from_db()
    assert (one.held_by, one.held_until) == ("", None)


def test_the_database_holds_them_to_it(two):
    _, other, out = two
    prepare(judge=other)
    same = MachineCall.objects.filter(judge=other, prompt_hash=out.first().prompt_hash)
    with (
        pytest.raises(IntegrityError, match=r"prompt_is_out_once|prompt_hash"),
        transaction.atomic(),
    ):
        same.update(state=State.SENT)


def test_who_is_asked_elsewhere_gets_no_answer_from_there(study, endpoint):
    """Its calls were made for the old address, where another has asked the same since."""
    moving = machine(study, endpoint.url, terms={"at_most": 2})
    setting_up.run(judge=moving, items=None, by=None)
    prepare(judge=moving)
    run(machine(study, endpoint.url, name="other", on_disagreement="first"))
    with FakeEndpoint() as new:
        setting_up.change(judge=moving, terms=Terms(base_url=new.url), key=None, by=None)
        moving = run(moving)
        assert new.ledger.counts()["charged"] == 12
    assert endpoint.ledger.counts()["charged"] == 12
    assert not MachineCall.objects.filter(judge=moving, copied=True).exists()
    assert moving.hashed_for == moving.base_url


def test_a_shift_sends_nothing_more_where_the_address_has_changed(study, endpoint):
    judge = machine(study, endpoint.url)
    prepare(judge=judge)
    kind = kind_of(MachineJudge)
    old = kind.asker(judge.pk)
    assert claiming.free(kind, old).count() == 12
    MachineJudge.objects.filter(pk=judge.pk).update(base_url="https://elsewhere.example/v1")
    assert not claiming.free(kind, old).exists()


def test_what_fails_behind_a_pause_does_not_count_against_the_next_shift(endpoint):
    """Twelve failures in a row pause it, and more are on their way."""
    study = small_study(responses=6)
    judge = run(machine(study, endpoint.url, model="good-html", terms={"at_most": 12}))
    assert judge.state == MachineJudge.State.PAUSED
    assert states(judge).count(State.FAILED) > 12
    assert judge.strikes == 0


# -- A database that is locked ------------------------------------------------------------------


def locked(times, monkeypatch, name="_write"):
    """Let the write fail this often, as SQLite does under another writer."""
    monkeypatch.setattr(locked_database, "FIRST", 0.001)
    write, tried = getattr(sending, name), []

    def refused(*given):
        tried.append(given)
        if len(tried) <= times:
            raise OperationalError("database is locked")
        return write(*given)

    monkeypatch.setattr(sending, name, refused)
    return tried


@pytest.mark.parametrize("name", ["_write", "_take", "_beat"])
def test_answers_wait_for_a_database_that_is_locked(study, endpoint, monkeypatch, name):
    tried = locked(4, monkeypatch, name)
    judge = run(machine(study, endpoint.url))
    assert len(tried) > 4
    assert set(states(judge)) == {State.ANSWERED}
    assert endpoint.ledger.counts()["charged"] == 12


def test_patience_ends_and_is_for_locks_alone(monkeypatch):
    monkeypatch.setattr(locked_database, "FIRST", 0.001)
    monkeypatch.setattr(locked_database, "LONGEST", 0.02)

    def fails(said):
        raise OperationalError(said)

    for said in ("database is locked", "the server closed the connection"):
        with pytest.raises(OperationalError, match=said):
            locked_database.patiently(fails, said)
