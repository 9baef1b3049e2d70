"""Items with their votes, a few hundred at a time: constant memory for any study.

These are the votes of `frames` by item, of one pool of raters, in the order of claiming.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import CharField, F, Func, QuerySet, Value
from django.db.models.functions import Cast, Collate, Concat

from annotation.models import Batch, Study
from judging.models import Item, ItemSlot, Presentation
from judging.raters.pools import Pool

CHUNK = 200  # items
SEGMENT_KEY = Concat(  # of an ItemSlot
    "segment__response__key", Value(":"), Cast("segment__line", CharField())
)

Step = Callable[[int, int], None]  # so many are read, of so many


class Vote(NamedTuple):
    """A judgment. Fields below `value` are only filled with details."""

    item: int
    assignment: int | None  # none of an imported label, and no questionnaire
    questionnaire: str | None
    worker: str
    question: int
    raw: str
    value: str
    kind: str
    slot: str = ""
    shown: str = ""
    milliseconds: int | None = None
    comment: str = ""
    first_at: str | None = None  # ISO 8601 with milliseconds, UTC
    answered_at: str | None = None
    changes: int = 0
    instrument: int = 0

    @property
    def place(self) -> tuple[bool, int, str]:
        """The sort key among the votes on an item: assignments, then raters of imported labels."""
        return self.assignment is None, self.assignment or 0, self.worker


class IsoTime(Func):
    """Moment as `cells.iso` writes it; of a million, faster than by way of Python's datetime."""

    output_field = CharField()
    template = (
        "to_char(%(expressions)s AT TIME ZONE 'UTC', "
        """'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')"""
    )

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return it from the text that Django stores: 2026-03-02 09:00:00, with six digits more."""
        template = (
            "substr(%(expressions)s, 1, 10) || 'T' || substr(%(expressions)s, 12, 8) || '.' || "
            "substr(substr(%(expressions)s, 21) || '000', 1, 3) || '+00:00'"
        )
        return self.as_sql(compiler, connection, template=template, **context)


PLAIN = (
    "item_id",
    "assignment_id",
    "assignment__task__key",
    "rater__pseudonym",
    "question_id",
    "raw",
    "value",
    "rater__kind",
)
DETAILS = (
    "slot", "shown", "milliseconds", "comment", IsoTime("first_at"), IsoTime("answered_at"),
    "changes", "question__instrument",
)  # fmt: skip


@dataclass(frozen=True)
class JudgedItem:
    """An item, the content of its slots (slot name -> key), and the votes on it.

    `seen` has the position and the remark of the page by assignment and instrument, `orders` the
    drawn order of its questions, where it was drawn.
    """

    pk: int
    key: str
    topic: str
    contents: dict[str, str]
    votes: list[Vote] = field(default_factory=list)
    seen: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    orders: dict[tuple[int, int], list[str]] = field(default_factory=dict)


def in_order(name: str) -> Collate:
    """Return a collation by code point, which every database and Python sort alike."""
    return Collate(name, "C" if connection.vendor == "postgresql" else "BINARY")


def chunks(rows: "QuerySet[Any]", step: Step) -> Iterator[Sequence[int]]:
    """Yield the ids of the rows in chunks; all ids are kept in memory, eight bytes each."""
    pks = array("q", rows.values_list("pk", flat=True).iterator())
    step(0, len(pks))
    for start in range(0, len(pks), CHUNK):
        yield pks[start : start + CHUNK]
        step(min(start + CHUNK, len(pks)), len(pks))


def items(
    *, study: Study, step: Step, rows: "QuerySet[Item] | None" = None
) -> Iterator[list[JudgedItem]]:
    """Yield the items of a study, or these `rows` of it, without votes, by key, in chunks."""
    rows = Item.objects.filter(study=study) if rows is None else rows
    ordered = rows.order_by(in_order("key"))
    for pks in chunks(ordered, step):
        contents: dict[int, dict[str, str]] = defaultdict(dict)
        slots = ItemSlot.objects.filter(item__in=pks).order_by("item", "position")
        for item, name, *keys in slots.values_list(
            "item", "name", "response__key", "passage__key", "criterion__key", SEGMENT_KEY
        ):
            contents[item][name] = next(str(key) for key in keys if key is not None)
        item_rows = Item.every.filter(pk__in=pks).values_list("pk", "key", "topic__key")
        by_pk = {pk: JudgedItem(pk, key, topic, contents[pk]) for pk, key, topic in item_rows}
        yield [by_pk[pk] for pk in pks if pk in by_pk]


def judged_items(
    *,
    study: Study,
    step: Step,
    batch: Batch | None = None,
    details: bool = False,
    pool: Pool | None = None,
    question: int | None = None,
) -> Iterator[JudgedItem]:
    """Yield the items of a study by key, with votes by assignment, rater and question.

    `question` limits the votes.
    """
    for chunk in items(study=study, step=step):
        by_pk = {item.pk: item for item in chunk}
        rows = (pool or Pool()).judgments(study=study, batch=batch).filter(item__in=by_pk)
        if question is not None:
            rows = rows.filter(question=question)
        claimed = F("assignment_id").asc(nulls_last=True)
        rows = rows.order_by(claimed, "rater_id", "question__position", "slot")
        for row in rows.values_list(*PLAIN, *(DETAILS * details)):
            by_pk[row[0]].votes.append(Vote(*row))
        if details:
            presentations = Presentation.objects.filter(item__in=by_pk, assignment__study=study)
            for item, *place, position, comment, order in presentations.values_list(
                "item_id", "assignment_id", "instrument_id", "position", "comment", "question_order"
            ):
                by_pk[item].seen[place[0], place[1]] = (position, comment)
                if order:
                    by_pk[item].orders[place[0], place[1]] = order
            if study.is_one_page:
                for item_id in chunk:
                    item_id.seen.update(_said_of_pages(item_id.seen))
        yield from chunk


def _said_of_pages(positions: dict[tuple[int, int], tuple[int, str]]) -> dict[Any, tuple[int, str]]:
    """Return positions with the remark of the page, which is stored with its first instrument."""
    remarks = {at[0]: remark for at, (_, remark) in positions.items() if remark}
    return {at: (position, remarks.get(at[0], "")) for at, (position, _) in positions.items()}
