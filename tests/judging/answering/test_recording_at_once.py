"""Answers that one statement locks for and saves, if the assignment did not change since the read.

Only outside of a transaction, so these tests commit.
"""

import threading
from contextlib import suppress

import psycopg
import pytest
from django.db import connection, transaction

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotAnAnswer, NotLive, OtherTab, UnknownLink
from annotation.models import Assignment
from judging.answering import locked_assignment, recording, upserting
from judging.answering.locked_assignment import LockedAssignment, RecentReads
from judging.answering.recording import GivenAnswer
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.cast import MINUTE, NOW, begun, bob, small_study

pytestmark = pytest.mark.django_db(transaction=True)
LATER = NOW + MINUTE
CHANGES = [
    ({"state": Assignment.State.SUBMITTED, "submitted_at": NOW}, NotLive),
    ({"tab": "other"}, OtherTab),
]


@pytest.fixture
def at_work():
    """Bob has answered the first of three pairs."""
    assignment = begun(small_study(responses=3), bob())
    draw_presentations(assignment=assignment)
    save(assignment, GivenAnswer(1, "better", "a", number=1))
    return assignment


@pytest.fixture
def at_once(monkeypatch):
    """Refuse to save under a lock that was taken before."""

    def never(*_, **__):
        raise AssertionError("saved by several statements")

    monkeypatch.setattr(recording, "save", never)


def save(assignment, *answers, now=NOW, tab="one"):
    return recording.record(token=assignment.token, answers=answers, now=now, tab=tab).late


@pytest.mark.parametrize("count", [1, 3])
def test_answers_are_saved_as_under_a_lock(at_work, monkeypatch, count):
    given = [GivenAnswer(place, "better", "b", number=10 + place) for place in range(1, count + 1)]
    with monkeypatch.context() as patched:
        patched.setattr(recording, "_is_alone", lambda: False)
        save(at_work, *given, now=LATER)
        expected = list(Judgment.objects.order_by("item").values())
        Judgment.objects.all().delete()
        save(at_work, GivenAnswer(1, "better", "a", number=1))
    with monkeypatch.context() as patched:
        patched.setattr(recording, "save", None)
        assert save(at_work, *given, now=LATER) == []
    rows = list(Judgment.objects.order_by("item").values())
    for row in (*rows, *expected):
        del row["id"]
    assert rows == expected


def test_many_answers_take_the_form_of_arrays(at_work, at_once, monkeypatch):
    monkeypatch.setattr(upserting, "FEW_ROWS", 1)
    given = [GivenAnswer(place, "better", "b", number=10 + place) for place in (1, 2, 3)]
    assert save(at_work, *given) == []
    assert sorted(Judgment.objects.values_list("raw", "number")) == [
        ("b", 11),
        ("b", 12),
        ("b", 13),
    ]


def test_a_late_answer_is_named_and_not_saved(at_work, at_once):
    save(at_work, GivenAnswer(1, "better", "b", number=9))
    assert save(at_work, GivenAnswer(1, "better", "a", number=5)) == [5]
    assert save(at_work, GivenAnswer(1, "better", "b", number=9)) == []  # sent twice
    assert Judgment.objects.values_list("raw", "number").get() == ("b", 9)


def test_a_late_answer_that_is_erased_meanwhile_is_none(at_work, monkeypatch):
    guarded = recording.upsert_if_unchanged

    def erased_after(rows, work):
        written = guarded(rows, work)
        Judgment.objects.all().delete()
        return written

    monkeypatch.setattr(recording, "upsert_if_unchanged", erased_after)
    assert save(at_work, GivenAnswer(1, "better", "a", number=1)) == []


def test_no_answer_of_a_refused_request_is_saved(at_work):
    good, bad = GivenAnswer(1, "better", "b", number=9), GivenAnswer(2, "better", "z", number=10)
    with pytest.raises(NotAnAnswer):
        save(at_work, good, bad)
    assert Judgment.objects.values_list("raw", "number").get() == ("a", 1)


@pytest.mark.parametrize(("change", "refusal"), CHANGES)
def test_a_change_after_the_read_is_noticed(at_work, monkeypatch, change, refusal):
    guarded = recording.upsert_if_unchanged

    def changed_before(rows, work):
        Assignment.objects.filter(pk=at_work.pk).update(**change)
        return guarded(rows, work)

    monkeypatch.setattr(recording, "upsert_if_unchanged", changed_before)
    with pytest.raises(refusal):
        save(at_work, GivenAnswer(1, "better", "b", number=2))
    assert Judgment.objects.values_list("raw", "number").get() == ("a", 1)


def test_further_answers_to_an_item_read_nothing(at_work, at_once, monkeypatch):
    save(at_work, GivenAnswer(1, "better", "b", number=2))
    monkeypatch.setattr(locked_assignment, "lock", None)
    assert save(at_work, GivenAnswer(1, "better", "a", number=3)) == []
    assert save(at_work, GivenAnswer(1, "better", "b", number=2)) == [2]
    assert Judgment.objects.values_list("raw", "number").get() == ("a", 3)


