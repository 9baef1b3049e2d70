"""A job whose worker and whose endpoint are killed: every call is answered once and paid once.

The smaller version of benchmarks/machines.py, which kills real processes in a job of 10,000 calls.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from judging.calls import sending
from judging.calls.fake.running import FakeEndpoint
from judging.models import Judgment, MachineCall, MachineJudge
from tests.cast import small_study
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db
State = MachineCall.State


class Killed(BaseException):
    """As kill -9: nothing of the process runs any more."""


def kill_after(answers, monkeypatch):
    """End the process when this many answers are back and not stored."""
    write, seen = sending._write, []

    def dying(shift, done):
        seen.extend(done)
        if len(seen) >= answers:
            raise Killed
        write(shift, done)

    monkeypatch.setattr(sending, "_write", dying)


def left_by_the_dead(judge):
    """Return the calls of the dead process, held until others may claim them."""
    rows = MachineJudge.objects.filter(pk=judge.pk)
    rows.update(held_by="dead", held_until=timezone.now() + timedelta(minutes=9))
    assert not sending.work_on(pk=judge.pk)
    rows.update(held_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("repeats", [True, False])
def test_a_killed_worker_pays_for_nothing_twice(settings, monkeypatch, repeats):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    study = small_study(responses=5)
    with FakeEndpoint() as fake:
        judge = machine(study, fake.url, terms={"repeats": repeats, "at_most": 4})
        with monkeypatch.context() as context:
            kill_after(7, context)
            with pytest.raises(Killed):
                run(judge)
        judge.refresh_from_db()
        lost = MachineCall.objects.filter(state=State.SENT).count()
        assert lost
        left_by_the_dead(judge)
        judge = run(judge)
        counts = fake.ledger.counts()
    answered = MachineCall.objects.filter(state=State.ANSWERED).count()
    if repeats:
        assert (answered, counts["charged"]) == (20, 20)
        assert judge.state == MachineJudge.State.DONE
    else:  # nobody knows whether they were paid for: a person decides
        assert MachineCall.objects.filter(state=State.UNKNOWN).count() == lost
        assert answered == 20 - lost
    assert counts["charged_twice"] == 0


def dying(fake, *, after, unheard):
    """Let the endpoint answer some calls, some more unheard, and end."""
    answer, asked = fake.api.answer, []

    def last(request):
        asked.append(request)
        if len(asked) > after + unheard:
            raise ConnectionError
        reply = answer(request)
        if len(asked) > after:
            raise ConnectionError
        return reply

    fake.api.answer = last


def test_a_killed_endpoint_charges_nothing_again(settings, tmp_path):
    """It goes away with answers that nobody got, and comes back with its ledger."""
    settings.MACHINE_ENDPOINTS_INSIDE = True
    study = small_study(responses=6)
    ledger = tmp_path / "ledger"
    with FakeEndpoint(ledger=ledger) as fake:
        port = fake.port
        dying(fake, after=9, unheard=3)
        judge = run(machine(study, fake.url, terms={"repeats": True, "at_most": 10}))
        assert "calls in a row" in judge.said
        assert 9 < fake.ledger.counts()["charged"] <= 12  # some were asked again among the three
    assert MachineCall.objects.filter(state=State.ANSWERED).count() == 9
    MachineJudge.objects.update(held_until=None)  # the pause after the last failure is over
    again = FakeEndpoint(ledger=ledger).start(port=port)
    try:
        judge = run(judge)
        charged = again.ledger.counts()
        judge = run(judge)
        assert again.ledger.counts() == charged  # the same job again costs nothing
    finally:
        again.stop()
    assert judge.state == MachineJudge.State.DONE
    assert set(MachineCall.objects.values_list("state", flat=True)) == {State.ANSWERED}
    assert (charged["charged"], charged["charged_twice"]) == (30, 0)
    assert Judgment.objects.filter(rater=judge.rater).count() == 15
