"""Methods with the entries of a bank, for drafts of studies."""

from collections.abc import Collection
from typing import Literal

import msgspec

from annotation.models import Study
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.entries_at import confirmed_at
from judging.banks.secrets import public_entries
from judging.instruments.entries import entries_of
from judging.instruments.files import load
from judging.instruments.schema import CriterionSpec, InstrumentFile
from judging.models import Bank, Criterion, EntryDecision
from judging.raters.cells import entry_keys

METHODS = {Bank.Kind.QUESTIONS: "exam-questions", Bank.Kind.NUGGETS: "nuggets"}


def method_of(
    bank: Bank,
    *,
    revision: int | None = None,
    method: str = "",
    cells: Literal["all", "unknown"] = "all",
    language: str = "",
    topics: Collection[str] = (),
    secret: bool = True,
) -> InstrumentFile:
    """Return a method with the confirmed entries of a bank, by default at its current revision.

    With `cells="unknown"`, the study asks only about texts that no person has graded on an entry.
    Without `secret`, it leaves out secret entries.
    Raises the refusal EmptyBank.
    """
    name = method or METHODS[Bank.Kind(bank.kind)]
    ready = load(f"{name}.{language}" if language else name)
    return with_entries(ready, bank, revision=revision, cells=cells, topics=topics, secret=secret)


def with_entries(
    ready: InstrumentFile,
    bank: Bank,
    *,
    revision: int | None = None,
    cells: Literal["all", "unknown"] = "all",
    topics: Collection[str] = (),
    secret: bool = True,
) -> InstrumentFile:
    """Return a copy of a method with its entries replaced by those of a bank. Raises Refusal."""
    at = bank.revision if revision is None else revision
    rows = [row for row in confirmed_at(bank, at) if not topics or row.topic in topics]
    rows = rows if secret else public_entries(bank, rows)
    if not rows:
        sentence = Sentence("Confirm an entry first.")
        raise Refusal("EmptyBank", sentence)
    short = Criterion._meta.get_field("name").max_length or 0
    own = {entry.key for entry in entries_of(ready)}
    asked = [criterion for criterion in ready.criteria if criterion.key not in own]
    entries = [CriterionSpec(row.key, row.text[:short], row.text, row.topic) for row in rows]
    return msgspec.structs.replace(
        ready,
        criteria=[*asked, *entries],
        defaults=msgspec.structs.replace(ready.defaults, cells=cells),
        bank=bank.name,
        bank_revision=at,
    )


def retired_since(study: Study) -> list[tuple[Bank, int]]:
    """Return the banks of a study with the number of its entries that they no longer use.

    Results of a study count these entries, because a study keeps what it asked; the leaderboard
    of the bank doesn't.
    """
    keys: dict[Bank, set[str]] = {}
    for instrument in study.instruments.exclude(bank=None).select_related("bank"):
        bank = instrument.bank
        assert bank is not None  # those without one are excluded
        keys.setdefault(bank, set()).update(entry_keys(bank, instrument=instrument).values())
    confirmed = EntryDecision.State.CONFIRMED
    unused = {
        bank: EntryDecision.objects.newest(bank).exclude(state=confirmed).filter(entry__key__in=of)
        for bank, of in keys.items()
    }
    return [(bank, n) for bank, rows in unused.items() if (n := rows.count())]
