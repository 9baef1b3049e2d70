"""A model is asked once a topic for entries, which wait; bad replies are kept and asked again."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.db import connections

from annotation.fieldwork.recruiting import rotating_keys
from judging.banks import adding, generating, setting_up
from judging.banks.adding import NewEntry
from judging.banks.entries_at import entries_at
from judging.banks.setting_up import EntrySettings
from judging.banks.wording import READY, SUBTOPIC
from judging.calls.asking import BadAsker
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.forgetting import forget_erased
from judging.calls.keys import key_of
from judging.calls.prompts import BadPrompt
from judging.models import Bank, EntryRound
from judging.pages import askers
from tests.cast import NOW, rita
from tests.coded_errors import raises
from tests.judging.asked_rounds import run, set_up_round
from tests.judging.queries.cast import passages

pytestmark = pytest.mark.django_db
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}


def round_of(
    bank: Bank, url: str, *, key="", terms=None, name="first", ready=None, subtopics=(), **manner
):
    ready = ready or READY[bank.kind]
    return set_up_round(
        setting_up,
        EntrySettings,
        url,
        name=name,
        key=key,
        words={"key": ready.key, "system": ready.system, "user": ready.user},
        prompt_of={"corpus": bank.corpus},
        terms=terms,
        manner=manner,
        bank=bank,
        topics=list(bank.corpus.topics.order_by("pk")),
        subtopics=subtopics,
    )


@pytest.fixture(params=["questions", "nuggets"])
def bank(request):
    return adding.make(corpus=passages(), name="b", kind=request.param, by=None, now=NOW)


@pytest.mark.parametrize("structured", [True, False])
def test_ten_entries_a_topic_are_proposed(bank, endpoint, structured):
    asked = run(round_of(bank, endpoint.url, structured=structured))
    rows = entries_at(bank)
    assert (asked.state, len(rows)) == ("done", 20)
    assert {row.state for row in rows} == {"proposed"}
    assert {(row.author, row.model, row.prompt_version) for row in rows} == {
        ("model", "good", f"{bank.kind} v1")
    }
    assert [call.added for call in asked.calls.order_by("pk")] == [10, 10]


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_gather_a_round_at_once_take_each_reply_once(bank, endpoint, monkeypatch):
    """Two processes, as threads with connections of their own; one waits for the other's lock."""
    asked = round_of(bank, endpoint.url)
    generating.prepare(round=asked)
    asked.calls.update(state="answered", parsed={bank.kind: ["One", "Two"]})
    inside, add = threading.Event(), generating._add

    def slowly(*args):
        inside.set()
        time.sleep(0.3)
        return add(*args)

    def gather(is_second):
        try:
            if is_second:
                assert inside.wait(10)
            return generating.take_entries(round=asked)
        finally:
            connections.close_all()

    monkeypatch.setattr(generating, "_add", slowly)
    with ThreadPoolExecutor(2) as pool:
        taken = list(pool.map(gather, (False, True)))
    assert sum(taken) == len(entries_at(bank)) == 4
    assert set(asked.calls.values_list("counted", "added", "same")) == {(True, 2, 0)}


def test_entries_of_the_bank_are_counted_and_not_added_again(bank, endpoint):
    run(round_of(bank, endpoint.url, number=3))
    revision = Bank.objects.get().revision
    again = run(round_of(bank, endpoint.url, name="second", number=3))
    assert [(call.added, call.same) for call in again.calls.order_by("pk")] == [(0, 3), (0, 3)]
    assert Bank.objects.get().revision == revision


def test_bad_replies_are_kept_and_asked_again_three_times(bank, endpoint):
    endpoint.troubles.waiting += [Trouble(TroubleKind.PROSE, times=4)]
    asked = run(round_of(bank, endpoint.url, terms={"at_most": 1}))
    tries = sorted((call.attempt, call.state, len(call.unread)) for call in asked.calls.all())
    assert generating.unread_replies(asked) == 4
    assert sum(attempt for attempt, _, _ in tries) == 6
    assert all(reply["raw"] for call in asked.calls.all() for reply in call.unread)


def test_the_model_reads_the_first_passages_if_it_is_to(bank):
    asked = round_of(bank, "http://127.0.0.1:9/v1", passages=2)
    topic = bank.corpus.topics.get(key="t1")
    told = generating.messages_of(asked, topic)[-1]["content"]
    assert "Bees dance" in told
    assert "socket" not in told
    asked.passages = 0
    assert "Eiffel Tower was" not in generating.messages_of(asked, topic)[-1]["content"]


def test_the_forecast_is_known_before_and_bounds_the_cost(bank, endpoint):
    asked = round_of(bank, endpoint.url, terms=PRICED)
    forecast = generating.forecast_of(asked)
    assert (forecast.calls, forecast.queries) == (2, 20)
    run(asked)
    spent = sum(call.cost_micro for call in asked.calls.all()) / 1_000_000
    assert 0 < spent < forecast.most


def test_a_prompt_shows_the_query_and_the_number(bank):
    for user in ("{number}", "{query}", "{query} {number} {nothing}"):
        with pytest.raises(BadPrompt):
            setting_up.save_prompt(
                corpus=bank.corpus, key="q", system="", user=user, by=None, now=NOW
            )


