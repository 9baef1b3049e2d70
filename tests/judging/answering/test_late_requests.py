"""An answer that arrives late never takes the place of a newer one."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import ordering_requests, prepared_statements
from annotation.fieldwork.work.refusals import Superseded
from annotation.models import Assignment, ReviewDecision
from judging.answering import locked_assignment, recording, upserting
from judging.answering.recording import GivenAnswer
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.cast import MINUTE, NOW, answer_all, begun, bob, small_study
from tests.hooks import element

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

JSON = {"content_type": "application/json", "headers": {"accept": "application/json"}}


@pytest.fixture
def at_work():
    """Bob looks at the first of three pairs."""
    assignment = begun(small_study(responses=3), bob())
    draw_presentations(assignment=assignment)
    return assignment


def save(assignment, *answers, now=NOW):
    return recording.record(assignment=assignment, answers=answers, now=now).late


def send(client, assignment, path, **body):
    url = f"/w/{assignment.token}/judging/{path}/"
    return client.post(url, json.dumps({"tab": "one"} | body), **JSON)


def answer(raw, number, **more):
    return {"position": 1, "question": "better", "raw": raw, "number": number} | more


# -- Answers ----------------------------------------------------------------------------------


def test_a_late_answer_does_not_overwrite_a_newer_one(at_work):
    assert save(at_work, GivenAnswer(1, "better", "b", number=2)) == []
    before = Judgment.objects.values().get()
    assert save(at_work, GivenAnswer(1, "better", "a", number=1), now=NOW + MINUTE) == [1]
    assert Judgment.objects.values().get() == before


def test_a_late_reason_does_not_overwrite_a_newer_one(at_work):
    save(at_work, GivenAnswer(1, "better", "a", comment="It is shorter.", number=2))
    assert save(at_work, GivenAnswer(1, "better", "a", comment="It", number=1)) == [1]
    assert Judgment.objects.get().comment == "It is shorter."


def test_a_repeated_answer_is_not_late_and_changes_nothing(at_work):
    save(at_work, GivenAnswer(1, "better", "a", number=1))
    before = Judgment.objects.values().get()
    assert save(at_work, GivenAnswer(1, "better", "a", number=1), now=NOW + MINUTE) == []
    assert Judgment.objects.values().get() == before


def test_the_first_answer_given_again_is_newer_than_what_stood_between(at_work):
    for raw, number in (("a", 1), ("a", 3), ("b", 2)):
        save(at_work, GivenAnswer(1, "better", raw, number=number))
    assert Judgment.objects.get().raw == "a"


def test_an_answer_without_a_number_is_the_newest_as_it_comes(at_work):
    save(at_work, GivenAnswer(1, "better", "a", number=7))
    assert save(at_work, GivenAnswer(1, "better", "b")) == []
    assert save(at_work, GivenAnswer(1, "better", "n", number=6)) == [6]
    assert Judgment.objects.values_list("raw", "number").get() == ("b", 7)


def test_a_late_answer_is_no_change_of_mind(at_work):
    for raw, number in (("a", 1), ("b", 3), ("a", 2), ("b", 3)):
        save(at_work, GivenAnswer(1, "better", raw, number=number))
    assert Judgment.objects.get().changes == 1


def test_in_one_request_a_late_answer_keeps_the_others(at_work):
    save(at_work, GivenAnswer(1, "better", "b", number=5))
    late = save(
        at_work, GivenAnswer(1, "better", "a", number=3), GivenAnswer(2, "better", "a", number=4)
    )
    assert late == [3]
    assert sorted(Judgment.objects.values_list("raw", flat=True)) == ["a", "b"]


@st.composite
def deliveries(draw):
    """Answers in the order in which they were given, and requests with them as they arrive."""
    raws = draw(st.lists(st.sampled_from("abn"), min_size=1, max_size=6))
    sent = [
        GivenAnswer(1, "better", raw, comment=draw(st.sampled_from(["", "Why."])), number=number)
        for number, raw in enumerate(raws, start=1)
    ]
    extra = draw(st.lists(st.sampled_from(sent), max_size=6))
    arriving = draw(st.permutations(sent + extra))
    cuts = draw(st.lists(st.integers(0, len(arriving)), max_size=4))
    edges = [0, *sorted(cuts), len(arriving)]
    return sent, [arriving[start:end] for start, end in itertools.pairwise(edges)]


@settings(
    max_examples=60,
    deadline=None,  # a loaded machine is slow, and says nothing about the order
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(delivered=deliveries())
def test_whatever_the_order_and_however_often_the_last_answer_given_counts(at_work, delivered):
    sent, requests = delivered
    Judgment.objects.all().delete()
    for some in requests:
        save(at_work, *some)
    judgment = Judgment.objects.get()
    last = sent[-1]
    assert (judgment.raw, judgment.comment) == (last.raw, last.comment)
    assert judgment.number == last.number
    minds = sum(one.raw != two.raw for one, two in itertools.pairwise(sent))
    assert judgment.changes <= minds
    if [each for some in requests for each in some] == sent:
        assert judgment.changes == minds


def test_saving_a_numbered_answer_takes_two_queries(
    at_work, django_assert_num_queries, monkeypatch
):
    queries = []

    def fetch(query, parameters):
        queries.append(query)
        return prepared_statements.fetch(query, parameters)

    monkeypatch.setattr(upserting, "fetch", fetch)
    monkeypatch.setattr(locked_assignment, "fetch", fetch)
    save(at_work, GivenAnswer(1, "better", "b", number=1))
    queries.clear()
    with django_assert_num_queries(4):  # with savepoint and release
        save(at_work, GivenAnswer(1, "better", "a", number=2))
    assert [query.split()[0] for query in queries] == ["SELECT", "INSERT"]


# -- The page's requests ----------------------------------------------------------------------


def test_a_late_answer_is_acknowledged_and_named(client, at_work):
    send(client, at_work, "answers", answers=[answer("b", 20)], comments=[])
    told = send(client, at_work, "answers", answers=[answer("a", 10), answer("n", 11, position=2)])
    assert (told.status_code, told.json()) == (200, {"saved": 2, "late": [10]})
    assert Judgment.objects.get(item=at_work.presentations.get(position=1).item).raw == "b"


def test_a_late_remark_does_not_overwrite_a_newer_one(client, at_work):
    for text, number, late in (("Both.", 9, []), ("Bo", 8, [8]), ("Both.", 9, []), ("", 10, [])):
        comments = [{"position": 1, "text": text, "number": number}]
        body = send(client, at_work, "answers", comments=comments).json()
        assert body.get("late", []) == late
    assert at_work.presentations.get(position=1).comment == ""


@pytest.mark.parametrize("number", [-1, 2**53, 1.5, "1"])
def test_a_number_that_is_none_is_refused(client, at_work, number):
    told = send(client, at_work, "answers", answers=[answer("a", number)])
    assert told.status_code == 422
    assert not Judgment.objects.exists()


def test_a_late_here_does_not_take_the_work_from_a_later_tab(client, at_work):
    assert send(client, at_work, "here", tab="one", number=5).status_code == 200
    assert send(client, at_work, "here", tab="two", number=9).status_code == 200
    refused = send(client, at_work, "here", tab="one", number=6)
    assert (refused.status_code, refused.json()["after"]) == (409, 9)
    assert send(client, at_work, "here", tab="two", number=9).status_code == 200
    assert Assignment.objects.get().tab == "two"
    assert send(client, at_work, "here", tab="one", number=10).status_code == 200


def test_a_page_begins_above_all_that_was_sent_before(client, at_work):
    future = 2**52
    send(client, at_work, "answers", answers=[answer("b", future)])
    page = client.get(f"/w/{at_work.token}/judging/1/")
    assert page.context["number"] == future + 1
    assert f'data-number="{future + 1}"' in page.content.decode()


def test_a_page_counts_in_milliseconds_of_our_clock():
    assert ordering_requests.first_number(now=NOW, known=0) == NOW.timestamp() * 1000


# -- Forms ------------------------------------------------------------------------------------


def test_a_submission_from_before_work_was_given_back_does_not_hand_it_in(client, at_work):
    answer_all(at_work)
    url = f"/w/{at_work.token}/judging/finish/"
    form = {"comment": "Fine.", "request_number": "100"}
    client.post(url, form)
    at_work.refresh_from_db()
    assert at_work.state == Assignment.State.SUBMITTED
    reviewing.decide(
        assignment=at_work,
        decision=ReviewDecision.Decision.REDO,
        reviewer="rita",
        now=NOW,
        reason="Please look again.",
    )
    with pytest.raises(Superseded) as refusal:
        recording.submit(assignment=at_work, now=NOW, number=100)
    told = client.post(url, form)
    assert told.status_code == 409
    assert element(told.content.decode(), "data-refused").text == refusal.value.said
    at_work.refresh_from_db()
    assert at_work.state == Assignment.State.ACTIVE
    client.post(url, form | {"request_number": "101"})
    at_work.refresh_from_db()
    assert at_work.state == Assignment.State.SUBMITTED


def test_submitting_twice_with_one_number_is_the_same_as_once(client, at_work):
    answer_all(at_work)
    for _ in range(2):
        recording.submit(assignment=at_work, now=NOW, number=100)
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED


def test_a_late_no_to_the_consent_does_not_end_work_that_has_begun(client, at_work):
    told = client.post(f"/w/{at_work.token}/consent/", {"agree": "no"})
    assert told.headers["location"] == f"/w/{at_work.token}/return/"
    at_work.refresh_from_db()
    assert at_work.state == Assignment.State.ACTIVE
