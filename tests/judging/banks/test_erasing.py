"""Withdrawn words leave banks; an erased entry keeps its row, and nobody uses it again."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.http import QueryDict

from annotation.models import Response
from annotation.refusals import Refusal
from judging.banks import adding, deciding, erasing, generating
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.models import BankEntry, EntryDecision
from judging.pages.bank_adding import source_of
from tests.cast import NOW
from tests.judging.banks.cast import TEXTS, bank_of, entry
from tests.judging.banks.test_rounds import round_of

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}


@pytest.fixture
def bank():
    return bank_of(state="confirmed")


@pytest.fixture
def text(bank):
    topic = bank.corpus.topics.order_by("pk").first()
    return Response.objects.create(
        corpus=bank.corpus, topic=topic, key="r", style="essay", origin="human",
        text="Lamps shine brightly.", words=3,
    )  # fmt: skip


@pytest.fixture
def erased(bank, text):
    new = NewEntry(text.topic, "Lamps shine", response=text, start=0, end=11)
    one = adding.add(bank=bank, entry=new, **BY)
    erasing.erase_words(responses=[text.pk], now=NOW)
    return BankEntry.objects.get(pk=one.pk)


def test_the_row_stays_without_words_and_is_retired(bank, erased):
    (row,) = [row for row in entries_at(bank) if row.pk == erased.pk]
    assert (row.text, row.state, row.reason) == ("", "retired", erasing.REASON)
    assert row.key == erased.key
    assert {row.text for row in entries_at(bank, states=["confirmed"])} == set(TEXTS)


def test_it_is_not_used_again(bank, erased, text):
    (row,) = [row for row in entries_at(bank) if row.pk == erased.pk]
    acts = (
        lambda: adding.add(bank=bank, entry=NewEntry(text.topic, "Lamps shine"), **BY),
        lambda: deciding.decide(
            bank=bank, shown={row.pk: row.revision}, change=Change(state="confirmed"), **BY
        ),
        lambda: deciding.undo(bank=bank, act=row.act, **BY),
    )
    for act in acts:
        with pytest.raises(Refusal) as refused:
            act()
        assert refused.value.code == "EntryErased"


@pytest.mark.parametrize(
    "change", ["text = 'other'", "text = '', facet = 'other'", "key = 'other'", "author = 'model'"]
)
@pytest.mark.storage
def test_the_database_allows_nothing_but_emptying_a_text(bank, change):
    pk = entry(bank, TEXTS[0]).pk
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE judging_bankentry SET {change} WHERE id = {pk}")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE judging_entrydecision SET reason = '' , answers = '[1]' WHERE entry_id = {pk}"
        )
    assert BankEntry.objects.filter(pk=pk).erase() == 1
    assert EntryDecision.objects.filter(entry=pk).erase() == 1


@pytest.fixture
def asked(bank, text):
    """Return a round with a call that read the text, and one that did not."""
    asked = round_of(bank, "http://127.0.0.1:9/v1", responses=2)
    generating.prepare(round=asked)
    assert [call.read for call in asked.calls.order_by("topic")] == [[text.pk], []]
    replies = {bank.kind: ["Lamps are bright", "Lamps glow"]}
    asked.calls.update(state="answered", parsed=replies)
    return asked


def test_entries_of_a_model_that_read_it_are_erased_with_their_later_wordings(bank, text, asked):
    generating.take_entries(round=asked)
    read, other = ([*bank.entries.filter(topic=topic)] for topic in bank.corpus.topics.all())
    read = [row for row in read if row.author == "model"]
    new = deciding.edit(bank=bank, entry=read[0].pk, shown=4, text="Lamps do glow", **BY)
    erasing.erase_words(responses=[text.pk], now=NOW)
    texts = dict(bank.entries.values_list("pk", "text"))
    assert {texts[row.pk] for row in [*read, new]} == {""}
    assert [texts[row.pk] for row in other] == ["Lamps are bright", "Lamps glow"]
    assert set(TEXTS) <= set(texts.values())


def test_older_entries_are_found_by_the_call_that_read_the_text(bank, text, asked):
    new = NewEntry(text.topic, "Lamps shine", author="model", extra={"round": asked.pk})
    one = adding.add(bank=bank, entry=new, **BY)
    erasing.erase_words(responses=[text.pk], now=NOW)
    assert BankEntry.objects.get(pk=one.pk).text == ""


def test_a_reply_that_was_not_taken_yet_gives_no_entry(bank, text, asked):
    erasing.erase_words(responses=[text.pk], now=NOW)
    generating.take_entries(round=asked)
    made = bank.entries.filter(author="model")
    assert set(made.values_list("topic__key", flat=True)) == {"t2"}


def test_a_withdrawn_text_is_no_source_and_its_selected_words_are_dropped(bank, text):
    sent = QueryDict(f"response={text.pk}&selected=Lamps")
    assert source_of(bank.corpus, sent).selected == "Lamps"
    Response.objects.filter(pk=text.pk).update(text="", is_empty=False)
    source = source_of(bank.corpus, sent)
    assert (source.response, source.selected) == (None, "")
