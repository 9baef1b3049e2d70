"""Passages are chosen, a model is asked once about each, and what it writes waits for a person."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.fieldwork.recruiting import rotating_keys
from annotation.models import Passage
from judging.calls import running_rounds, sending
from judging.calls.asking import BadAsker
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.keys import key_of
from judging.calls.progress import failures_of, progress_of
from judging.calls.prompts import BadPrompt
from judging.models import ProposedQuery, QueryCall, QueryRound
from judging.pages import query_forms
from judging.queries import recording, setting_up
from judging.queries.forecasts import forecast_of
from judging.queries.passage_choice import PassageChoice, chosen
from tests.cast import NOW
from tests.coded_errors import raises
from tests.judging.queries.cast import passages, round_of, run

pytestmark = pytest.mark.django_db
State = QueryCall.State
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}


@pytest.fixture
def corpus():
    return passages()


def test_every_text_is_chosen_once(corpus):
    keys = Passage.objects.in_bulk(chosen(corpus, PassageChoice()))
    assert [key.key for key in keys.values()] == ["p1", "p2", "p3"]
    assert len(chosen(corpus, PassageChoice(sought="bees"))) == 1
    assert chosen(corpus, PassageChoice(sought="zebra")) == []


def test_a_seed_draws_the_same_and_more_contain_fewer(corpus):
    for seed in range(9):
        one, two = (chosen(corpus, PassageChoice(drawn=n, seed=seed)) for n in (1, 2))
        assert set(one) < set(two)
        assert chosen(corpus, PassageChoice(drawn=2, seed=seed)) == two
    drawn = {tuple(chosen(corpus, PassageChoice(drawn=1, seed=seed))) for seed in range(20)}
    assert len(drawn) == 3


def test_what_comes_to_the_corpus_later_is_not_in_the_round(corpus, endpoint):
    asked = round_of(corpus, endpoint.url)
    corpus.topics.first().passages.create(key="late", rank=9, text="Late words.")
    run(asked)
    assert QueryCall.objects.filter(round=asked).count() == 3


def test_a_round_that_wants_fewer_asks_again(corpus, endpoint):
    user = "{passage} {answers}"
    with raises(BadPrompt, "missing_variable", match=r"\{number\}"):
        setting_up.save_prompt(corpus=corpus, key="q", system="", user=user, by=None, now=NOW)
    run(round_of(corpus, endpoint.url, number=3))
    fewer = run(round_of(corpus, endpoint.url, name="fewer", number=1))
    assert not fewer.calls.filter(copied=True).exists()


def test_a_round_like_one_without_a_temperature_has_none(corpus):
    left = query_forms.begun() | query_forms.like(round_of(corpus, temperature=None))
    assert (left["temperature"], left["seed"]) == (None, None)
    cold = query_forms.like(round_of(corpus, name="cold", temperature=0.5, seed=7))
    assert (cold["temperature"], cold["seed"]) == (0.5, 7)


def test_a_prompt_shows_the_passage_and_its_versions_are_numbered(corpus):
    with raises(BadPrompt, "missing_variable", match=r"\{passage\}"):
        setting_up.save_prompt(corpus=corpus, key="q", system="", user="{title}", by=None, now=NOW)
    one, two, again = (
        setting_up.save_prompt(corpus=corpus, key="q", system="", user=user, by=None, now=NOW)
        for user in ("{number}: {passage}", "{number}: {passage}!", "{number}: {passage}!")
    )
    assert [one.version, two.version] == [1, 2]
    assert again == two


def test_a_model_is_asked_once_a_passage_and_paid_once(corpus, endpoint):
    done = run(round_of(corpus, endpoint.url, terms=PRICED, examples=("how old is it",)))
    assert done.state == QueryRound.State.DONE
    calls = QueryCall.objects.filter(round=done)
    assert set(calls.values_list("state", "counted")) == {(State.ANSWERED, True)}
    content = calls.first().request["messages"][1]["content"]
    assert "Title 1\n\nThe Eiffel Tower" in content
    assert "Queries that people have typed:\n- how old is it" in content
    assert endpoint.ledger.counts()["charged"] == 3
    found = list(ProposedQuery.objects.values_list("text", "state"))
    assert len(found) == 9
    assert found[1] == ("what is known about the eiffel tower was finished in?", "waiting")
    again = run(
        round_of(corpus, endpoint.url, name="again", terms=PRICED, examples=("how old is it",))
    )
    assert set(again.calls.values_list("copied", "cost_micro")) == {(True, 0)}
    assert endpoint.ledger.counts()["charged"] == 3
    assert ProposedQuery.objects.count() == 18


def test_answers_are_taken_once(corpus, endpoint):
    done = run(round_of(corpus, endpoint.url))
    assert recording.take_queries(round=done) == 0
    call_command("propose_queries", corpus.slug, done.name)
    assert ProposedQuery.objects.count() == 9


@pytest.mark.parametrize(
    ("kind", "error"),
    [(TroubleKind.PROSE, "unparsed"),
     (TroubleKind.FOREIGN, "unparsed"), (TroubleKind.THIRD, "unparsed"),
     (TroubleKind.LENGTH, "length"), (TroubleKind.REFUSAL, "refused"), (TroubleKind.HTML, "html")],
)  # fmt: skip
def test_what_cannot_be_read_is_kept_and_counts_nothing(corpus, endpoint, kind, error):
    endpoint.troubles.waiting.append(Trouble(kind))
    done = run(round_of(corpus, endpoint.url, terms={"at_most": 1}))
    failed = QueryCall.objects.get(state=State.FAILED)
    assert failed.error == error
    assert failed.raw
    assert not failed.proposals.exists()
    assert [(failure.error, failure.calls) for failure in failures_of(done)] == [(error, 1)]
    assert running_rounds.retry(round=done, error=error, by=None) == 1
    run(done)
    assert failed.proposals.exists()


class Killed(BaseException):
    """As kill -9: nothing of the process runs any more."""


def test_a_killed_worker_pays_for_nothing_twice(corpus, endpoint, monkeypatch):
    asked = round_of(corpus, endpoint.url, terms={"repeats": True, "at_most": 2})

    def dying(shift, done):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(sending, "_write", dying)
        with pytest.raises(Killed):
            run(asked)
    assert QueryCall.objects.filter(state=State.SENT).exists()
    rows = QueryRound.objects.filter(pk=asked.pk)
    rows.update(held_by="dead", held_until=timezone.now() + timedelta(minutes=9))
    assert not sending.work_on(pk=asked.pk, askers=QueryRound)
    rows.update(held_until=timezone.now() - timedelta(seconds=1))
    assert sending.left(askers=QueryRound, now=timezone.now()) == [asked.pk]
    run(asked)
    counts = endpoint.ledger.counts()
    assert (counts["charged"], counts["charged_twice"]) == (3, 0)
    assert ProposedQuery.objects.count() == 9


def test_a_budget_stops_before_it_is_spent(corpus, endpoint):
    done = run(round_of(corpus, endpoint.url, terms=PRICED | {"budget": Decimal("0.01")}))
    assert done.state == QueryRound.State.PAUSED
    assert "budget" in done.said
    assert progress_of(done, now=NOW).at_most <= 0.01


def test_a_forecast_is_there_before_anything_is_asked(corpus):
    forecast = forecast_of(round_of(corpus, terms=PRICED, max_tokens=400))
    assert (forecast.calls, forecast.queries, forecast.tokens_out) == (3, 9, 180)
    assert forecast.cost == pytest.approx((2 * forecast.tokens_in + 8 * 180) / 1e6)
    assert forecast.most == pytest.approx((2 * forecast.tokens_in + 8 * 1200) / 1e6)
    assert forecast_of(round_of(corpus, name="unpriced")).cost is None


def test_nobody_asks_for_a_corpus_that_was_deleted(corpus, endpoint):
    asked = round_of(corpus, endpoint.url)
    running_rounds.run(round=asked, by=None)
    type(corpus).objects.update(deleted_at=NOW)
    assert not sending.work_on(pk=asked.pk, askers=QueryRound)
    assert sending.left(askers=QueryRound, now=NOW) == []
    assert endpoint.ledger.counts()["asked"] == 0


def test_examples_are_typed_or_drawn_from_topics_of_people(corpus):
    examples = setting_up.examples_of(corpus, typed=" one  query \n\ntwo", topics=1, seed=3)
    assert examples[:2] == ("one query", "two")
    assert examples[2] in corpus.topics.values_list("query", flat=True)
    with raises(BadAsker, "examples"):
        setting_up.examples_of(corpus, typed="x" * 501, topics=0, seed=0)


def test_a_new_secret_of_the_server_keeps_the_key_of_a_round(settings):
    settings.PSEUDONYM_KEY = "o" * 40
    asked = round_of(passages(), "https://api.example.org/v1", key="my-own")
    settings.PSEUDONYM_KEY = "n" * 40
    assert rotating_keys.rotate(old="o" * 40)["keys of endpoints"] == 1
    asked.refresh_from_db()
    assert key_of(asked) == "my-own"
