"""Every number leads to a list that has as many rows."""

from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.pages.entities import views
from annotation.fieldwork.review.reviewing import decide
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision, Study
from judging.models import Item
from tests.analysis.exports.exported import analysed
from tests.analysis.pages.entities.counted import counted_on, sum_of, summed_on, total_of
from tests.cast import (
    HOUR,
    NOW,
    begun,
    handed_in,
    rita,
    small_corpus,
    small_study,
    submitted,
    worker,
    writing_study,
)

pytestmark = pytest.mark.django_db
LISTS = (
    "worker_list",
    "work_list",
    "task_list",
    "place_list",
    "topic_list",
    "item_list",
    "response_list",
    "vote_list",
    "submission_list",
    "call_list",
    "entry_list",
)


ANALYSES = {name: CATALOGUE[name] for name in ("competence", "crowd", "grades", "groups")}


def made():
    """Create submissions: Bob two; Dora, Hal, Ivy and Joe one, three of them on one task.

    Emil's was rejected; Fay is at work, Gus returned.
    """
    study = small_study(
        topics=3,
        responses=3,
        items=3,
        quota=4,
        cap=2,
        pay="3.00",
        batch={"closes_when_full": False},
    )
    for name in ("bob", "bob", "dora", "hal", "ivy", "joe", "emil"):
        done = submitted(study, worker(name))
    decide(assignment=done, decision="reject", reviewer="rita", reason="Too fast.", now=NOW)
    decide(
        assignment=Assignment.objects.order_by("pk").first(),
        decision=ReviewDecision.Decision.ACCEPT,
        reviewer="rita",
        reason="",
        now=NOW,
    )
    begun(study, worker("fay"))
    assigning.return_task(assignment=begun(study, worker("gus")), now=NOW)
    with override_settings(ANALYSES=ANALYSES):
        analysed(study)
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def judged(made_once, client, db, settings):
    settings.ANALYSES = ANALYSES
    client.force_login(rita())
    return Study.objects.get(pk=made_once)


def address(name, study, *more):
    return reverse(name, args=[study.slug, study.version, *more])


def pages_of(study):
    yield study.get_absolute_url()
    for name in LISTS:
        yield address(name, study)
    for name in ("bob", "dora", "emil", "fay", "gus"):
        yield address("worker_page", study, name)
    for work in study.assignments.all():
        yield address("assignment_page", study, work.pk)
    item = Item.objects.filter(study=study).first()
    yield address("item_page", study, item.pk)
    yield address("topic_page", study, item.topic.key)
    yield address("response_page", study, item.slots.first().response.key)
    yield address("raters", study)
    yield address("results", study)
    yield address("results_part", study, "workers") + "?section=all"
    yield address("results_part", study, "responses") + "?section=all"
    yield address("recruit", study)
    yield address("task_list", study)
    yield address("money", study)
    yield reverse("studies")


def test_each_number_of_a_judging_study_leads_to_as_many_rows(client, judged):
    numbers = {pair for page in pages_of(judged) for pair in counted_on(client, page)}
    assert len(numbers) > 40
    assert {pair: total_of(client, pair[0]) for pair in numbers} == {
        pair: pair[1] for pair in numbers
    }


def test_each_number_of_a_writing_study_leads_to_as_many_rows(client):
    client.force_login(rita())
    study = writing_study(of_corpus="letters", topics=2, styles=("essay", "news"), cap=2)
    for name in ("alice", "bob"):
        done = handed_in(begun(study, worker(name)))
    decide(assignment=done, decision="accept", reviewer="rita", reason="", now=NOW)
    begun(study, worker("alice"))
    pages = [
        study.get_absolute_url(),
        address("recruit", study),
        address("money", study),
        *(
            address(name, study)
            for name in ("worker_list", "work_list", "place_list", "topic_list")
        ),
        address("response_list", study),
        *(address("worker_page", study, name) for name in ("alice", "bob")),
        *(address("assignment_page", study, work.pk) for work in study.assignments.all()),
        address("topic_page", study, "t1"),
        *(
            address("response_page", study, response.key)
            for response in study.corpus.responses.all()
        ),
    ]
    numbers = {pair for page in pages for pair in counted_on(client, page)}
    assert len(numbers) > 20
    assert {pair: total_of(client, pair[0]) for pair in numbers} == {
        pair: pair[1] for pair in numbers
    }


