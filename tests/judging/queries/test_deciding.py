"""A person accepts, edits, rejects; an accepted query is a topic with its passage."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.corpora import curating
from annotation.models import AuditEntry, Corpus, Passage, Topic
from judging.calls.fake.running import FakeEndpoint
from judging.models import ProposedQuery, QueryPrompt, QueryRound
from judging.pages import query_decisions
from judging.queries import deciding, files
from judging.queries.deciding import CannotDecide, DecidedQueries
from tests.cast import NOW, draft_study, rita
from tests.coded_errors import raises
from tests.hooks import element, elements, numbers
from tests.judging.queries.cast import passages, round_of, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return rita()


@pytest.fixture
def corpus(settings):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    corpus = passages()
    with FakeEndpoint() as fake:
        run(round_of(corpus, fake.url))
    return corpus


@pytest.fixture
def some(corpus):
    return list(
        ProposedQuery.objects.exclude(text__contains="title")
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def test_an_accepted_query_is_a_topic_with_its_passage(corpus, some, by):
    before = list(Passage.objects.order_by("pk").values())
    assert deciding.accept(corpus=corpus, proposals=some[:2], by=by, now=NOW) == DecidedQueries(2)
    assert deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW) == DecidedQueries(
        0, late=1
    )
    one = ProposedQuery.objects.get(pk=some[0])
    assert (one.state, one.decided_by, one.decided_at) == ("accepted", by, NOW)
    assert one.topic.query == "what is known about the eiffel tower was finished in?"
    (passage,) = one.topic.passages.all()
    assert (passage.key, passage.rank, passage.text) == ("p1", 1, one.call.passage.text)
    assert list(Passage.objects.order_by("pk").values())[: len(before)] == before
    assert AuditEntry.objects.filter(act="approved proposed queries", user=by).count() == 1


def test_what_is_a_topic_already_becomes_none(corpus, some, by):
    Topic.objects.filter(key="t1").update(
        query="What is known about the Eiffel Tower was finished in"
    )
    assert deciding.accept(corpus=corpus, proposals=some, by=by, now=NOW) == DecidedQueries(
        5, same=1
    )
    assert ProposedQuery.objects.get(pk=some[0]).state == "waiting"


def test_what_the_model_wrote_stays_beside_what_is_edited(corpus, some, by):
    one = deciding.edit(corpus=corpus, proposal=some[0], text=" when was  it built? ", by=by)
    written = one.text
    deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW)
    one.refresh_from_db()
    assert (one.text, one.edited, one.topic.query) == (written, *2 * ("when was it built?",))
    with raises(CannotDecide, "already_topic"):
        deciding.edit(corpus=corpus, proposal=some[0], text="else", by=by)
    with raises(CannotDecide, "bad_length"):
        deciding.edit(corpus=corpus, proposal=some[1], text=" ?! ", by=by)
    back = deciding.edit(corpus=corpus, proposal=some[1], text="x", by=by)
    back = deciding.edit(corpus=corpus, proposal=some[1], text=back.text, by=by)
    assert back.edited == ""


def test_a_decision_is_taken_back_until_something_is_made_of_the_topic(corpus, some, by):
    topics = corpus.topics.count()
    deciding.accept(corpus=corpus, proposals=some[:2], by=by, now=NOW)
    deciding.reject(corpus=corpus, proposals=some[2:4], by=by, now=NOW)
    used = ProposedQuery.objects.get(pk=some[0]).topic
    corpus.responses.create(topic=used, key="r", style="free", origin="llm", text="So.", words=1)
    assert deciding.take_back(corpus=corpus, proposals=some[:4], by=by) == DecidedQueries(3, late=1)
    assert corpus.topics.count() == topics + 1
    states = [ProposedQuery.objects.get(pk=pk).state for pk in some]
    assert states[:4] == ["accepted", "waiting", "waiting", "waiting"]


def test_many_are_taken_back_with_as_many_queries_as_one(corpus, some, by):
    def queries(n: int) -> int:
        deciding.accept(corpus=corpus, proposals=some[:n], by=by, now=NOW)
        with CaptureQueriesContext(connection) as asked:
            assert deciding.take_back(corpus=corpus, proposals=some[:n], by=by) == DecidedQueries(n)
        return len(asked)

    assert queries(1) == queries(5)


def test_what_hangs_on_the_passage_of_a_topic_keeps_it(corpus, some, by):
    deciding.accept(corpus=corpus, proposals=some[:2], by=by, now=NOW)
    topic = ProposedQuery.objects.get(pk=some[0]).topic
    round_of(corpus, name="next").passages.set(topic.passages.all())
    assert deciding.take_back(corpus=corpus, proposals=some[:2], by=by) == DecidedQueries(1, late=1)
    topic.refresh_from_db()
    assert topic.proposed.state == "accepted"


def test_the_rounds_of_a_corpus_are_listed_with_as_many_queries_as_one(corpus, by, client):
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/"
    client.get(at)
    with CaptureQueriesContext(connection) as one:
        (row,) = client.get(at).context["rows"]
    assert (row[1].answered, row[1].failed, row[1].cost) == (3, 0, None)
    for n in range(3):
        round_of(corpus, name=f"more {n}", terms={"price_in": 1, "price_out": 1})
    with CaptureQueriesContext(connection) as more:
        rows = client.get(at).context["rows"]
    assert (len(rows), rows[-1][1].cost) == (4, 0)
    assert len(more) == len(one)


def test_queries_of_another_corpus_are_not_decided_on(some, by):
    other = passages("others")
    assert deciding.accept(corpus=other, proposals=some, by=by, now=NOW) == DecidedQueries(
        0, late=6
    )
    assert not ProposedQuery.objects.exclude(state="waiting").exists()


def test_queries_of_another_corpus_are_not_shown(some, by, client):
    other = passages("others")
    client.force_login(by)
    at = f"/corpora/{other.slug}/queries/decide/"
    for do in ("accept", "nonsense"):
        response = client.post(at, {"do": do, "proposal": some[0]}, headers={"HX-Request": "true"})
        assert response.status_code == 404


def test_all_of_a_list_is_what_the_page_showed(corpus, some, by, client):
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/"
    listed = client.get(f"{at}review/").context["listed"]
    call = ProposedQuery.objects.get(pk=some[0]).call
    unseen = ProposedQuery.objects.create(call=call, position=40, text="what came since")
    client.post(f"{at}decide/", {"do": "accept", "all": "1", "state": "waiting"})
    assert not ProposedQuery.objects.exclude(state="waiting").exists()
    sent = {"do": "accept", "all": "1", "state": "waiting", "listed": listed}
    client.post(f"{at}decide/", sent)
    assert ProposedQuery.objects.get(state="waiting") == unseen


def test_so_many_are_decided_on_together_and_no_more(corpus, some, by, client, monkeypatch):
    monkeypatch.setattr(query_decisions, "MOST_AT_ONCE", 2)
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/"
    shown = client.get(f"{at}review/")
    assert shown.context["listed"].count(",") == 1
    assert element(shown.content.decode(), "data-whole-list").numbers == [2, 9]
    sent = {"do": "reject", "all": "1", "listed": ",".join(map(str, some))}
    [message] = client.post(f"{at}decide/", sent, follow=True).context["messages"]
    assert (message.level_tag, numbers(message.message)) == ("error", [2])
    assert not ProposedQuery.objects.exclude(state="waiting").exists()


def test_a_rejection_by_somebody_else_stands_against_a_stale_tab(corpus, some, by, client):
    deciding.reject(corpus=corpus, proposals=some[:2], by=by, now=NOW)
    assert deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW) == DecidedQueries(
        0, late=1
    )
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/decide/"
    sent = {"do": "accept", "proposal": some[0], "text": "when?", "shown": "waiting"}
    page = client.post(at, sent, headers={"HX-Request": "true"}).content.decode()
    assert elements(page, "data-said-of", "refused")
    one = ProposedQuery.objects.get(pk=some[0])
    assert (one.state, one.edited) == ("rejected", "")
    client.post(at, sent | {"shown": "rejected"})  # its own page says that it is
    client.post(at, {"do": "accept", "proposal": some[1], "state": "rejected"})
    states = ProposedQuery.objects.filter(pk__in=some[:2]).values_list("state", flat=True)
    assert list(states) == ["accepted", "accepted"]


def test_words_that_are_refused_stay_typed(corpus, some, by, client):
    client.force_login(by)
    at, htmx = f"/corpora/{corpus.slug}/queries/decide/", {"HX-Request": "true"}
    sent = {"do": "edit", "proposal": some[0], "text": "?!"}
    page = client.post(at, sent, headers=htmx).content.decode()
    written = ProposedQuery.objects.get(pk=some[0]).words
    assert f'data-saved="{written}">?!</textarea>' in page
    deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW)
    sent |= {"text": "when <was> it?"}
    for how in ({"headers": htmx}, {"follow": True}):  # without a script too
        page = client.post(at, sent, **how).content.decode()
        assert "already a topic" in page
        assert "Your text: “when &lt;was&gt; it?”." in page


def test_those_like_a_topic_are_looked_for_so_many_at_a_time(corpus, some, by, client, monkeypatch):
    monkeypatch.setattr(query_decisions, "LOOKED_THROUGH", 4)
    texts = ProposedQuery.objects.order_by("call", "position").values_list("text", flat=True)
    for number in (0, 5):
        corpus.topics.create(key=f"like {number}", query=texts[number].upper())
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/review/?alike=1&page="
    pages = [client.get(f"{at}{number}") for number in (1, 2, 3)]
    found = [[row.proposal.text for row in page.context["rows"]] for page in pages]
    assert [texts[0] in found[0], texts[5] in found[1]] == [True, True]
    assert [page.context["count"] for page in pages] == [len(each) for each in found]
    second = pages[1].context["page"]
    assert (second.start_index(), second.end_index(), second.paginator.count) == (5, 8, 9)
    assert found[2] or elements(pages[2].content.decode(), "data-none-alike")


def test_a_sample_has_its_size_of_each_round_and_outlives_decisions(
    corpus, by, client, monkeypatch
):
    monkeypatch.setattr(query_decisions, "ROWS_A_PAGE", 2)
    with FakeEndpoint() as fake:
        run(round_of(corpus, fake.url, name="second"))
    first, second = QueryRound.objects.order_by("pk")
    client.force_login(by)
    at = f"/corpora/{corpus.slug}/queries/review/"
    sample = {"of": [first.pk, second.pk], "take": [2, 1], "seed": 7}
    page = client.get(at, sample)
    drawn = numbers_listed(page)
    of_rounds = ProposedQuery.objects.filter(pk__in=drawn).values_list("call__round", flat=True)
    assert sorted(of_rounds) == [first.pk, first.pk, second.pk]
    assert len(page.context["rows"]) == 2
    assert len(client.get(at, sample | {"page": 2}).context["rows"]) == 1

    answer = client.post(
        f"/corpora/{corpus.slug}/queries/decide/",
        sample | {"do": "accept", "state": "waiting", "proposal": drawn[:1]},
    )
    rest = client.get(answer.url)
    assert numbers_listed(rest) == drawn[1:]
    assert numbers_listed(client.get(at, sample | {"state": "accepted"})) == drawn[:1]
    larger = numbers_listed(client.get(at, sample | {"take": [3, 2]}))
    assert set(drawn[1:]) < set(larger)
    assert numbers_listed(client.get(at, sample | {"take": ["", "x"]})) == list(
        ProposedQuery.objects.filter(state="waiting")
        .order_by("call", "position")
        .values_list("pk", flat=True)
    )


def numbers_listed(page):
    return [int(number) for number in page.context["listed"].split(",")]


def test_a_study_that_is_there_keeps_its_topics(corpus, some, by):
    study = draft_study(slug="towers-study")
    items = list(study.items.values())
    deciding.accept(corpus=corpus, proposals=some, by=by, now=NOW)
    assert list(study.items.values()) == items


def test_files_say_where_each_query_comes_from(corpus, some, by):
    deciding.edit(corpus=corpus, proposal=some[0], text="=when was it built?", by=by)
    deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW)
    (row,) = files.rows(corpus, state="accepted")
    assert tuple(row) == files.COLUMNS
    assert (
        row
        | {
            "query": "=when was it built?",
            "written": "what is known about the eiffel tower was finished in?",
            "edited": True,
            "passage": "p1",
            "passage_topic": "t1",
            "model": "good",
            "prompt": "queries v1",
            "decided_by": "rita",
        }
        == row
    )
    assert len(list(files.rows(corpus))) == 9
    (line,) = files.as_jsonl(files.rows(corpus, state="accepted"))
    assert json.loads(line)["topic"] == f"proposed-{some[0]}"
    text = "".join(files.as_csv(files.rows(corpus, state="accepted")))
    assert text.startswith("proposal,state,query,")
    assert ",=when was it built?," in text


def test_a_corpus_that_is_deleted_takes_its_rounds_along(corpus, some, by):
    deciding.accept(corpus=corpus, proposals=some[:2], by=by, now=NOW)
    Corpus.objects.filter(pk=corpus.pk).update(deleted_at=NOW)
    assert curating.end_deleted(now=NOW + 2 * curating.KEPT_FOR) == 1
    assert not ProposedQuery.objects.exists()
    assert not QueryPrompt.objects.exists()


def test_programs_read_and_decide(corpus, some, by, client):
    client.force_login(by)
    at = f"/api/corpora/{corpus.slug}/proposals/"
    body = client.get(at, {"state": "waiting"}).json()
    assert (body["count"], set(body["results"][0])) == (9, set(files.COLUMNS))
    sent = {"do": "accept", "proposals": some[:1], "text": "when was it built?"}
    response = client.post(at, sent, content_type="application/json")
    assert response.json() == {"done": 1, "same": 0, "late": 0}
    assert client.post(at, sent, content_type="application/json").status_code == 409
    assert client.get(f"/api/corpora/{corpus.slug}/rounds/").json()[0]["prompt"] == "queries v1"
