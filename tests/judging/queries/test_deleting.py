"""A round of queries is deleted and brought back; what was accepted and paid stays."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from annotation.models import AuditEntry, Membership
from annotation.models.access import Role
from judging.calls import running_rounds, sending
from judging.calls.asking import BadAsker
from judging.calls.fake.running import FakeEndpoint
from judging.models import ProposedQuery, QueryCall, QueryRound
from judging.queries import deciding, deleting, files, proposals
from judging.queries.deciding import CannotDecide, DecidedQueries
from tests.cast import NOW, rita
from tests.coded_errors import raises
from tests.hooks import element
from tests.judging.queries.cast import passages, round_of, run

pytestmark = pytest.mark.django_db
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}


@pytest.fixture
def by():
    return rita()


@pytest.fixture
def corpus():
    return passages()


@pytest.fixture
def asked(corpus, settings):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint() as fake:
        yield run(round_of(corpus, fake.url, terms=PRICED))


@pytest.fixture
def some(asked):
    rows = ProposedQuery.objects.exclude(text__contains="title").order_by("pk")
    return list(rows.values_list("pk", flat=True))


def test_what_was_accepted_and_paid_stays(corpus, asked, some, by, client):
    deciding.accept(corpus=corpus, proposals=some[:2], by=by, now=NOW)
    deciding.reject(corpus=corpus, proposals=some[2:3], by=by, now=NOW)
    before = list(QueryCall.objects.order_by("pk").values())
    topics = list(corpus.topics.values())
    assert deleting.delete(round=asked, by=by)
    assert list(QueryCall.objects.order_by("pk").values()) == before
    assert list(corpus.topics.values()) == topics
    assert [row["proposal"] for row in files.rows(corpus)] == some[:2]
    assert list(proposals.listed(corpus).values_list("pk", flat=True)) == some[:2]
    client.force_login(by)
    shown = client.get(f"/corpora/{corpus.slug}/queries/")
    (row,) = shown.context["deleted"]
    assert not shown.context["rows"]
    assert row[0].accepted == 2
    assert row[1].cost > 0
    accepted, cost = element(shown.content.decode(), "class", "row-apart").numbers[-2:]
    assert (accepted, cost) == (2, pytest.approx(float(row[1].cost), abs=1e-4))
    deleting.restore(round=asked, by=by)
    assert len(list(files.rows(corpus))) == 9
    assert ProposedQuery.objects.get(pk=some[2]).state == "rejected"
    acts = AuditEntry.objects.filter(user=by, act__contains="a round of queries")
    assert list(acts.order_by("pk").values_list("act", flat=True)) == [
        "deleted a round of queries", "restored a round of queries",
    ]  # fmt: skip


def test_nobody_decides_on_queries_of_a_deleted_round_but_takes_them_back(corpus, asked, some, by):
    deciding.accept(corpus=corpus, proposals=some[:1], by=by, now=NOW)
    deleting.delete(round=asked, by=by)
    late = DecidedQueries(0, late=1)
    assert deciding.accept(corpus=corpus, proposals=some[1:2], by=by, now=NOW) == late
    assert deciding.reject(corpus=corpus, proposals=some[1:2], by=by, now=NOW) == late
    with raises(CannotDecide, "round_deleted"):
        deciding.edit(corpus=corpus, proposal=some[1], text="else", by=by)
    assert deciding.take_back(corpus=corpus, proposals=some[:1], by=by) == DecidedQueries(1)
    assert not list(files.rows(corpus))


def test_a_deleted_round_is_not_run_changed_or_made_again(corpus, asked, by):
    deleting.delete(round=asked, by=by)
    for code, act in (
        ("deleted", lambda: running_rounds.run(round=asked, by=by)),
        ("deleted", lambda: running_rounds.retry(round=asked, error="", by=by)),
        ("already_deleted", lambda: deleting.delete(round=asked, by=by)),
        ("name_of_deleted_round", lambda: round_of(corpus)),
    ):
        with raises(BadAsker, code):
            act()
    assert not sending.work_on(pk=asked.pk, askers=QueryRound)
    deleting.restore(round=asked, by=by)
    with raises(BadAsker, "not_deleted"):
        deleting.restore(round=asked, by=by)


def test_one_that_runs_is_paused_first_and_one_never_asked_goes_for_good(corpus, by):
    asked = round_of(corpus)
    running_rounds.run(round=asked, by=by)
    with raises(BadAsker, "running"):
        deleting.delete(round=asked, by=by)
    running_rounds.pause(round=asked, by=by)
    assert not deleting.delete(round=asked, by=by)
    assert not QueryRound.objects.exists()
    with raises(BadAsker, "already_deleted"):
        deleting.delete(round=asked, by=by)


def test_an_answer_that_was_paid_is_not_paid_again_after_its_round_was_deleted(
    corpus, asked, by, settings
):
    deleting.delete(round=asked, by=by)
    again = run(round_of(corpus, asked.base_url, name="again", terms=PRICED))
    assert set(again.calls.values_list("copied", "cost_micro")) == {(True, 0)}


def test_terms_of_a_round_that_are_refused_stay_typed(corpus, asked, client, by):
    client.force_login(by)
    terms = {"do": "change", "base_url": "https://other.example/v1", "price_in": "cheap"}
    page = client.post(f"/corpora/{corpus.slug}/queries/{asked.pk}/act/", terms)
    assert page.status_code == 422
    assert 'value="cheap"' in page.content.decode()
    asked.refresh_from_db()
    assert "other" not in asked.base_url


def test_who_may_only_look_deletes_nothing(corpus, asked, client, by):
    vera = User.objects.create_user("vera")
    Membership.objects.create(team=corpus.team, user=vera, role=Role.VIEWER)
    client.force_login(vera)
    at = f"/corpora/{corpus.slug}/queries/{asked.pk}/"
    assert 'value="delete"' not in client.get(at).content.decode()
    assert client.post(f"{at}act/", {"do": "delete"}).status_code == 403
    asked.refresh_from_db()
    assert asked.state == QueryRound.State.DONE
    client.force_login(by)
    assert 'value="delete"' in client.get(at).content.decode()
    [message] = client.post(f"{at}act/", {"do": "delete"}, follow=True).context["messages"]
    assert message.level_tag == "success"
    asked.refresh_from_db()
    assert asked.state == QueryRound.State.WITHDRAWN
    shown = client.get(at).content.decode()
    assert 'value="bring_back"' in shown
    assert 'value="delete"' not in shown