def test_a_round_needs_a_name_of_its_own_and_topics(bank):
    round_of(bank, "http://127.0.0.1:9/v1")
    with raises(BadAsker, "name_taken"):
        round_of(bank, "http://127.0.0.1:9/v1")
    bank.corpus.topics.all().delete()
    with raises(BadAsker, "no_topics"):
        round_of(bank, "http://127.0.0.1:9/v1", name="other")


def test_pages_of_a_round(bank, client, endpoint, monkeypatch):
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    client.force_login(rita())
    here = f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/"
    form = client.get(f"{here}new/").context["form"]
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value is not None}
    typed |= {"model": "good", "price_in": "2", "price_out": "8"}
    preview = client.post(f"{here}new/", typed | {"do": "preview"})
    assert preview.status_code == 200
    assert preview.context["preview"]["forecast"].calls == 2
    assert client.post(f"{here}new/", typed).status_code == 422
    typed |= {"name": "First", "base_url": endpoint.url, "which": "empty"}
    made = client.post(f"{here}new/", typed)
    asked = EntryRound.objects.get()
    assert made.url == f"{here}{asked.pk}/"
    client.post(f"{made.url}act/", {"do": "run"})
    run(asked)
    page = client.get(made.url).content.decode()
    assert "data-proposed>20<" in page
    part = client.get(made.url, HTTP_HX_REQUEST="true").content.decode()
    assert 'data-work="done"' in part
    assert client.get(f"{here}new/?like={asked.pk}").status_code == 200
    assert client.post(f"{made.url}act/", {"do": "nothing"}).status_code == 302
    adding.add(bank=bank, entry=NewEntry(bank.corpus.topics.first(), "One"), by=None, now=NOW)
    typed |= {"name": "Second"}
    assert client.post(f"{here}new/", typed).status_code == 422  # no topic is empty


def test_keys_of_rounds_are_sealed_again(settings):
    settings.PSEUDONYM_KEY = "o" * 40
    bank = adding.make(corpus=passages(), name="b", kind="nuggets", by=None, now=NOW)
    asked = round_of(bank, "https://api.example.org/v1", key="my-own")
    settings.PSEUDONYM_KEY = "n" * 40
    assert rotating_keys.rotate(old="o" * 40)["keys of endpoints"] == 1
    asked.refresh_from_db()
    assert key_of(asked) == "my-own"


def test_a_call_for_each_subtopic_gives_entries_with_its_facet(bank, endpoint):
    ready = SUBTOPIC[bank.kind]
    asked = round_of(bank, endpoint.url, ready=ready, subtopics=["height", " its  builder ", ""])
    assert asked.subtopics == ["height", "its builder"]
    assert generating.forecast_of(asked).calls == 4
    run(asked)
    rows = entries_at(bank)
    assert {(row.topic, row.facet) for row in rows} == {
        (topic, facet) for topic in ("t1", "t2") for facet in asked.subtopics
    }
    assert len(rows) == 40
    assert all(row.key.startswith(f"{row.topic}/{row.facet}/") for row in rows)
    told = [call.request["messages"][-1]["content"] for call in asked.calls.all()]
    assert sorted("height" in prompt for prompt in told) == [False, False, True, True]


def test_subtopics_and_their_prompt_belong_together(bank):
    with pytest.raises(BadPrompt):
        round_of(bank, "http://127.0.0.1:9/v1", subtopics=["height"])
    with pytest.raises(BadPrompt):
        round_of(bank, "http://127.0.0.1:9/v1", ready=SUBTOPIC[bank.kind])
    for subtopics in (["x" * 41], list("abcdefghijklmnopqrstu")):
        with raises(BadAsker, "subtopics"):
            round_of(bank, "http://127.0.0.1:9/v1", ready=SUBTOPIC[bank.kind], subtopics=subtopics)


def response_to(bank, text="The builder was Gustave."):
    topic = bank.corpus.topics.get(key="t1")
    system = bank.corpus.systems.create(key="s", name="s")
    return bank.corpus.responses.create(
        key="r", topic=topic, system=system, text=text, style="free", origin="llm", words=4
    )


def test_a_model_reads_responses_and_forgets_a_withdrawn_one(bank, endpoint):
    response = response_to(bank)
    asked = run(round_of(bank, endpoint.url, responses=2))
    told = asked.calls.get(topic__key="t1").request["messages"][-1]["content"]
    assert response.text in told
    type(response).objects.filter(pk=response.pk).update(text="", words=0)
    assert forget_erased() == 1
    assert asked.calls.get(topic__key="t1").request == {}
    assert asked.calls.get(topic__key="t2").request != {}
    assert forget_erased() == 0
    assert len(entries_at(bank)) == 20


def test_entries_from_a_selection_have_its_place(bank, endpoint, client, settings):
    client.force_login(rita())
    passage = bank.corpus.topics.get(key="t1").passages.get(key="p1")
    at = f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/new/"
    sent = {"topic": passage.topic_id, "selected": "finished in 1889", "passage": passage.pk}
    page = client.get(at, sent)
    assert page.status_code == 200
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    values = {name: value for name, value in values.items() if value is not None}
    values |= {"name": "one", "model": "good", "base_url": endpoint.url, "do": "save"}
    answer = client.post(at, values | dict(page.context["source"]))
    assert answer.status_code == 302
    run(EntryRound.objects.get())
    rows = entries_at(bank)
    assert rows
    assert {row.passage_id for row in rows} == {passage.pk}
    assert {passage.text[row.start : row.end] for row in rows} == {"finished in 1889"}
