"""Entries of a bank never change; decisions on them are numbered, and can be undone."""

import hashlib

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import AuditEntry
from annotation.refusals import Refusal
from judging.banks import adding, deciding, deleting
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import confirmed_at, entries_at
from judging.models import Bank, BankEntry, BankIsFinal, EntryDecision, Instrument
from tests.cast import NOW, rita, small_study
from tests.judging.banks.cast import TEXTS, bank_of, entry, shown, states
from tests.judging.queries.cast import passages

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
BY = {"by": None, "now": NOW}
CONFIRM, RETIRE = Change(state="confirmed"), Change(state="retired")


def test_a_bank_at_a_revision_has_the_decisions_until_then():
    bank = bank_of()
    assert bank.revision == 3
    done = deciding.decide(bank=bank, shown=shown(bank, TEXTS[0]), change=CONFIRM, **BY)
    assert (done.act, bank.revision) == (4, 4)
    deciding.decide(bank=bank, shown=shown(bank, *TEXTS[:2]), change=RETIRE, **BY)
    assert states(bank, 2) == dict.fromkeys(TEXTS[:2], "proposed")
    assert [row.text for row in confirmed_at(bank, 4)] == [TEXTS[0]]
    assert states(bank) == dict(zip(TEXTS, ["retired", "retired", "proposed"], strict=True))
    assert Bank.objects.get().revision == 6 == EntryDecision.objects.last().revision


def test_a_key_is_topic_facet_and_md5_of_the_stripped_text():
    bank = bank_of([" Early 1950s innovation\n"], facet="history")
    digest = hashlib.md5(b"Early 1950s innovation").hexdigest()
    assert entries_at(bank)[0].key == f"t1/history/{digest}"
    assert entries_at(bank)[0].text == " Early 1950s innovation\n"


def test_an_edit_is_another_entry_and_the_old_one_is_retired():
    bank = bank_of(importance="vital", answers=[{"answer": "Eiffel", "references": []}])
    old = entry(bank, TEXTS[0])
    new = deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="By  Gustave", **BY)
    edited = entry(bank, "By Gustave")
    assert (edited.pk, edited.replaces_id, edited.state) == (new.pk, old.pk, "confirmed")
    assert (edited.importance, edited.answers) == ("vital", old.answers)
    assert edited.key != old.key
    assert states(bank)[TEXTS[0]] == "retired"
    deciding.undo(bank=bank, act=edited.act, **BY)
    assert states(bank) == dict.fromkeys(TEXTS, "proposed") | {"By Gustave": "retired"}


def test_an_edit_back_to_an_earlier_wording_restores_its_entry():
    bank = bank_of()
    old = entry(bank, TEXTS[0])
    new = deciding.edit(bank=bank, entry=old.pk, shown=old.revision, text="Gustave", **BY)
    again = deciding.edit(
        bank=bank, entry=new.pk, shown=entry(bank, "Gustave").revision, text=TEXTS[0], **BY
    )
    assert again.pk == old.pk
    assert states(bank)[TEXTS[0]] == "confirmed"
    assert states(bank)["Gustave"] == "retired"


def test_the_answers_of_an_entry_change_and_its_key_stays():
    bank = bank_of()
    old = entry(bank, TEXTS[0])
    answers = [{"answer": "Gustave Eiffel", "references": ["p1"]}]
    change = Change(answers=answers, aggregator="or")
    deciding.decide(bank=bank, shown={old.pk: old.revision}, change=change, **BY)
    now = entry(bank, TEXTS[0])
    assert (now.key, now.answers, now.aggregator) == (old.key, answers, "or")
    assert entries_at(bank, old.revision)[0].answers == []


def test_a_merge_confirms_one_entry_and_retires_the_others():
    bank = bank_of()
    into = entry(bank, TEXTS[1])
    done = deciding.merge(bank=bank, into=into.pk, shown=shown(bank), **BY)
    assert states(bank) == dict(zip(TEXTS, ["retired", "confirmed", "retired"], strict=True))
    assert entry(bank, TEXTS[0]).reason == f"merged into {into.key}"
    deciding.undo(bank=bank, act=done.act, **BY)
    assert states(bank) == dict.fromkeys(TEXTS, "proposed")


def test_entries_of_two_topics_are_not_merged():
    bank = bank_of()
    other = bank.corpus.topics.get(key="t2")
    adding.add(bank=bank, entry=NewEntry(other, "A dance"), **BY)
    with pytest.raises(Refusal) as refused:
        deciding.merge(bank=bank, into=entry(bank, "A dance").pk, shown=shown(bank), **BY)
    assert refused.value.code == "OtherTopic"


def test_the_second_of_two_tabs_is_late():
    bank = bank_of()
    tab = shown(bank)
    first = entry(bank, TEXTS[0]).pk
    deciding.decide(bank=bank, shown={first: tab[first]}, change=CONFIRM, **BY)
    for late in (
        lambda: deciding.decide(bank=bank, shown={first: tab[first]}, change=RETIRE, **BY),
        lambda: deciding.edit(bank=bank, entry=first, shown=tab[first], text="Other", **BY),
        lambda: deciding.merge(bank=bank, into=first, shown=tab, **BY),
    ):
        with pytest.raises(Refusal) as refused:
            late()
        assert refused.value.code == "StaleEntry"
    done = deciding.decide(bank=bank, shown=tab, change=RETIRE, **BY)
    assert (len(done.done), done.late) == (2, 1)
    assert states(bank)[TEXTS[0]] == "confirmed"


