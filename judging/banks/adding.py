"""Making banks and adding entries to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from annotation.corpora.formats.rubric import entry_id
from annotation.models import Corpus, Passage, Response, Topic
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.appending import Change, Decided, append, lock, record
from judging.banks.entries_at import entries_at
from judging.models import Bank, BankEntry, EntryDecision

State = EntryDecision.State
Author = BankEntry.Author
LONGEST = 2_000  # characters of an entry that a person writes


@dataclass(frozen=True)
class NewEntry:
    """An entry to add, with its first decision."""

    topic: Topic
    text: str
    facet: str = ""
    importance: str = ""
    secret: bool = False
    answers: Sequence[dict[str, Any]] = ()
    aggregator: str = ""
    author: str = ""
    model: str = ""
    prompt_version: str = ""
    passage: Passage | None = None
    response: Response | None = None
    start: int | None = None
    end: int | None = None
    extra: Mapping[str, Any] | None = None

    @property
    def key(self) -> str:
        return entry_id(self.topic.key, self.text, self.facet)


@transaction.atomic
def make(
    *,
    corpus: Corpus,
    name: str,
    kind: str,
    by: User | None,
    now: datetime,
    description: str = "",
    extra: Mapping[str, Any] | None = None,
) -> Bank:
    """Create an empty bank. Raises the refusals BankName and BankExists."""
    name = " ".join(name.replace("\x00", "").split())
    longest = Bank._meta.get_field("name").max_length or 0
    if not name or len(name) > longest:
        sentence = Sentence("Enter a name of 1 to {n} characters.", n=longest)
        raise Refusal("BankName", sentence, status=400)
    try:
        with transaction.atomic():
            bank = Bank.objects.create(
                corpus=corpus, name=name, kind=kind, description=description.replace("\x00", ""),
                created_by=by, created_at=now, extra=dict(extra or {}),
            )  # fmt: skip
    except IntegrityError as error:
        sentence = Sentence("This corpus already has a bank “{name}”.", name=name)
        raise Refusal("BankExists", sentence) from error
    access.record(user=by, act="created a bank", what=f"{name} ({kind})", of=corpus)
    return bank


@transaction.atomic
def add_all(
    *,
    bank: Bank,
    entries: Sequence[NewEntry],
    state: str,
    by: User | None,
    now: datetime,
    reason: str = "",
) -> Decided:
    """Add entries in a state; those that the bank has already stay as they are."""
    lock(bank)
    new = {(entry.topic.pk, entry.facet, entry.key): entry for entry in entries}
    kept = BankEntry.objects.filter(bank=bank, topic__in={topic for topic, _, _ in new})
    for row in kept.values_list("topic", "facet", "key"):
        new.pop(row, None)
    rows = _created(bank, list(new.values()), by=by, now=now)
    fields = [
        (row.pk, _first_fields(entry, state)) for row, entry in zip(rows, new.values(), strict=True)
    ]
    act = append(bank, fields, by=by, now=now, reason=reason)
    record(bank, by, f"added {state} entries", [row.key for row in rows])
    return Decided(tuple(row.pk for row in rows), same=len(entries) - len(rows), act=act)


@transaction.atomic
def add(
    *, bank: Bank, entry: NewEntry, by: User | None, now: datetime, state: str = State.CONFIRMED
) -> BankEntry:
    """Add one entry; restore it if the bank retired it. Raises EntryText and EntryExists."""
    lock(bank)
    text = clean(entry.text)
    wanted = replace(entry, text=text)
    row = same(bank, topic=wanted.topic.pk, facet=wanted.facet, key=wanted.key)
    if row is None:
        (row,) = _created(bank, [wanted], by=by, now=now)
        append(bank, [(row.pk, _first_fields(wanted, state))], by=by, now=now)
    else:
        (current,) = entries_at(bank, entries=[row.pk])
        if current.state == state:
            raise Refusal("EntryExists", Sentence("The bank already has this entry."))
        append(bank, [(row.pk, Change(state=state).of(current))], by=by, now=now)
    record(bank, by, f"added {state} entries", [row.key])
    return row


def clean(text: str) -> str:
    """Return the text of an entry that a person wrote, on one line. Raises EntryText."""
    words = " ".join(text.replace("\x00", "").split())
    if not any(sign.isalnum() for sign in words) or len(words) > LONGEST:
        sentence = Sentence("Enter a text of 1 to {n} characters.", n=f"{LONGEST:,}")
        raise Refusal("EntryText", sentence, status=400)
    return words


def same(bank: Bank, *, topic: int, facet: str, key: str) -> BankEntry | None:
    return BankEntry.objects.filter(bank=bank, topic=topic, facet=facet, key=key).first()


def _created(
    bank: Bank, entries: Sequence[NewEntry], *, by: User | None, now: datetime
) -> list[BankEntry]:
    longest = BankEntry._meta.get_field("facet").max_length or 0
    if any(len(entry.facet) > longest for entry in entries):
        sentence = Sentence("Facets can have up to {n} characters.", n=longest)
        raise Refusal("FacetTooLong", sentence, status=400)
    rows = [
        BankEntry(
            bank=bank, topic=entry.topic, facet=entry.facet, key=entry.key, text=entry.text,
            author=entry.author, user=by if entry.author == Author.PERSON else None,
            model=entry.model, prompt_version=entry.prompt_version, passage=entry.passage,
            response=entry.response, start=entry.start, end=entry.end, created_at=now,
            extra=dict(entry.extra or {}),
        )
        for entry in entries
    ]  # fmt: skip
    return BankEntry.objects.bulk_create(rows, batch_size=200)


def _first_fields(entry: NewEntry, state: str) -> dict[str, Any]:
    return {
        "state": state,
        "importance": entry.importance,
        "secret": entry.secret,
        "answers": list(entry.answers),
        "aggregator": entry.aggregator,
    }
