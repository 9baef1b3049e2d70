"""A judge over a bad network, without money, killed or stopped: nothing is lost or paid twice."""

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.fieldwork.recruiting import rotating_keys
from annotation.models import Response
from judging.calls import costs, sending
from judging.calls.asking import BadAsker, Terms
from judging.calls.client import Endpoint
from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.forgetting import forget_erased
from judging.calls.keys import key_of, key_of_server
from judging.calls.progress import failures_of, progress_of
from judging.labels.removing import remove_labels
from judging.machines import recording, setting_up
from judging.machines.preparing import prepare
from judging.models import Judgment, MachineCall, MachineJudge
from judging.receivers import forget_calls
from tests.annotation.fieldwork.consenting.test_erasing import columns_with
from tests.cast import NOW, small_study
from tests.coded_errors import raises
from tests.judging.machines.cast import machine, run

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
State = MachineCall.State
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}


@pytest.fixture
def study():
    return small_study(responses=4)


def errors(judge):
    return {failure.error: failure.calls for failure in failures_of(judge)}


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ("html", "html"),
        ("half", "json"),
        ("foreign", "unparsed"),
        ("prose", "unparsed"),
        ("third", "third text"),
        ("refusal", "refused"),
        ("length", "length"),
    ],
)
def test_what_is_no_answer_is_kept_and_counts_nowhere(study, endpoint, wrong, error):
    judge = run(machine(study, endpoint.url, model=f"good-{wrong}", terms=PRICED))
    assert set(errors(judge)) == {error}
    call = MachineCall.objects.filter(judge=judge, state=State.FAILED).first()
    assert call.said.endswith(".")
    assert call.raw
    assert call.parsed is None
    assert not Judgment.objects.filter(rater=judge.rater).exists()
    spent = costs.spent(judge)
    assert spent.at_most >= spent.known >= 0
    assert spent.at_most > 0  # they may have been charged for
    unparsed = progress_of(judge, now=timezone.now()).unparsed
    assert unparsed == (None if error in ("html", "json") else 1)  # of what a model said


def test_the_time_left_follows_the_answers_of_the_last_minute(study, endpoint):
    judge = run(machine(study, endpoint.url))
    now = timezone.now()
    calls = list(MachineCall.objects.filter(judge=judge).order_by("pk"))
    rows = MachineCall.objects.filter(judge=judge)
    rows.filter(pk__in=[call.pk for call in calls[3:]]).update(
        state=State.PREPARED, answered_at=None
    )
    rows.filter(pk__in=[call.pk for call in calls[:3]]).update(answered_at=now - timedelta(hours=1))
    assert progress_of(judge, now=now).work.seconds_left == 0  # nothing lately
    for call, ago in zip(calls[:3], (30, 20, 10), strict=True):
        rows.filter(pk=call.pk).update(answered_at=now - timedelta(seconds=ago))
    work = progress_of(judge, now=now).work
    assert (work.done, work.total, work.seconds_left) == (3, 12, 90)


def test_a_wrong_key_or_model_pauses_at_once(study, settings):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint(key="the-right-key") as fake:
        judge = run(machine(study, fake.url, key="the-wrong-key", terms={"at_most": 2}))
        assert judge.state == MachineJudge.State.PAUSED
        assert set(errors(judge)) == {"key"}
        assert progress_of(judge, now=timezone.now()).unparsed is None
        assert sum(errors(judge).values()) <= 2
        assert "the-wrong-key" not in judge.said + str(list(MachineCall.objects.values()))
        terms = Terms(base_url=judge.base_url)
        setting_up.change(judge=judge, terms=terms, key="the-right-key", by=None)
        setting_up.retry(judge=judge, error="key", by=None)
        assert run(judge).state == MachineJudge.State.DONE
        assert not errors(judge)
        other = run(machine(study, fake.url, name="no", model="nobody", key="the-right-key"))
        assert set(errors(other)) == {"model"}


def test_an_address_inside_is_refused(study, settings):
    settings.MACHINE_ENDPOINTS_INSIDE = False
    judge = run(machine(study, "http://127.0.0.1:9/v1"))
    assert judge.state == MachineJudge.State.PAUSED
    assert "ENDPOINTS_INSIDE" in judge.said


@pytest.mark.parametrize("kind", [TroubleKind.BUSY, TroubleKind.AWAY])
def test_who_is_busy_is_asked_again_and_nothing_failed(study, endpoint, kind):
    for _ in range(3):
        endpoint.troubles.waiting.append(Trouble(kind, after=0.05))
    judge = run(machine(study, endpoint.url))
    assert judge.state == MachineJudge.State.DONE
    assert progress_of(judge, now=timezone.now()).answered == 12
    assert endpoint.ledger.counts()["charged"] == 12


