"""A questionnaire is open again for its worker: with its answers, which are kept as they were."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from analysis.exports.before_redo import COLUMNS, votes_before
from analysis.exports.export_column import header
from analysis.exports.source import ExportSource
from analysis.inputs.frozen_work import FrozenWork
from analysis.pages.review import panel
from annotation.fieldwork.review import returning_redos, reviewing, undoing
from annotation.fieldwork.review.reviewing import (
    REDO_TERM,
    CannotReview,
    DecisionsRefused,
)
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import Superseded
from annotation.models import (
    Assignment,
    Batch,
    LedgerEntry,
    Payment,
    ReviewDecision,
    Study,
)
from annotation.studies.forms import FieldSpec
from judging.answering import recording
from judging.models import AnswersBefore, Examination, Judgment
from judging.review import examining
from judging.review.active_times import away, measured
from judging.review.redo_changes import redos_of
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    answer_all,
    begun,
    bob,
    rita,
    small_study,
    submitted,
    tiny_instrument,
    worker,
)
from tests.coded_errors import raises
from tests.hooks import elements, numbers, values, without_tokens

Decision, State = ReviewDecision.Decision, Assignment.State
LATER, AGAIN = NOW + HOUR, NOW + 5 * HOUR
REASON = "Please read the right text once more."
pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def study():
    return small_study(responses=3, quota=2, pay=3, batch={"closes_when_full": False})


@pytest.fixture
def work(study):
    return submitted(study, bob())


def ask(*works, decision=Decision.REDO, now=LATER):
    act = reviewing.decide_all(
        study=works[0].study,
        works=[queued.pk for queued in works],
        decision=decision,
        reviewer="rita",
        now=now,
        reason=REASON,
    )
    for queued in works:
        queued.refresh_from_db()
    return act


def answer(work, raw, *, position=1, now=AGAIN, number=0):
    given = recording.GivenAnswer(position, "better", raw, number=number)
    recording.record(assignment=work, answers=[given], now=now)


def hand_in(work, *, now=AGAIN):
    return recording.submit(assignment=work, now=now)


def undo(act):
    return undoing.undo(act=act, reviewer="rita", now=AGAIN + MINUTE)


# -- Open again --------------------------------------------------------------------------------


def test_the_same_work_is_open_for_days_with_its_place_and_counts_nowhere(study, work):
    assert FrozenWork.now(study).counting == [work.pk]
    ask(work)
    assert (work.state, work.submitted_at) == (State.ACTIVE, None)
    assert work.expires_at == LATER + REDO_TERM
    assert work.place
    assert FrozenWork.now(study).counting == []
    assert not Assignment.objects.counting().exists()
    assert Judgment.objects.filter(assignment=work).count() == 3
    assert assigning.claim(study=study, worker=bob(), now=AGAIN) == work  # not another task


def lapse(now=LATER + REDO_TERM):
    assigning.expire_due(now=now)
    return returning_redos.return_lapsed(now=now)


def test_a_redo_that_nobody_takes_up_waits_for_its_reviewer_again(client, study, work):
    ask(work)
    assert lapse(LATER + REDO_TERM - MINUTE) == 0
    assert (lapse(), lapse()) == (1, 0)
    work.refresh_from_db()
    assert (work.state, work.submitted_at, work.ended_at) == (
        State.SUBMITTED, NOW + 10 * MINUTE, None
    )  # fmt: skip
    assert work.place
    assert FrozenWork.now(study).counting == [work.pk]
    last = work.decisions.last()
    assert (last.decision, last.reviewer, last.reason) == (
        Decision.LAPSED, returning_redos.RULE, returning_redos.REASON
    )  # fmt: skip
    (redo,) = redos_of(work)
    assert (redo.is_open, redo.changes) == (False, [])
    client.force_login(rita())
    page = client.get(reverse("review", args=[study.slug, study.version]))
    assert values(page.content.decode(), "data-decided") == ["lapsed"]
    panel_page = client.get(reverse("review_panel", args=[study.slug, study.version, work.pk]))
    assert elements(panel_page.content.decode(), "data-made", "lapsed")


def test_a_redo_that_was_begun_and_left_waits_with_what_stands_there(work):
    examining.examine(pk=work.pk)
    ask(work)
    answer(work, "b")
    lapse()
    work.refresh_from_db()
    (redo,) = redos_of(work)
    assert [(change.before, change.after) for change in redo.changes] == [("a", "b")]
    assert work.state == State.SUBMITTED
    assert away(work) == timedelta()  # it was handed in when it was handed in
    assert not Examination.objects.exists()  # the sweep looks at it, as it is now
    with raises(CannotReview, "not_undoable"):
        undo(work.decisions.last().act)
    ask(work, now=LATER + 2 * REDO_TERM)
    assert work.state == State.ACTIVE
    undo(work.decisions.last().act)
    work.refresh_from_db()
    assert work.state == State.SUBMITTED
    assert len(redos_of(work)) == 1
    ask(work, now=LATER + 2 * REDO_TERM)
    hand_in(work, now=LATER + 2 * REDO_TERM + HOUR)
    assert away(work) == LATER + 2 * REDO_TERM + HOUR - (NOW + 10 * MINUTE)


def test_what_was_kept_of_a_redo_is_never_changed(work):
    ask(work)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        AnswersBefore.objects.update(answers=[])
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        AnswersBefore.objects.get().save()
    assert len(AnswersBefore.objects.get().answers) == 3
    assigning.withdraw(assignment=work, now=AGAIN)
    assert not AnswersBefore.objects.exists()


def test_a_redo_that_is_handed_in_in_the_last_moment_is_in(work):
    ask(work)
    hand_in(work, now=LATER + REDO_TERM)
    assert lapse() == 0
    assert [decision.decision for decision in work.decisions.all()] == [Decision.REDO]


def test_what_was_answered_is_kept_and_what_changed_is_told(work):
    ask(work)
    answer(work, "b")
    (redo,) = redos_of(work)
    assert (redo.is_open, redo.answers, redo.reason) == (True, 3, REASON)
    hand_in(work)
    (redo,) = redos_of(work)
    assert [(change.before, change.after) for change in redo.changes] == [("a", "b")]
    assert (redo.is_open, redo.handed_in_at) == (False, NOW + 10 * MINUTE)
    evidence = panel.context(work.study, work)["evidence"][0]
    assert numbers(evidence.said) == [1, 3]  # answers changed, of all


def test_each_redo_is_compared_with_what_came_of_it(work):
    ask(work)
    answer(work, "b")
    hand_in(work)
    ask(work, now=AGAIN + MINUTE)
    answer(work, "n", now=AGAIN + HOUR)
    hand_in(work, now=AGAIN + HOUR)
    said = [[(change.before, change.after) for change in redo.changes] for redo in redos_of(work)]
    assert said == [[("a", "b")], [("b", "n")]]
    assert AnswersBefore.objects.count() == 2


def test_time_before_the_redo_counts_as_active_time(work):
    span = {work.pk: (NOW, NOW + 10 * MINUTE)}
    before = measured(span)[work.pk].seconds
    ask(work)
    for position in (1, 2, 3):
        answer(work, "b", position=position, now=AGAIN)
    hand_in(work, now=AGAIN + 2 * MINUTE)
    work.refresh_from_db()
    after = measured({work.pk: (NOW, work.submitted_at)})[work.pk].seconds
    # Ten minutes, one gap until it was gone on with, two minutes.
    assert (before, after) == (600, 600 + 600 + 120)


def test_days_until_it_is_handed_in_again_make_nobody_slow(work):
    Study.objects.update(minimum_seconds=1800)

    def seen():
        examining.examine(pk=work.pk)
        examination = Examination.objects.get(assignment=work)
        return [mark["rule"] for mark in examination.marks], examination.seconds

    assert seen() == (["fast"], 600)
    ask(work)
    hand_in(work)  # as it was
    assert seen() == (["fast"], 600)
    ask(work, now=AGAIN + HOUR)
    answer(work, "b", now=AGAIN + 2 * HOUR)
    hand_in(work, now=AGAIN + 2 * HOUR + 5 * MINUTE)
    assert seen() == (["fast"], 900)


def test_a_form_of_before_does_not_hand_it_in(work):
    Assignment.objects.filter(pk=work.pk).update(number=100)
    ask(work)
    with pytest.raises(Superseded):
        recording.submit(assignment=work, now=AGAIN, number=100)
    assert Assignment.objects.get(pk=work.pk).state == State.ACTIVE


def test_an_answer_of_before_that_comes_late_changes_nothing(study):
    work = assigning.begin(assignment=assigning.claim(study=study, worker=bob(), now=NOW), now=NOW)
    answer_all(work)
    answer(work, "n", now=NOW, number=50)
    hand_in(work, now=NOW + MINUTE)
    ask(work)
    answer(work, "b", number=49)
    assert redos_of(work)[0].changes == []


# -- Who may be asked ---------------------------------------------------------------------------


def test_paid_work_is_not_redone(work):
    LedgerEntry.objects.create(
        study=work.study, batch=work.task.batch, worker=work.worker, assignment=work,
        kind="paid", amount=300, currency="GBP", key="paid there", created_at=NOW,
    )  # fmt: skip
    with raises(DecisionsRefused, "may_be_paid"):
        ask(work)


@pytest.mark.parametrize("state", ["sent", "unknown"])
def test_nor_is_work_that_may_be_paid_by_an_order_whose_decision_was_taken_back(work, state):
    Payment.objects.create(
        study=work.study, worker=work.worker, assignment=work, kind="reward", way="platform",
        state=state, amount=300, currency="GBP", key="sent", made_at=NOW, sent_at=NOW,
    )  # fmt: skip
    with raises(DecisionsRefused, "may_be_paid"):
        ask(work)


def test_what_was_owed_is_owed_again_once_it_is_handed_in_again(work):
    def owed():
        rows = LedgerEntry.objects.filter(assignment=work, kind="owed", reversal=None)
        return sum(rows.values_list("amount", flat=True))

    assert owed() == 300
    ask(work)
    assert owed() == 0
    hand_in(work)
    assert owed() == 300


# -- Taken back ---------------------------------------------------------------------------------


def test_many_redos_are_taken_back_until_one_of_them_was_begun(study, work):
    works = [work, submitted(study, worker("dora"))]
    undo(ask(*works))
    assert not AnswersBefore.objects.exists()
    assert Assignment.objects.get(pk=work.pk).submitted_at == NOW + 10 * MINUTE
    act = ask(*works)
    answer(works[1], "b")
    with raises(CannotReview, "redo_begun", match=str(works[1].worker)):
        undo(act)
    assert {assignment.state for assignment in Assignment.objects.all()} == {State.ACTIVE}
    assert AnswersBefore.objects.count() == 2


def test_a_remark_is_a_beginning_too(work):
    act = ask(work)
    recording.comment(assignment=work, position=2, text="Now I see it.")
    with raises(CannotReview, "redo_begun", match=str(work.worker)):
        undo(act)


def test_a_decision_that_is_taken_back_after_a_redo_leaves_what_was_kept(work):
    ask(work)
    hand_in(work)
    undo(ask(work, decision=Decision.ACCEPT, now=AGAIN))
    assert AnswersBefore.objects.count() == 1
    assert Assignment.objects.get(pk=work.pk).state == State.SUBMITTED


def test_as_many_queries_for_three_as_for_one(study, django_assert_max_num_queries):
    with django_assert_max_num_queries(99) as one:
        ask(submitted(study, bob()))
    more = small_study(slug="more", quota=3, responses=3, corpus=study.corpus)
    works = [submitted(more, worker(f"w{n}")) for n in range(3)]
    with django_assert_max_num_queries(99) as three:
        ask(*works)
    kept = [[each for each in some if "before" in each["sql"]] for some in (one, three)]
    assert len(kept[0]) == len(kept[1])


# -- Erased, exported ---------------------------------------------------------------------------


def test_a_withdrawal_erases_what_was_answered_before(work):
    ask(work)
    assigning.withdraw(assignment=work, now=AGAIN)
    assert not AnswersBefore.objects.exists()
    assert not Judgment.objects.exists()


def test_what_was_answered_before_is_exported_once_it_is_handed_in_again(work):
    ask(work)
    answer(work, "b")
    source = ExportSource.of(work.study)
    assert list(votes_before(source)) == []
    hand_in(work)
    rows = list(votes_before(source))
    assert [row["raw"] for row in rows] == ["a", "a", "a"]
    assert set(rows[0]) == set(header(COLUMNS, source))
    assert {row["vote"] for row in rows} <= {"a", "b"}
    assert (rows[0]["handed_in_at"], rows[0]["reason"]) == ("2026-03-02T09:10:00.000+00:00", REASON)


# -- Pages --------------------------------------------------------------------------------------


def test_the_worker_finds_the_remark_above_their_answers(client, work):
    ask(work)
    page = client.get(f"/w/{work.token}/", follow=True)
    assert page.request["PATH_INFO"] == f"/w/{work.token}/judging/1/"
    body = page.content.decode()
    assert REASON in body
    assert "checked" in body
    assert REASON in client.get(f"/w/{work.token}/judging/finish/").content.decode()
    hand_in(work)
    assert REASON not in client.get(f"/w/{work.token}/", follow=True).content.decode()


def test_a_reviewer_asks_in_the_queue_and_sees_what_changed(client, work):
    study = work.study
    client.force_login(rita())
    address = reverse("review_together", args=[study.slug, study.version])
    form = {"work": f"{work.pk}.0", "sure": "yes", "decision": "redo", "reason": REASON}
    client.post(address, form)
    queue = reverse("review", args=[study.slug, study.version])
    assert "bob" in without_tokens(client.get(queue, {"state": "active"}).content.decode())
    assert "bob" not in without_tokens(client.get(queue).content.decode())
    answer(work, "b")
    hand_in(work, now=AGAIN + timedelta(minutes=3))
    assert values(client.get(queue).content.decode(), "data-decided") == ["redo"]
    page = client.get(reverse("assignment_page", args=[study.slug, study.version, work.pk]))
    body = page.content.decode()
    assert values(body, "data-changed") == ["1/3"]
    assert '<td dir="auto" class="some" title="Right">Right</td>' in body


# -- The last page ------------------------------------------------------------------------------


def told(**of_batch):
    """Handed in with an answer to the question of the last page."""
    anything = FieldSpec("anything", "text", "Anything else?", required=True)
    study = small_study(
        responses=3, instrument=tiny_instrument(exit_form=[anything]), batch=of_batch
    )
    work = begun(study, bob())
    answer_all(work)
    said = {"anything": "No lamp."}
    return recording.submit(assignment=work, now=NOW + MINUTE, exit_answers=said)


def test_what_was_said_on_the_last_page_stands_there_again(client):
    work = told()
    assert Batch.objects.get().state == "closed"  # full; a redo goes on
    ask(work)
    address = f"/w/{work.token}/judging/finish/"
    assert "No lamp." in client.get(address).content.decode()
    client.post(address, {"anything": "One lamp."})
    work.refresh_from_db()
    assert (work.state, work.exit_answers) == (State.SUBMITTED, {"anything": "One lamp."})
    assert AnswersBefore.objects.get().exit_answers == {"anything": "No lamp."}


def test_what_was_said_on_the_last_page_stays_where_nobody_takes_the_redo_up():
    work = told(closes_when_full=False)
    ask(work)
    lapse()
    work.refresh_from_db()
    assert (work.state, work.exit_answers) == (State.SUBMITTED, {"anything": "No lamp."})
