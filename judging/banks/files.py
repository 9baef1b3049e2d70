"""Export of banks in the formats of other systems. An unchanged import exports byte for byte."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from annotation.corpora.formats.bank_files import FORMATS, BankFormat, WrittenEntry, written
from annotation.models import Topic
from judging.banks.entries_at import EntryAt, State, entries_at
from judging.banks.secrets import public_entries
from judging.models import Bank, BankEntry

END = 1_000_000  # position of entries that were not imported


@dataclass
class BankFile:
    """An exported file; `left_out` counts the entries that were not exported, by reason."""

    name: str
    content: bytes
    entries: int
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Placed:
    entry: WrittenEntry
    place: tuple[int, int]


def export_bank(
    bank: Bank,
    *,
    format: str,
    revision: int | None = None,
    states: Collection[str] = (State.CONFIRMED,),
    secret: bool = False,
) -> BankFile:
    """Return a bank as a file in one of the supported formats.

    With `secret`, include secret entries; callers allow this only to owners of the team.
    """
    bank_format = FORMATS[format]
    entries = entries_at(bank, revision, states=states)
    public = entries if secret else public_entries(bank, entries)
    left_out = {"secret": len(entries) - len(public)}
    if not bank_format.has_avoid:
        entries, public = public, [row for row in public if row.importance != "avoid"]
        left_out["avoid"] = len(entries) - len(public)
    kept = bank.extra.get(format) or {"rows": [], "again": [], "is_list": False}
    rows = _rows(bank, bank_format, public, kept)
    return BankFile(
        name=f"{bank.corpus.slug}-{format}.jsonl",
        content=written(rows, is_list=kept["is_list"]),
        entries=len(public),
        left_out={reason: n for reason, n in left_out.items() if n},
    )


def _rows(
    bank: Bank, bank_format: BankFormat, entries: list[EntryAt], kept: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the imported rows of the file, followed by the rows of new topics."""
    rests: list[dict[str, Any]] = list(kept["rows"])
    number_of = _numbers(bank_format, rests)
    placed: dict[int, list[_Placed]] = defaultdict(list)
    extras = dict(BankEntry.objects.filter(bank=bank).values_list("pk", "extra"))
    queries = dict(Topic.objects.filter(corpus=bank.corpus_id).values_list("pk", "query"))
    repeats = defaultdict(list)
    for again in kept["again"]:
        repeats[again["key"]].append(again)
    for number, entry in enumerate(entries):
        extra = extras[entry.pk] if extras[entry.pk].get("format") == bank_format.name else {}
        for origin in (extra, *repeats[entry.key]):
            wanted = _entry(bank, entry, origin, query=queries[entry.topic_id])
            group = (entry.topic, entry.facet if bank_format.has_facets else "")
            row = origin.get("row", number_of.get(group))
            if row is None:
                row = number_of[group] = len(rests)
                rests.append(
                    bank_format.new_row(wanted, collection=bank.corpus.slug, title=bank.name)
                )
            placed[row].append(_Placed(wanted, (origin.get("place", END), number)))
    return [_row(bank_format, rest, placed[number]) for number, rest in enumerate(rests)]


def _row(bank_format: BankFormat, rest: dict[str, Any], placed: list[_Placed]) -> dict[str, Any]:
    ordered = [each.entry for each in sorted(placed, key=lambda each: each.place)]
    items = [(entry, bank_format.written_item(entry, rest)) for entry in ordered]
    return bank_format.row(rest, items)


def _numbers(bank_format: BankFormat, rests: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
    """Return the number of the first row of each topic and facet."""
    numbers: dict[tuple[str, str], int] = {}
    for number, rest in enumerate(rests):
        topic = bank_format.read(bank_format.row(rest, [])).topic
        facet = rest.get("facet_id") if bank_format.has_facets else None
        numbers.setdefault((topic, facet or ""), number)
    return numbers


def _entry(bank: Bank, entry: EntryAt, origin: dict[str, Any], *, query: str) -> WrittenEntry:
    raw = origin.get("item")
    return WrittenEntry(
        topic=entry.topic,
        query=query,
        facet=entry.facet,
        key=entry.key,
        text=entry.text,
        is_question=bank.kind == Bank.Kind.QUESTIONS,
        importance=entry.importance,
        answers=entry.answers,
        aggregator=entry.aggregator,
        author=entry.author,
        model=entry.model,
        prompt_version=entry.prompt_version,
        raw=raw,
        name=origin.get("name"),
    )