@pytest.mark.parametrize(("change", "refusal"), CHANGES)
def test_a_change_after_an_earlier_answer_is_noticed(at_work, change, refusal):
    save(at_work, GivenAnswer(1, "better", "b", number=2))
    Assignment.objects.filter(pk=at_work.pk).update(**change)
    for number in (3, 4):
        with pytest.raises(refusal):
            save(at_work, GivenAnswer(1, "better", "a", number=number))
    Assignment.objects.filter(pk=at_work.pk).update(tab="one", state="active", submitted_at=None)
    save(at_work, GivenAnswer(1, "better", "a", number=5))
    assert Judgment.objects.values_list("raw", "number").get() == ("a", 5)


def test_a_new_link_is_noticed(at_work):
    save(at_work, GivenAnswer(1, "better", "b", number=2))
    Assignment.objects.filter(pk=at_work.pk).update(token_hash="0" * 64)
    with pytest.raises(UnknownLink):
        save(at_work, GivenAnswer(1, "better", "a", number=3))


def expire(assignment, now):
    Assignment.objects.filter(pk=assignment.pk).update(expires_at=now)
    assigning.expire_due(now=now)


@pytest.mark.parametrize(
    "end",
    [
        lambda work: assigning.return_task(assignment=work, now=LATER),
        lambda work: assigning.withdraw(assignment=work, now=LATER),
        lambda work: expire(work, LATER),
    ],
    ids=["returned", "withdrawn", "expired"],
)
@pytest.mark.parametrize("raw", ["a", "no option"])
def test_an_end_after_an_earlier_answer_is_noticed(at_work, end, raw):
    save(at_work, GivenAnswer(1, "better", "b", number=2))
    end(at_work)
    before = list(Judgment.objects.order_by("pk").values_list("raw", "number"))
    with pytest.raises(NotLive):
        save(at_work, GivenAnswer(1, "better", raw, number=3))
    assert list(Judgment.objects.order_by("pk").values_list("raw", "number")) == before


def test_a_tab_that_another_process_let_save_is_noticed_by_each(at_work, monkeypatch):
    processes = [RecentReads(), RecentReads()]

    def answer(process, number, tab):
        monkeypatch.setattr(recording, "recent_reads", processes[process])
        save(at_work, GivenAnswer(1, "better", "b", number=number), tab=tab)

    answer(0, 2, "one")
    answer(1, 3, "one")
    Assignment.objects.filter(pk=at_work.pk).update(tab="two")
    answer(1, 4, "two")
    for process in (0, 1):
        with pytest.raises(OtherTab):
            answer(process, 9, "one")
    answer(0, 5, "two")
    assert Judgment.objects.values_list("number").get() == (5,)


def test_no_change_counts_that_is_rolled_back_and_a_frozen_row_is_unchanged(at_work, at_once):
    save(at_work, GivenAnswer(1, "better", "b", number=2))
    with suppress(RuntimeError), transaction.atomic():
        Assignment.objects.filter(pk=at_work.pk).update(state="returned", ended_at=NOW)
        raise RuntimeError
    save(at_work, GivenAnswer(1, "better", "a", number=3))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (FREEZE) annotation_assignment")
    save(at_work, GivenAnswer(1, "better", "b", number=4))
    assert Judgment.objects.values_list("raw", "number").get() == ("b", 4)


def test_reads_are_kept_for_a_minute_and_never_mix_versions(monkeypatch):
    clock, asked, version = [0.0], [], [1]

    def lock(*, token, positions, waits):
        asked.append(set(positions))
        shown = dict.fromkeys(positions, f"read {len(asked)}")
        return LockedAssignment(7, "active", "", 1, None, 2, 3, True, version[0], shown)

    monkeypatch.setattr(locked_assignment, "lock", lock)
    reads = RecentReads(seconds=60, most=1, now=lambda: clock[0])

    def shown(*positions, token="a"):
        return reads.read(token=token, positions=positions).shown

    assert shown(1) == shown(1) == {1: "read 1"}
    assert shown(2) == shown(1, 2) == {1: "read 1", 2: "read 2"}
    version[0] = 2
    assert shown(3) == {3: "read 3"}
    clock[0] = 60
    assert shown(3) == {3: "read 4"}
    reads.forget("a")
    assert shown(3) == {3: "read 5"}
    assert shown(3, token="b") == {3: "read 6"}
    assert shown(3) == {3: "read 7"}  # one at most
    assert len(asked) == 7


def test_a_change_that_is_waited_for_is_noticed(at_work):
    parameters = connection.get_connection_params()
    names = ("host", "port", "dbname", "user", "password")
    own = {name: parameters[name] for name in names if name in parameters}
    refusals = []

    def answer():
        try:
            save(at_work, GivenAnswer(1, "better", "b", number=2))
        except NotLive as refusal:
            refusals.append(refusal)
        finally:
            connection.close()

    with psycopg.connect(**own) as other, psycopg.connect(**own, autocommit=True) as watching:
        other.execute(
            "UPDATE annotation_assignment SET state = 'submitted', submitted_at = now()"
            " WHERE id = %s",
            [at_work.pk],
        )
        saving = threading.Thread(target=answer)
        saving.start()
        waiting = "SELECT FROM pg_locks WHERE NOT granted"
        while saving.is_alive() and watching.execute(waiting).fetchone() is None:
            saving.join(0.01)
        other.commit()
        saving.join()
    assert len(refusals) == 1
    assert Judgment.objects.values_list("raw", "number").get() == ("a", 1)
