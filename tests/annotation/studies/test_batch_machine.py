"""What is done with batches and by people, in any order, against a model in plain Python.

After each step the quotas hold, and each batch is as the model says.
"""

from dataclasses import dataclass
from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Batch, Place
from annotation.refusals import Refusal
from annotation.studies import batching, extending
from annotation.studies.batching import NotReady
from tests.annotation.fieldwork.work import invariants
from tests.cast import NOW, answer_all, design_batch, draft_study, small_corpus, worker

PEOPLE = ("bob", "charlie", "dora", "emil", "fritz")
which = st.integers(0, 1)


@dataclass
class Wave:
    state: str
    tasks: int
    quota: int
    terms: tuple[int, int] = (2, 10)


class Batches(RuleBasedStateMachine):
    @initialize(quota=st.integers(1, 2), pilot=st.integers(1, 2))
    def launch(self, quota, pilot):
        """Three questionnaires of one pair."""
        self.before = transaction.savepoint()
        study = draft_study(corpus=small_corpus(responses=3), cap=3, pay=Decimal(2), minutes=10)
        batch = design_batch(study, items=1, quota=quota)
        self.rows = extending.split_pilot(batch=batch, tasks=pilot)
        self.study = batching.launch(study=study, now=NOW, waiting=self.rows[1:])
        self.at_work: set[str] = set()
        self.waves = [Wave("open", pilot, quota), Wave("draft", 3 - pilot, quota)]

    def teardown(self):
        if hasattr(self, "before"):
            transaction.savepoint_rollback(self.before)

    def act(self, allowed, act, **said):
        """Do it, and see that it is refused exactly where the model says so."""
        try:
            act(batch=Batch.objects.get(pk=said.pop("batch").pk), **said)
        except NotReady:
            assert not allowed
        else:
            assert allowed
        return allowed

    def agrees(self, wave):
        """Whether what else is open has the same terms."""
        return all(o.terms == wave.terms for o in self.waves if o.state == "open" and o is not wave)

    @rule(n=which)
    def open(self, n):
        wave = self.waves[n]
        allowed = wave.state == "draft" and self.agrees(wave)
        if self.act(allowed, batching.open_batch, batch=self.rows[n], now=NOW):
            wave.state = "open"

    @rule(n=which)
    def pause(self, n):
        wave = self.waves[n]
        if self.act(wave.state == "open", batching.pause_batch, batch=self.rows[n]):
            wave.state = "paused"

    @rule(n=which)
    def resume(self, n):
        wave = self.waves[n]
        allowed = wave.state == "paused" and self.agrees(wave)
        if self.act(allowed, batching.resume_batch, batch=self.rows[n]):
            wave.state = "open"

    @rule(n=which)
    def close(self, n):
        wave = self.waves[n]
        allowed = wave.state in ("open", "paused")
        if self.act(allowed, batching.close_batch, batch=self.rows[n], now=NOW):
            wave.state = "closed"

    @rule(n=which, votes=st.integers(1, 2))
    def extend(self, n, votes):
        wave = self.waves[n]
        allowed = wave.state in ("open", "paused")
        if self.act(allowed, extending.extend_batch, batch=self.rows[n], votes=votes):
            wave.quota += votes

    @rule(n=which, pay=st.integers(1, 2), minutes=st.integers(9, 10), votes=st.integers(1, 3))
    def set_terms(self, n, pay, minutes, votes):
        wave = self.waves[n]
        said = {"pay": Decimal(pay), "minutes": minutes, "votes": votes}
        if self.act(wave.state == "draft", extending.set_terms, batch=self.rows[n], **said):
            wave.terms, wave.quota = (pay, minutes), votes

    @rule(name=st.sampled_from(PEOPLE))
    def arrive(self, name):
        """Somebody gets a place only where a batch is open."""
        try:
            got = assigning.claim(study=self.study, worker=worker(name), now=NOW)
        except Refusal:
            return
        got = assigning.begin(assignment=got, now=NOW)
        before = name in self.at_work
        wave = self.waves[[row.pk for row in self.rows].index(got.task.batch_id)]
        assert before or wave.state == "open"
        self.at_work.add(name)

    @rule(name=st.sampled_from(PEOPLE))
    def hand_in(self, name):
        """Submit work in progress, whatever the batch's state; a full batch closes."""
        mine = Assignment.objects.filter(worker=worker(name), state="active").first()
        if mine is None:
            return
        self.at_work.discard(name)
        answer_all(mine)
        assigning.submit(assignment=mine, now=NOW)
        for row, wave in zip(self.rows, self.waves, strict=True):
            if row.pk == mine.task.batch_id and wave.state in ("open", "paused"):
                wave.state = "closed" if batching.is_full(row) else wave.state

    @invariant()
    def the_database_agrees(self):
        if not hasattr(self, "study"):
            return
        invariants.check(self.study)
        for row, wave in zip(self.rows, self.waves, strict=True):
            now = Batch.objects.get(pk=row.pk)
            assert (now.state, now.terms_in(self.study)) == (wave.state, wave.terms)
            assert Place.objects.filter(task__batch=row).count() == wave.tasks * wave.quota


@pytest.mark.django_db
def test_batches_in_any_order_keep_quotas_states_and_terms():
    run_state_machine_as_test(
        Batches,
        settings=settings(
            max_examples=12,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
