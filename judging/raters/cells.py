"""Cells of a bank: the grades of entries on passages or responses in all its studies.

A criterion belongs to the entry with the same key or, if its key is a name, with the md5 of its
text. An edited entry gets a new key and starts without cells. Trials and simulations don't count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from annotation.corpora.formats.rubric import entry_id, has_digest
from annotation.models import Assignment, Study
from judging.models import (
    Bank,
    Criterion,
    EntryDecision,
    Instrument,
    Item,
    ItemSlot,
    Judgment,
    Question,
    Rater,
)

PEOPLE = (Rater.Kind.CROWD, Rater.Kind.EXPERT)


@dataclass(frozen=True, slots=True)
class Cell:
    """A grade of an entry (by its key) on a text: either `passage` or `response` is set."""

    entry: str
    topic: int
    passage: int | None
    response: int | None
    rater: int
    kind: str
    study: int
    question: str
    value: str
    score: float | None
    comment: str
    at: datetime


def cells_of(
    bank: Bank,
    *,
    raters: Collection[str] = (),
    topics: Collection[int] | None = None,
    items: Collection[int] | None = None,
) -> Iterator[Cell]:
    """Yield the cells of a bank, oldest first; of some kinds of raters, topics or items only."""
    limits = {"item__topic__in": topics, "item__in": items}
    only = {name: wanted for name, wanted in limits.items() if wanted is not None}
    criteria, places = entry_keys(bank), _places(bank, only)
    judgments = counting(bank).filter(**only)
    if raters:
        judgments = judgments.filter(rater__kind__in=raters)
    columns = ("item", "item__topic", "slot", "rater", "rater__kind", "item__study")
    answers = ("question__key", "value", "score", "comment", "answered_at")
    rows = judgments.order_by("answered_at", "pk").values_list(*columns, *answers)
    for item, topic, slot, rater, kind, study, *answer in rows.iterator(chunk_size=5000):
        place = places[item]
        criterion = place.criteria.get(slot) or place.only_criterion
        if criterion is not None:
            yield Cell(
                criteria[criterion], topic, place.passage, place.response, rater, kind, study,
                *answer,
            )  # fmt: skip


def known_texts(bank: Bank) -> dict[str, frozenset[int]]:
    """Return the passages or responses that a person graded, by the key of an entry."""
    texts_by_entry: dict[str, set[int]] = defaultdict(set)
    for cell in cells_of(bank, raters=PEOPLE):
        texts_by_entry[cell.entry].add(cell.passage or cell.response or 0)
    return {key: frozenset(texts) for key, texts in texts_by_entry.items()}


def counting(bank: Bank) -> "QuerySet[Judgment]":
    """Return the judgments about entries of a bank that count in analyses."""
    questions = list(Question.objects.filter(instrument__bank=bank).values_list("pk", flat=True))
    return counted(Judgment.objects.filter(question__in=questions))


def counting_on(bank: Bank, criteria: Collection[int]) -> "QuerySet[Judgment]":
    """Return the counting judgments about entries; `item__slots` is the slot of the entry."""
    others = ItemSlot.objects.filter(item=OuterRef("item"), criterion__isnull=False)
    of_entry = Q(item__kind="passage_criterion") | Q(item__slots__name=F("slot"))
    return counting(bank).filter(
        of_entry | ~Exists(others.exclude(pk=OuterRef("item__slots"))),
        item__slots__criterion__in=criteria,
    )


def counted(judgments: "QuerySet[Judgment]") -> "QuerySet[Judgment]":
    """Return the judgments of counting submissions, and imported judgments."""
    return judgments.filter(
        Q(assignment=None) | Q(assignment__state__in=Assignment.COUNTING),
        item__study__purpose=Study.Purpose.STUDY,
        item__check_of=None,
    ).exclude(raw="")


def entry_keys(bank: Bank, *, instrument: Instrument | None = None) -> dict[int, str]:
    """Return the entry key of each criterion of the bank's studies, or of one instrument."""
    rows = Criterion.objects.filter(instrument__bank=bank).order_by("pk")
    if instrument is not None:
        rows = rows.filter(instrument=instrument)
    return {
        pk: key if has_digest(key) or not topic else entry_id(topic, definition or name)
        for pk, key, name, definition, topic in rows.values_list(
            "pk", "key", "name", "definition", "topic__key"
        )
    }


