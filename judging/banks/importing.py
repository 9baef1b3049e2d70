"""Import of bank files from other systems. Imports all rows or none.

Fields without a column in our model are stored in `extra`, and `files` exports them again.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db import transaction

from annotation.corpora.formats.bank_files import (
    BadRow,
    BankFormat,
    BankItem,
    BankRow,
    Faults,
    Rows,
    format_of,
    rows_of,
)
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.rubric import entry_id
from annotation.models import Corpus, Topic
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.adding import NewEntry, add_all, make
from judging.models import Bank

MOST_ENTRIES = 50_000
MOST_NAMED = 5  # topics listed in a message
Unknown = Literal["refuse", "skip", "create"]


@dataclass
class BankImport:
    """Counts of an import.

    `left_out` counts parts of the file that are stored but are not entries. `other_queries` counts
    topics whose query differs from the corpus.
    """

    bank: Bank
    format: str
    added: int = 0
    same: int = 0
    repeated: int = 0
    new_topics: int = 0
    skipped_topics: list[str] = field(default_factory=list)
    other_queries: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


@transaction.atomic
def import_bank(
    *,
    corpus: Corpus,
    name: str,
    content: bytes,
    by: User | None,
    now: datetime,
    state: str = "confirmed",
    unknown: Unknown = "refuse",
) -> BankImport:
    """Import a file into the bank of this name, creating the bank if needed.

    Topics that are not in the corpus are refused, skipped or created. Existing entries are not
    changed. Raises Faults and Refusal.
    """
    Corpus.objects.select_for_update().get(pk=corpus.pk)
    file = rows_of(content)
    bank_format = format_of(file.rows)
    rows = _read(bank_format, file)
    topics, report_of_topics = _topics(corpus, rows, unknown)
    kept = [row for row in rows if row.topic in topics]
    if not any(row.items for row in kept):
        raise Refusal("EmptyBank", Sentence("This file has no entries."), status=400)
    bank = _bank(corpus, name, kept, by=by, now=now)
    report = BankImport(bank, bank_format.name, **report_of_topics)
    report.left_out = dict(sum((Counter(row.left_out) for row in rows), Counter()))
    report.other_queries = sum(
        bool(row.query) and row.query != topics[row.topic].query for row in kept
    )
    entries = _keep(bank, bank_format, kept, file, topics, report)
    decided = add_all(bank=bank, entries=entries, state=state, by=by, now=now, reason="imported")
    report.added, report.same = len(decided.done), decided.same
    return report


def _read(bank_format: BankFormat, file: Rows) -> list[BankRow]:
    rows, faults = [], []
    for number, row in file.rows:
        try:
            rows.append(bank_format.read(row))
        except BadRow as error:
            faults.append((number, FormatFault(error.field, error.reason)))
    if faults:
        raise Faults(faults[:100], len(faults))
    if sum(len(row.items) for row in rows) > MOST_ENTRIES:
        sentence = Sentence("A bank file can have up to {n} entries.", n=f"{MOST_ENTRIES:,}")
        raise Refusal("TooManyEntries", sentence, status=413)
    return rows


def _topics(
    corpus: Corpus, rows: Sequence[BankRow], unknown: Unknown
) -> tuple[dict[str, Topic], dict[str, Any]]:
    """Return the topics of the rows by key, and update the report."""
    queries = {row.topic: row.query for row in reversed(rows)}
    topics = {topic.key: topic for topic in Topic.objects.filter(corpus=corpus, key__in=queries)}
    missing = [key for key in dict.fromkeys(row.topic for row in rows) if key not in topics]
    if not missing or unknown == "skip":
        return topics, {"skipped_topics": missing}
    longest = Topic._meta.get_field("key").max_length or 0
    is_bad = any(not queries[key].strip() or len(key) > longest for key in missing)
    if unknown == "refuse" or is_bad:
        named = ", ".join(missing[:MOST_NAMED])
        sentence = Sentence(
            "The corpus has no topic {keys}.",
            "The corpus is missing {n} topics: {keys} …",
            len(missing),
            n=len(missing),
            keys=named,
        )
        raise Refusal("UnknownTopics", sentence, status=400)
    for key in missing:
        topics[key] = Topic.objects.create(corpus=corpus, key=key, query=queries[key])
    return topics, {"new_topics": len(missing)}


def _bank(
    corpus: Corpus, name: str, rows: Sequence[BankRow], *, by: User | None, now: datetime
) -> Bank:
    """Return or create the bank; its kind is that of most items in the file. Raises Refusal."""
    kinds = Counter(item.is_question for row in rows for item in row.items)
    kind = Bank.Kind.QUESTIONS if kinds[True] >= kinds[False] else Bank.Kind.NUGGETS
    bank = Bank.objects.filter(corpus=corpus, name=" ".join(name.split())).first()
    if bank is None:
        return make(corpus=corpus, name=name, kind=kind, by=by, now=now)
    if bank.kind != kind:
        sentence = Sentence(
            ("“{name}” has entries of another kind. Choose another name."), name=bank
        )
        raise Refusal("OtherKind", sentence)
    return bank


def _keep(
    bank: Bank,
    bank_format: BankFormat,
    rows: Sequence[BankRow],
    file: Rows,
    topics: dict[str, Topic],
    report: BankImport,
) -> list[NewEntry]:
    """Store the raw rows with the bank; return the entries with their positions in the file."""
    kept = bank.extra.get(bank_format.name) or {"rows": [], "again": [], "is_list": file.is_list}
    numbers = []
    for row in rows:
        if row.rest not in kept["rows"]:
            kept["rows"].append(row.rest)
        numbers.append(kept["rows"].index(row.rest))
    new: dict[str, NewEntry] = {}
    for number, row in zip(numbers, rows, strict=True):
        for place, item in enumerate(row.items):
            origin = {"format": bank_format.name, "row": number, "place": place}
            origin |= {"item": item.raw, "name": item.name}
            key = entry_id(row.topic, item.text, item.facet)
            if key in new:
                report.repeated += 1
                if (again := origin | {"key": key}) not in kept["again"]:
                    kept["again"].append(again)
            else:
                new[key] = _entry(topics[row.topic], item, origin)
    bank.extra = bank.extra | {bank_format.name: kept}
    Bank.objects.filter(pk=bank.pk).update(extra=bank.extra)
    return list(new.values())


def _entry(topic: Topic, item: BankItem, origin: dict[str, Any]) -> NewEntry:
    return NewEntry(
        topic,
        item.text,
        facet=item.facet,
        importance=item.importance,
        answers=item.answers,
        aggregator=item.aggregator,
        author=item.author,
        model=item.model,
        prompt_version=item.prompt_version,
        extra=origin,
    )