def test_what_nothing_was_heard_of_waits_for_a_person(study, endpoint):
    endpoint.troubles.waiting.append(Trouble(TroubleKind.LOST))
    judge = run(machine(study, endpoint.url, terms=PRICED))
    call = MachineCall.objects.get(state=State.UNKNOWN)
    assert call.error == "cut"
    known = costs.spent(judge)
    assert known.at_most > known.known
    setting_up.retry(judge=judge, error="cut", by=None)
    judge = run(judge)
    call.refresh_from_db()
    assert call.state == State.ANSWERED
    assert call.risked_micro > 0
    assert costs.spent(judge).at_most == costs.spent(judge).known + call.risked_micro


def test_where_a_key_is_charged_once_it_is_sent_again(study, endpoint):
    for _ in range(4):
        endpoint.troubles.waiting.append(Trouble(TroubleKind.LOST))
    judge = run(machine(study, endpoint.url, terms={"repeats": True}))
    assert not errors(judge)
    counts = endpoint.ledger.counts()
    assert (counts["charged"], counts["charged_twice"]) == (12, 0)


@pytest.mark.parametrize("repeats", [True, False])
def test_a_killed_process_leaves_a_trace(study, endpoint, repeats):
    """Whoever goes on finds what it had sent."""
    judge = machine(study, endpoint.url, terms={"repeats": repeats})
    setting_up.run(judge=judge, items=None, by=None)
    prepare(judge=judge)
    sent = list(MachineCall.objects.values_list("pk", flat=True)[:5])
    MachineCall.objects.filter(pk__in=sent).update(state=State.SENT, attempt=1, sent_at=NOW)
    held = timezone.now() + timedelta(seconds=30)
    MachineJudge.objects.update(held_by="somebody", held_until=held)
    assert not sending.work_on(pk=judge.pk)
    assert not sending.left(now=timezone.now())
    assert sending.left(now=held + timedelta(seconds=1)) == [judge.pk]
    MachineJudge.objects.update(held_until=NOW)
    judge = run(judge)
    if repeats:
        assert not errors(judge)
        assert set(MachineCall.objects.filter(pk__in=sent).values_list("attempt")) == {(2,)}
    else:
        assert errors(judge) == {"lost": 5}
        assert MachineCall.objects.filter(state=State.ANSWERED).count() == 7


def test_a_late_answer_is_kept_and_a_second_one_changes_nothing(study, endpoint):
    judge = machine(study, endpoint.url)
    prepare(judge=judge)
    call = MachineCall.objects.first()
    MachineCall.objects.filter(pk=call.pk).update(state=State.UNKNOWN, error="lost")
    outcome = sending.CallOutcome("one", {"better": "n"})
    sending._write_one(judge, call, outcome, paid=7)
    sending._write_one(judge, call, sending.CallOutcome("two", {"better": "t1a"}), paid=7)
    call.refresh_from_db()
    assert (call.raw, call.state, call.error, call.cost_micro) == ("one", State.ANSWERED, "", 7)


def test_a_budget_stops_before_it_is_exceeded(study, endpoint):
    judge = machine(study, endpoint.url, terms=PRICED | {"budget": Decimal("0.01"), "at_most": 3})
    judge = run(judge)
    assert judge.state == MachineJudge.State.PAUSED
    assert "budget" in judge.said
    spent = costs.spent(judge)
    assert 0 < MachineCall.objects.filter(state=State.ANSWERED).count() < 12
    assert spent.at_most <= 10_000
    terms = Terms(base_url=judge.base_url, budget=Decimal(1), **PRICED)
    setting_up.change(judge=judge, terms=terms, key=None, by=None)
    assert run(judge).state == MachineJudge.State.DONE


def test_without_prices_there_is_no_budget_and_no_cost(study, endpoint):
    with raises(BadAsker, "budget_without_prices"):
        machine(study, endpoint.url, terms={"budget": Decimal(1)})
    judge = run(machine(study, endpoint.url))
    assert costs.spent(judge) is None
    assert progress_of(judge, now=timezone.now()).cost is None


def test_uncounted_tokens_count_as_the_most(study, endpoint):
    judge = run(machine(study, endpoint.url, model="good-uncounted", terms=PRICED))
    spent = costs.spent(judge)
    assert (spent.known, MachineCall.objects.filter(state=State.ANSWERED).count()) == (0, 12)
    assert spent.at_most == sum(
        costs.most(judge, machine_call) for machine_call in MachineCall.objects.all()
    )


def test_ten_failures_in_a_row_pause(endpoint):
    study = small_study(responses=6)
    judge = run(machine(study, endpoint.url, model="good-html", terms={"at_most": 1}))
    assert judge.state == MachineJudge.State.PAUSED
    assert errors(judge) == {"html": 10}
    assert "10 calls in a row" in judge.said