def test_an_undo_leaves_entries_that_were_decided_on_since():
    bank = bank_of()
    done = deciding.decide(bank=bank, shown=shown(bank), change=CONFIRM, **BY)
    deciding.decide(bank=bank, shown=shown(bank, TEXTS[0]), change=RETIRE, **BY)
    undone = deciding.undo(bank=bank, act=done.act, **BY)
    assert (len(undone.done), undone.late) == (2, 1)
    assert states(bank) == dict(zip(TEXTS, ["retired", "proposed", "proposed"], strict=True))
    deciding.undo(bank=bank, act=undone.act, **BY)
    assert states(bank)[TEXTS[1]] == "confirmed"
    with pytest.raises(Refusal):
        deciding.undo(bank=bank, act=done.act, **BY)


def test_the_undo_of_an_addition_retires_the_entry():
    bank = bank_of()
    deciding.undo(bank=bank, act=1, **BY)
    assert set(states(bank).values()) == {"retired"}


def test_importance_and_secrecy_are_decisions_and_the_same_again_is_none():
    bank = bank_of()
    change = Change(importance="vital", secret=True)
    done = deciding.decide(bank=bank, shown=shown(bank, TEXTS[0]), change=change, **BY)
    row = entry(bank, TEXTS[0])
    assert (row.importance, row.secret, row.state) == ("vital", True, "proposed")
    again = deciding.decide(bank=bank, shown={row.pk: row.revision}, change=change, **BY)
    assert (again.done, again.same, again.act) == ((), 1, 0)
    assert bank.revision == done.act


def test_what_a_bank_has_already_is_not_added():
    bank = bank_of()
    topic = bank.corpus.topics.get(key="t1")
    new = [NewEntry(topic, f" {TEXTS[0]} "), NewEntry(topic, "New"), NewEntry(topic, "New")]
    done = adding.add_all(bank=bank, entries=new, state="proposed", **BY)
    assert (len(done.done), done.same) == (1, 2)
    adding.add(bank=bank, entry=NewEntry(topic, TEXTS[0]), **BY)
    assert states(bank)[TEXTS[0]] == "confirmed"
    with pytest.raises(Refusal) as refused:
        adding.add(bank=bank, entry=NewEntry(topic, TEXTS[0]), **BY)
    assert refused.value.code == "EntryExists"


@pytest.mark.parametrize("text", ["", " \x00 ", "...", "a" * 2001])
def test_a_text_without_words_or_too_long_is_refused(text):
    bank = bank_of()
    topic = bank.corpus.topics.get(key="t1")
    with pytest.raises(Refusal) as refused:
        adding.add(bank=bank, entry=NewEntry(topic, text), **BY)
    assert refused.value.code == "EntryText"


@pytest.mark.parametrize("name", ["", " \x00", "a" * 201, "towers"])
def test_a_name_is_refused_that_is_empty_too_long_or_taken(name):
    bank = bank_of()
    with pytest.raises(Refusal):
        adding.make(corpus=bank.corpus, name=name, kind="nuggets", **BY)


def test_every_act_is_in_the_audit_log_without_texts():
    bank, by = bank_of(), rita()
    done = deciding.decide(bank=bank, shown=shown(bank), change=CONFIRM, by=by, now=NOW)
    row = entry(bank, TEXTS[0])
    deciding.edit(bank=bank, entry=row.pk, shown=row.revision, text="Other", by=by, now=NOW)
    deciding.undo(bank=bank, act=done.act, by=by, now=NOW)
    log = AuditEntry.objects.filter(user=by).order_by("pk")
    acts = ["confirmed entries", "edited an entry", "undid a decision on entries"]
    assert list(log.values_list("act", flat=True)) == acts
    assert not [line for line in log for text in TEXTS if text in line.what]


# -- The database guards ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("model", "changes"),
    [(BankEntry, {"text": "x"}), (BankEntry, {"key": "x"}), (EntryDecision, {"state": "retired"})],
)
def test_the_database_refuses_a_changed_entry_or_decision(model, changes):
    bank_of()
    row = model.objects.first()
    for name, value in changes.items():
        setattr(row, name, value)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        model._base_manager.all().update(**changes)
    with pytest.raises(BankIsFinal):
        model.objects.update(**changes)
    with pytest.raises(BankIsFinal):
        model.objects.all().delete()


def test_an_entry_outlives_its_source_and_goes_with_its_corpus():
    bank, by = bank_of(), rita()
    topic = bank.corpus.topics.get(key="t1")
    new = NewEntry(topic, "Marked", passage=topic.passages.first(), start=1, end=3, author="person")
    adding.add(bank=bank, entry=new, by=by, now=NOW)
    topic.passages.all().delete()
    assert entry(bank, "Marked").passage_id is None
    bank.corpus.delete()
    assert not BankEntry.objects.exists()
    assert not EntryDecision.objects.exists()


def test_a_bank_is_deleted_only_without_studies():
    study = small_study()
    bank = bank_of(corpus=passages())
    Instrument.objects.filter(study=study).update(bank=bank, bank_revision=3)
    with pytest.raises(Refusal) as refused:
        deleting.delete(bank=bank, by=None)
    assert refused.value.code == "BankInUse"
    Instrument.objects.filter(study=study).update(bank=None, bank_revision=None)
    deleting.delete(bank=bank, by=None)
    assert not Bank.objects.exists()


def test_reading_a_bank_is_one_query_at_any_size():
    bank = bank_of([f"Nugget {n}" for n in range(300)])
    with CaptureQueriesContext(connection) as asked:
        assert len(entries_at(bank)) == 300
    assert len(asked) == 1
