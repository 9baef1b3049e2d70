"""Calls are made, sent, answered once and paid once; what they say becomes judgments."""

from decimal import Decimal

import pytest

from judging.calls.fake.running import FakeEndpoint
from judging.machines.preparing import prepare
from judging.models import Judgment, MachineCall, MachineJudge
from tests.cast import draft_study, open_study, small_study, tiny_instrument
from tests.judging.machines.cast import machine, run

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
State = MachineCall.State


@pytest.fixture
def endpoint(settings):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint(key="a secret of ours".replace(" ", "-")) as fake:
        yield fake


KEY = "a-secret-of-ours"
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}


@pytest.fixture
def study():
    return small_study(responses=4)


def texts(study, of=None):
    for text_row in study.corpus.responses.all():
        yield text_row.text, (of or (lambda response: ord(response.key[-1]) - ord("a")))(text_row)


def test_calls_are_made_once_for_both_orders(study):
    judge = machine(study)
    assert prepare(judge=judge) == 12
    assert prepare(judge=judge) == 0
    one, other = MachineCall.objects.filter(item=study.items.first()).order_by("order")
    assert (one.shown, other.shown) == ("a,b", "b,a")
    content = one.request["messages"][1]["content"]
    assert "### Text A\n\nText a about lamp 1." in content
    assert "### Text A\n\nText b about lamp 1." in other.request["messages"][1]["content"]
    assert "Which text is better?" in content
    assert one.prompt_hash != other.prompt_hash


def test_a_judge_that_knows_answers_and_is_counted(study, endpoint):
    endpoint.known.learn(dict(texts(study)))
    judge = run(machine(study, endpoint.url, key=KEY, terms=PRICED))
    assert judge.state == MachineJudge.State.DONE
    calls = MachineCall.objects.filter(judge=judge)
    assert set(calls.values_list("state", flat=True)) == {State.ANSWERED}
    assert all(calls.values_list("counted", flat=True))
    judgments = Judgment.objects.filter(rater=judge.rater)
    assert judgments.count() == 6
    assert set(judgments.values_list("shown", "assignment")) == {("", None)}
    agreed = sum(
        judgment.value in ("n", max(judgment.item.key.split("|"))) for judgment in judgments
    )
    assert agreed == 6  # the later letter is better; where two orders disagree it is a tie
    for call in calls:
        assert call.cost_micro == 2 * call.tokens_in + 8 * call.tokens_out
    assert endpoint.ledger.counts()["charged"] == 12
    assert KEY not in str(list(calls.values())) + str(judge.__dict__)


def test_a_judge_that_likes_the_left_side_has_ties_or_its_first_answer(study, endpoint):
    judge = run(machine(study, endpoint.url, key=KEY, model="left"))
    ties = Judgment.objects.filter(rater=judge.rater, value="n")
    assert ties.count() >= 3
    first = run(
        machine(study, endpoint.url, key=KEY, model="left", name="first", on_disagreement="first")
    )
    assert Judgment.objects.filter(rater=first.rater, value="n").count() < ties.count()


def test_where_no_tie_can_be_said_disagreement_is_no_judgment(endpoint):
    options = [option for option in tiny_instrument().scales[0].options if option.role == "slot"]
    scale = tiny_instrument().scales[0].__class__("preference", "options", options)
    study = small_study(responses=4, instrument=tiny_instrument(scales=[scale]))
    judge = run(machine(study, endpoint.url, key=KEY, model="left"))
    assert MachineCall.objects.filter(state=State.ANSWERED, counted=True).count() == 12
    assert Judgment.objects.filter(rater=judge.rater).count() <= 3


def test_one_order_is_remembered_as_shown(study, endpoint):
    judge = run(machine(study, endpoint.url, key=KEY, orders="one"))
    assert set(Judgment.objects.filter(rater=judge.rater).values_list("shown")) == {("a,b",)}


@pytest.mark.parametrize(
    "how", [{"structured": False}, {"protocol": "responses"}, {"at_once": False}]
)
@pytest.mark.parametrize("name", ["crowdrag-pairwise", "best-worst", "answer-quality"])
def test_every_way_of_asking_is_answered(endpoint, name, how):
    study = draft_study(instrument=name, responses=4)
    study = open_study(study, items=4)
    judge = run(machine(study, endpoint.url, key=KEY, orders="one", **how), items=3)
    states = MachineCall.objects.order_by().values_list("state", "error").distinct()
    twice = (State.FAILED, "unparsed")  # the same text is the best and the worst
    assert set(states) <= {(State.ANSWERED, ""), twice}
    assert Judgment.objects.filter(rater=judge.rater).exists() or twice in states


def test_the_same_prompt_is_asked_once(study, endpoint):
    """A pair and its reverse, in both orders, are two prompts; and so they are for a colleague."""
    both = small_study(reversed_share=1, corpus=study.corpus, slug="both", items=6)
    assert both.items.count() == 12
    judge = run(machine(both, endpoint.url, key=KEY, terms=PRICED))
    assert endpoint.ledger.counts()["charged"] == 12
    calls = MachineCall.objects.filter(judge=judge)
    assert calls.filter(copied=True, cost_micro=0, state=State.ANSWERED).count() == 12
    pairs = {
        judgment.item.key: judgment.value for judgment in Judgment.objects.filter(rater=judge.rater)
    }
    for key, value in pairs.items():
        assert pairs["|".join(reversed(key.split("|")))] == value
    before = endpoint.ledger.counts()
    run(judge)
    assert endpoint.ledger.counts() == before


def test_answers_of_other_people_are_not_used(study, endpoint):
    run(machine(study, endpoint.url, key=KEY))
    other = small_study(corpus=study.corpus, slug="theirs")
    run(machine(other, endpoint.url, key=KEY, name="theirs"))
    assert endpoint.ledger.counts()["charged"] == 24


@pytest.mark.parametrize("status", [401, 402, 404, 400, 500, 429])
@pytest.mark.parametrize("text", ["no \\u0000 key", "no \\ud83d key", "nul \x00 model"])
def test_an_error_that_no_database_can_keep_pauses_its_judge(
    study, endpoint, monkeypatch, status, text
):
    """The judge says why, and the job ends: it was sent again and again."""
    answer = endpoint.api.answer

    def odd(request):
        body = f'{{"error": {{"message": "{text}"}}}}'.encode()
        return type(answer(request))(status, body)

    monkeypatch.setattr(endpoint.api, "answer", odd)
    judge = run(machine(study, endpoint.url, key=KEY))
    assert judge.said
    assert "\x00" not in judge.said
    if status in (401, 402, 404):
        assert judge.state == MachineJudge.State.PAUSED
    assert not MachineCall.objects.filter(judge=judge, state=State.SENT).exists()
