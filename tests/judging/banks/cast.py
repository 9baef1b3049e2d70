"""Banks for tests."""

from typing import Any

from annotation.models import Corpus
from judging.banks import adding
from judging.banks.adding import NewEntry
from judging.banks.entries_at import EntryAt, entries_at
from judging.models import Bank
from tests.cast import NOW
from tests.judging.queries.cast import passages

TEXTS = ["Built by Eiffel", "Finished in 1889", "330 metres high"]


def bank_of(
    texts: list[str] = TEXTS,
    *,
    corpus: Corpus | None = None,
    state: str = "proposed",
    name: str = "towers",
    **more: Any,
) -> Bank:
    """Return a bank of nuggets about the first topic of `passages`."""
    corpus = corpus or passages()
    bank = adding.make(corpus=corpus, name=name, kind="nuggets", by=None, now=NOW)
    topic = corpus.topics.order_by("pk").first()
    assert topic is not None
    new = [NewEntry(topic, text, **more) for text in texts]
    adding.add_all(bank=bank, entries=new, state=state, by=None, now=NOW)
    return bank


def entry(bank: Bank, text: str) -> EntryAt:
    (found,) = [row for row in entries_at(bank) if row.text == text]
    return found


def shown(bank: Bank, *texts: str) -> dict[int, int]:
    """Return the entries as a page shows them: each with the revision of its decision."""
    rows = entries_at(bank)
    return {row.pk: row.revision for row in rows if row.text in texts or not texts}


def states(bank: Bank, revision: int | None = None) -> dict[str, str]:
    return {row.text: row.state for row in entries_at(bank, revision)}
