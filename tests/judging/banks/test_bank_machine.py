"""Decisions in any order and from any tab, against a model in plain Python.

After each step the bank says at every revision what the model says.
"""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.refusals import Refusal
from judging.banks import adding, deciding
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.models import EntryDecision
from tests.cast import NOW
from tests.judging.banks.cast import bank_of

BY = {"by": None, "now": NOW}
TEXTS = st.sampled_from("abcde")
STATES = st.sampled_from(["proposed", "confirmed", "retired"])


class Decisions(RuleBasedStateMachine):
    """`log` is a list of (act, text, state); `texts` maps texts to primary keys."""

    @initialize()
    def make(self):
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.bank = bank_of([])
        self.topic = self.bank.corpus.topics.get(key="t1")
        self.log, self.texts = [], {}

    def teardown(self):
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    def state(self, text, until=None):
        states = [state for _, row, state in self.log[:until] if row == text]
        return states[-1] if states else None

    def shown(self, *texts):
        numbered = list(enumerate(self.log, start=1))
        return {
            self.texts[text]: [number for number, (_, row, _) in numbered if row == text][-1]
            for text in texts
        }

    def append(self, *rows):
        act = len(self.log) + 1
        self.log += [(act, text, state) for text, state in rows]

    @rule(text=TEXTS, state=STATES)
    def add(self, text, state):
        if self.state(text) == state:
            with pytest.raises(Refusal):
                adding.add(bank=self.bank, entry=NewEntry(self.topic, text), state=state, **BY)
            return
        row = adding.add(bank=self.bank, entry=NewEntry(self.topic, text), state=state, **BY)
        self.texts[text] = row.pk
        self.append((text, state))

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), state=STATES)
    def decide(self, data, state):
        chosen = data.draw(st.sets(st.sampled_from(sorted(self.texts)), min_size=1))
        change = Change(state=state)
        deciding.decide(bank=self.bank, shown=self.shown(*chosen), change=change, **BY)
        order = sorted(chosen, key=self.texts.__getitem__)
        self.append(*((text, state) for text in order if self.state(text) != state))

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), text=TEXTS)
    def edit(self, data, text):
        old = data.draw(st.sampled_from(sorted(self.texts)))
        shown = self.shown(old)
        (pk, revision), *_ = shown.items()
        row = deciding.edit(bank=self.bank, entry=pk, shown=revision, text=text, **BY)
        assert self.texts.setdefault(text, row.pk) == row.pk
        if text != old:
            self.append((text, "confirmed"), (old, "retired"))
        elif self.state(text) != "confirmed":
            self.append((text, "confirmed"))

    @precondition(lambda self: len(self.texts) > 1)
    @rule(data=st.data())
    def merge(self, data):
        chosen = data.draw(st.sets(st.sampled_from(sorted(self.texts)), min_size=2))
        order = sorted(chosen, key=self.texts.__getitem__)
        into, *_ = order
        deciding.merge(bank=self.bank, into=self.texts[into], shown=self.shown(*chosen), **BY)
        self.append((into, "confirmed"), *((text, "retired") for text in order[1:]))

    @precondition(lambda self: self.log)
    @rule(data=st.data())
    def undo(self, data):
        act = data.draw(st.sampled_from(sorted({act for act, _, _ in self.log})))
        rows = [text for number, text, _ in self.log if number == act]
        newest = {text: number for number, text, _ in self.log}
        open_ones = sorted(
            (text for text in rows if newest[text] == act), key=self.texts.__getitem__
        )
        if not open_ones:
            with pytest.raises(Refusal):
                deciding.undo(bank=self.bank, act=act, **BY)
            return
        deciding.undo(bank=self.bank, act=act, **BY)
        self.append(*((text, self.state(text, act - 1) or "retired") for text in open_ones))

    @precondition(lambda self: len(self.log) > 1)
    @rule(data=st.data(), state=STATES)
    def decide_in_an_old_tab(self, data, state):
        text = data.draw(st.sampled_from(sorted(self.texts)))
        (pk, revision), *_ = self.shown(text).items()
        with pytest.raises(Refusal):
            deciding.decide(
                bank=self.bank, shown={pk: revision - 1}, change=Change(state=state), **BY
            )

    @precondition(lambda self: hasattr(self, "log"))
    @invariant()
    def every_revision_is_as_it_was(self):
        self.bank.refresh_from_db()
        assert self.bank.revision == len(self.log)
        numbers = EntryDecision.objects.filter(bank=self.bank).values_list("revision", flat=True)
        assert sorted(numbers) == list(range(1, len(self.log) + 1))
        for revision in {0, len(self.log) // 2, len(self.log)}:
            rows = {row.text: row.state for row in entries_at(self.bank, revision)}
            wanted = {text: self.state(text, revision) for text in self.texts}
            assert rows == {text: state for text, state in wanted.items() if state}


@pytest.mark.django_db
@pytest.mark.storage
def test_no_order_of_decisions_changes_an_earlier_revision():
    run_state_machine_as_test(
        Decisions,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