def test_failures_in_a_row_count_over_shifts(endpoint):
    """A slow model fails less than ten times in one."""
    judge = machine(small_study(responses=6), endpoint.url, model="good-html", terms={"at_most": 1})
    setting_up.run(judge=judge, items=None, by=None)
    MachineJudge.objects.filter(pk=judge.pk).update(strikes=9)
    sending.work_on(pk=judge.pk)
    judge.refresh_from_db()
    assert (judge.state, errors(judge), judge.strikes) == ("paused", {"html": 1}, 0)
    assert "10 calls in a row" in judge.said


def test_half_a_sign_in_an_answer_is_kept_as_something_else(study, endpoint, monkeypatch):
    """JSON can name one, no database keeps it."""
    half = json.dumps({"better": "\ud83d", "because": "\ud83d"})
    sent = Endpoint.send
    monkeypatch.setattr(
        Endpoint, "send", lambda *given, **how: replace(sent(*given, **how), text=half)
    )
    judge = run(machine(study, endpoint.url, terms={"at_most": 1}))
    assert judge.state == MachineJudge.State.PAUSED
    assert MachineCall.objects.filter(state=State.FAILED).count() == 10
    assert "?" in MachineCall.objects.filter(state=State.FAILED).first().said


def test_what_a_try_may_have_cost_stays_counted_whatever_came_before(study):
    """An unheard try after one whose cost is known."""
    judge = machine(study, terms=PRICED)
    prepare(judge=judge)
    call = MachineCall.objects.filter(judge=judge).first()
    most = costs.most(judge, call)
    others = MachineCall.objects.filter(judge=judge).exclude(pk=call.pk)
    others.delete()
    MachineCall.objects.filter(pk=call.pk).update(
        state=State.UNKNOWN, error="timeout", attempt=2, cost_micro=0
    )
    assert costs.spent(judge).at_most == most
    setting_up.retry(judge=judge, error="timeout", by=None)
    assert costs.spent(judge).at_most == most


def test_more_items_asked_for_while_a_shift_ends_are_judged(study, endpoint):
    judge = machine(study, endpoint.url)
    setting_up.run(judge=judge, items=2, by=None)
    before = recording.take_answers

    def late(**how):
        MachineJudge.objects.filter(pk=judge.pk).update(wanted=None)
        return before(**how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "take_answers", late)
        assert sending.work_on(pk=judge.pk)  # there is more to do


def test_some_items_first_and_the_rest_later(study, endpoint):
    judge = run(machine(study, endpoint.url), items=2)
    few = set(MachineCall.objects.values_list("item", flat=True))
    assert len(few) == 2
    run(judge, items=3)
    assert few < set(MachineCall.objects.values_list("item", flat=True))
    run(judge)
    assert Judgment.objects.filter(rater=judge.rater).count() == 6


def test_a_withdrawn_text_leaves_no_word_in_any_call(study, endpoint):
    judge = machine(study, endpoint.url)
    run(judge, items=4)
    prepare(judge=MachineJudge.objects.select_related("study", "prompt").get())
    word = "Xylophonkasten"
    response = Response.objects.get(key="t1a")
    mine = MachineCall.objects.filter(item__slots__response=response)
    mine.update(request={"messages": word}, raw=word, said=word, reasons={"better": word})
    assert mine.exists()
    counted = Judgment.objects.filter(rater=judge.rater).count()
    Response.objects.filter(pk=response.pk).update(text="")
    forget_calls()  # as it is told of a withdrawal
    assert forget_erased() == 0
    assert not {column for column in columns_with(word) if "MachineCall" in column}
    assert Judgment.objects.filter(rater=judge.rater).count() == counted
    run(judge)
    assert not mine.exclude(request={}).exists()


def test_labels_that_were_taken_out_stay_out_and_leave_the_items(study, endpoint):
    judge = run(machine(study, endpoint.url))
    remove_labels(study=study, rater=judge.rater, expected=6)
    assert study.items.count() == 6
    assert recording.take_answers(judge=judge, now=NOW).added == 0


def test_a_key_of_the_server_goes_to_its_host_alone(study, settings):
    settings.MACHINE_KEYS = {"api.example.org": "of-the-server"}
    assert key_of_server("https://api.example.org/v1") == "of-the-server"
    for other in (
        "https://evil.example/v1",
        "http://api.example.org/v1",
        "https://api.example.org.evil.example",
    ):
        assert key_of_server(other) == ""
    assert key_of(machine(study, "https://api.example.org/v1", key="my-own")) == "my-own"


def test_a_new_secret_of_the_server_keeps_the_keys(study, settings):
    settings.PSEUDONYM_KEY = "o" * 40
    judge = machine(study, "https://api.example.org/v1", key="my-own")
    settings.PSEUDONYM_KEY = "n" * 40
    assert rotating_keys.rotate(old="o" * 40)["keys of endpoints"] == 1
    judge.refresh_from_db()
    assert key_of(judge) == "my-own"
    assert rotating_keys.rotate(old="o" * 40)["keys of endpoints"] == 0