def test_each_amount_of_money_leads_to_entries_that_come_to_it(client, judged):
    amounts = set(summed_on(client, address("money", judged)))
    kinds = {href.partition("kind=")[2] for href, _ in amounts}
    assert {"owed", "waiting", "approved", "due"} <= kinds
    assert {each: sum_of(client, each) for each, _ in amounts} == dict(amounts)
    # One was accepted, two wait; what was rejected was taken back and is in no sum.
    assert client.get(address("entry_list", judged) + "?kind=reversed").text.count("<tr>") == 2


def test_an_amount_of_several_kinds_has_no_sum(client, judged):
    assert "data-sum" not in client.get(address("entry_list", judged)).text


def test_the_pace_leads_to_what_was_handed_in_since(client, judged):
    first = judged.assignments.exclude(submitted_at=None).order_by("pk").first()
    Assignment.objects.filter(pk=first.pk).update(submitted_at=NOW - 10 * HOUR)
    since = (NOW - HOUR).isoformat()
    assert total_of(client, f"{address('work_list', judged)}?{urlencode({'since': since})}") == 6
    of_no_database = ("0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00")
    of_no_database += ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
    for unknown in ("yesterday", "2026-99-99T00:00:00Z", "2026-03-02T09:00:00", *of_no_database):
        query = urlencode({"since": unknown})
        assert total_of(client, f"{address('work_list', judged)}?{query}") == 0


def test_the_numbers_of_prolific_lead_to_its_submissions(client):
    client.force_login(rita())
    corpus = small_corpus(slug="placed")
    study = small_study(slug="placed", corpus=corpus, recruitment="prolific", quota=4, pay="1.00")
    at = study.platform_studies.create(
        platform="prolific", external_id="p1", pay=1, minutes=5, places=4, created_at=NOW
    )
    bob, dora = submitted(study, worker("bob")), begun(study, worker("dora"))
    Assignment.objects.filter(pk=bob.pk).update(signed=True)
    for number, (work, status, code) in enumerate(
        ((bob, "AWAITING REVIEW", "C1"), (dora, "AWAITING REVIEW", "C2"), (None, "RETURNED", ""))
    ):
        at.submissions.create(
            session_hash=str(number), external_id=b"", status=status, code=code, source="poll",
            person_hash=work.worker.external_hash if work else "x", assignment=work,
            worker=work.worker if work else None, asked_at=NOW, changed_at=NOW,
        )  # fmt: skip
    numbers = set(counted_on(client, address("at_prolific", study)))
    kinds = {href.rpartition("?")[2] for href, _ in numbers}
    assert {"signed=yes", "signed=no", "remark=not-handed-in"} <= kinds
    assert len(numbers) == 5
    assert {href: total_of(client, href) for href, _ in numbers} == dict(numbers)


def test_results_lead_to_the_pages_of_what_they_name(client, judged):
    item = Item.objects.filter(study=judged).first()
    shown = client.get(address("results_part", judged, "responses")).content.decode()
    assert address("topic_page", judged, item.topic.key) in shown
    assert address("response_page", judged, item.slots.first().response.key) in shown
    workers = client.get(address("results_part", judged, "workers")).content.decode()
    assert address("worker_page", judged, "bob") in workers
    assert address("worker_page", judged, "emil") not in workers


def test_a_list_takes_as_many_queries_for_few_rows_as_for_many(client, judged, monkeypatch):
    taken = {}
    client.get(judged.get_absolute_url())  # the first page of a session notes it
    for name in LISTS:  # and the first list keeps what others read from the cache
        client.get(address(name, judged))
    for rows in (3, 50):  # of the three newest one was handed in
        monkeypatch.setattr(views, "ROWS_A_PAGE", rows)
        for name in LISTS:
            with CaptureQueriesContext(connection) as captured:
                client.get(address(name, judged))
            taken.setdefault(name, set()).add(len(captured))
    assert {name: len(numbers) for name, numbers in taken.items()} == dict.fromkeys(LISTS, 1)