def retired_criteria(study: Study) -> set[int]:
    """Return the criteria whose entries are not confirmed in the study's revision of its bank."""
    retired: set[int] = set()
    for instrument in study.instruments.exclude(bank=None).select_related("bank"):
        bank = instrument.bank
        assert bank is not None  # instruments without a bank are excluded
        rows = EntryDecision.objects.newest(bank, instrument.bank_revision)
        states = dict(rows.values_list("entry__key", "state"))
        confirmed = EntryDecision.State.CONFIRMED
        keys = entry_keys(bank, instrument=instrument)
        retired |= {pk for pk, key in keys.items() if states.get(key, confirmed) != confirmed}
    return retired


def unknown_to(
    rater: Rater, items: "QuerySet[Item]", *, study: Study, kinds: Collection[str]
) -> "QuerySet[Item]":
    """Return the items, leaving out those that a rater already graded in other studies.

    Only items of `kinds` are left out. An item is graded if each of its entries has a grade for
    the same text.
    """
    text = ItemSlot.objects.filter(item=OuterRef("pk"))
    of_items = {
        name: Subquery(text.filter(**{f"{name}__isnull": False}).values(name)[:1])
        for name in ("passage", "response")
    }
    graded = Judgment.objects.filter(rater=rater, item__topic=OuterRef("item__topic"))
    graded = graded.exclude(raw="").exclude(item__study=study)
    graded = graded.filter(
        Q(item__slots__name=F("slot")) | Q(item__kind="passage_criterion"),
        item__study__purpose=Study.Purpose.STUDY,
        question__instrument__bank__isnull=False,
        item__slots__criterion__key=OuterRef("criterion__key"),
    ).filter(
        Q(item__slots__passage=OuterRef(OuterRef("of_passage")))
        | Q(item__slots__response=OuterRef(OuterRef("of_response")))
    )
    entries = ItemSlot.objects.filter(item=OuterRef("pk"), criterion__isnull=False)
    return items.annotate(**{f"of_{name}": query for name, query in of_items.items()}).filter(
        ~Q(kind__in=kinds) | Exists(entries.filter(~Exists(graded)))
    )


@dataclass(slots=True)
class _Place:
    """Contents of an item: criteria by slot, and a text."""

    criteria: dict[str, int]
    passage: int | None = None
    response: int | None = None

    @property
    def only_criterion(self) -> int | None:
        return next(iter(self.criteria.values())) if len(self.criteria) == 1 else None


def items_with(bank: Bank, *, passages: Collection[int], responses: Collection[int]) -> list[int]:
    """Return the items of a bank's studies about some of the texts."""
    studies = list(bank.instruments.values_list("study", flat=True))
    slots = ItemSlot.objects.filter(Q(passage__in=passages) | Q(response__in=responses))
    return list(
        slots.filter(item__study__in=studies).order_by().values_list("item", flat=True).distinct()
    )


def _places(bank: Bank, only: Mapping[str, Collection[int]]) -> dict[int, _Place]:
    items = Item.objects.filter(
        study__instruments__bank=bank, study__purpose=Study.Purpose.STUDY
    ).distinct()
    slots = ItemSlot.objects.filter(item__in=items.values("pk")).filter(**only).order_by()
    columns = ("item", "name", "criterion", "passage", "response")
    places: dict[int, _Place] = defaultdict(lambda: _Place({}))
    for item, name, criterion, passage, response in slots.values_list(*columns).iterator():
        place = places[item]
        if criterion is not None:
            place.criteria[name] = criterion
        place.passage = passage or place.passage
        place.response = response or place.response
    return places
