"""Several people and tasks, in any order of events, against a model in plain Python.

After each step the database says what the model says, and every invariant holds.
"""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.fieldwork.review import returning_redos, reviewing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Place, ReviewDecision, Study, Task
from annotation.refusals import Refusal
from annotation.studies import batching
from annotation.studies.creating import next_batch
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.annotation.fieldwork.work import invariants
from tests.annotation.fieldwork.work.assignment_model import HOLD, LIMIT, Model
from tests.cast import MINUTE, NOW, small_corpus, small_study, worker

PEOPLE = ("bob", "charlie", "dora", "emil")


def attempt(act, **arguments):
    """Return the result, or the name of the refusal."""
    try:
        return act(**arguments)
    except (Refusal, CannotReview) as refusal:
        return refusal.code if isinstance(refusal, Refusal) else type(refusal).__name__


class Assignments(RuleBasedStateMachine):
    works = Bundle("works")

    @initialize(
        quota=st.integers(1, 2),
        cap=st.integers(1, 3),
        seed=st.integers(0, 3),
        needed=st.integers(0, 2),
    )
    def launch(self, quota, cap, seed, needed):
        """Four questionnaires of two pairs; each pair is in two of them, once in reverse.

        With onboarding the first two of them are for newcomers.
        """
        self.before = transaction.savepoint()
        self.study = small_study(
            corpus=small_corpus(topics=4),
            items=2,
            reversed_share=1,
            quota=quota,
            cap=cap,
            seed=seed,
            time_limit_minutes=LIMIT,
        )
        tasks = Task.objects.filter(batch__study=self.study).prefetch_related("units")
        units = {task.number: {unit.unit for unit in task.units.all()} for task in tasks}
        first = {1, 2} if needed else set()
        self.model = Model(quota, cap, units, needed, first)
        self.onboard(needed, first)
        self.rows: dict[int, Assignment] = {}  # by their place in the model's list

    def onboard(self, needed, first):
        """Make these tasks an onboarding batch."""
        Study.objects.filter(pk=self.study.pk).update(onboarding_tasks=needed)
        self.study = Study.objects.get(pk=self.study.pk)
        if first:
            batch = next_batch(study=self.study, name="onboarding", onboarding=True)
            Task.objects.filter(batch__study=self.study, number__in=first).update(batch=batch)
            batching.open_batch(batch=batch, now=NOW)

    def teardown(self):
        if hasattr(self, "before"):
            transaction.savepoint_rollback(self.before)

    @property
    def now(self):
        return NOW + self.model.now * MINUTE

    def done(self, act, index):
        """Return the resulting state, or the name of the refusal."""
        outcome = attempt(act, assignment=self.row(index), now=self.now)
        return outcome.state if isinstance(outcome, Assignment) else outcome

    def row(self, index):
        return Assignment.objects.get(pk=self.rows[index].pk)

    def came(self, person):
        """Follow the link as the person; return the number of their work, or None."""
        expected = self.model.arrive(person)
        row = attempt(assigning.claim, study=self.study, worker=worker(person), now=self.now)
        if not isinstance(row, Assignment):
            assert row == expected
            return None
        index = self.model.works.index(expected)
        assert (row.task.number, row.state) == (expected.task, expected.state)
        assert self.rows.setdefault(index, row) == row
        return index

    @rule(target=works, person=st.sampled_from(PEOPLE))
    def arrive(self, person):
        index = self.came(person)
        return multiple() if index is None else index

    @rule(target=works, person=st.sampled_from(PEOPLE), last=st.sampled_from(["begin", "submit"]))
    def arrive_and_work(self, person, last):
        index = self.came(person)
        if index is None:
            return multiple()
        self.consent(index)
        if last == "submit":
            self.answer_all_and_submit(index)
        return index

    @rule(target=works, person=st.sampled_from(PEOPLE), other=st.sampled_from(PEOPLE))
    def arrive_and_be_overtaken(self, person, other):
        """Somebody else gets the place of who was late, and leaves it again."""
        late = self.came(person)
        self.wait(LIMIT)
        taken = self.came(other)
        self.came(person)
        if taken is not None:
            self.return_task(taken)
        return multiple() if late is None else late

    @rule(index=works)
    def consent(self, index):
        expected = self.model.begin(self.model.works[index])
        assert self.done(assigning.begin, index) == expected

    @rule(index=works, position=st.integers(1, 2), raw=st.sampled_from("anb"))
    def save(self, index, position, raw):
        row = self.row(index)
        if row.state == "active":
            draw_presentations(assignment=row)
        expected = self.model.save(self.model.works[index], position, raw)
        given = [GivenAnswer(position, "better", raw)]
        saved = attempt(recording.record, assignment=row, answers=given, now=self.now)
        assert getattr(saved, "late", saved) == ([] if expected == "active" else expected)

    @rule(index=works)
    def answer_all_and_submit(self, index):
        for position in (1, 2):
            self.save(index, position, "a")
        self.submit(index)

    @rule(index=works)
    def submit(self, index):
        expected = self.model.submit(self.model.works[index])
        assert self.done(recording.submit, index) == expected

    @rule(index=works)
    def return_task(self, index):
        expected = self.model.move(self.model.works[index], ["arrived", "active"], "returned")
        assert self.done(assigning.return_task, index) == expected

    @precondition(lambda self: len(self.model.works) > 3)
    @rule(index=works)
    def withdraw(self, index):
        expected = self.model.withdraw(self.model.works[index])
        assert self.done(assigning.withdraw, index) == expected

    @precondition(lambda self: any(work.live for work in self.model.works))
    @rule(minutes=st.integers(HOLD // 3, LIMIT))
    def wait(self, minutes):
        self.model.now += minutes
        expected = self.model.expire()
        expired = assigning.expire_due(now=self.now)
        assert expired + returning_redos.return_lapsed(now=self.now) == expected

    @rule(index=works)
    def revive(self, index):
        expected = self.model.revive(self.model.works[index])
        assert self.done(assigning.revive, index) == expected

    @rule(index=works, decision=st.sampled_from(["accept", "reject", "reject_but_pay", "redo"]))
    def decide(self, index, decision):
        expected = self.model.decide(self.model.works[index], decision)
        decided = attempt(
            reviewing.decide,
            assignment=self.row(index),
            decision=ReviewDecision.Decision(decision),
            reviewer="rita",
            reason="So it is.",
            now=self.now,
        )
        assert (decided == "CannotReview") == (expected == "CannotReview")

    @precondition(lambda self: hasattr(self, "rows"))
    @invariant()
    def the_database_says_what_the_model_says(self):
        rows = Assignment.objects.filter(study=self.study).order_by("pk")
        said = list(rows.values_list("worker__pseudonym", "task__number", "state"))
        works = self.model.works
        assert said == [(w.person, w.task, w.state) for w in works]
        free = Place.objects.filter(task__batch__study=self.study, assignment=None)
        assert free.exists() == any(self.model.has_place(task) for task in self.model.units)
        others = self.study.batches.filter(onboarding=False)
        assert others.open().exists() == self.model.open
        judged = Judgment.objects.filter(assignment__study=self.study).values_list(
            "assignment", "raw"
        )
        wanted = [(self.rows[i].pk, raw) for i, w in enumerate(works) for raw in w.answers.values()]
        assert sorted(judged) == sorted(wanted)

    @precondition(lambda self: hasattr(self, "rows"))
    @invariant()
    def all_holds(self):
        invariants.check(self.study)


@pytest.mark.django_db
@pytest.mark.storage
def test_no_order_of_events_breaks_a_rule():
    run_state_machine_as_test(
        Assignments,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
