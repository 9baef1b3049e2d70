"""Item kinds as data: what stands in the slots of an item, and how a page shows them.

A new kind is an entry in KINDS. Its page shows the texts side by side, or as a template of its own
says: templates/judging/items/<kind>.html. Pure: no Django.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from annotation.texts.sentences import marked


class Holds(StrEnum):
    """What a slot points to; the values are the fields of `judging.models.ItemSlot`."""

    RESPONSE = "response"
    PASSAGE = "passage"
    SEGMENT = "segment"
    CRITERION = "criterion"


@dataclass(frozen=True)
class Slot:
    """`drawn` slots change places from worker to worker; a question of arity slot asks about the
    `judged` ones, one by one, and all others are context. A `repeated` slot stands for as many as
    an item has: d for d1, d2, ...; its label gets the number as well. An item may be without an
    `optional` one. Of a segment `part` says which: a statement, a heading, ... Of a response with
    `sections_only` a page shows the sections, without the overview."""

    name: str
    label: str
    holds: Holds = Holds.RESPONSE
    drawn: bool = False
    judged: bool = True
    repeated: bool = False
    optional: bool = False
    part: str = ""
    sections_only: bool = False

    def covers(self, name: str) -> bool:
        if not self.repeated:
            return name == self.name
        return re.fullmatch(rf"{re.escape(self.name)}[1-9][0-9]*", name) is not None

    def label_of(self, name: str) -> str:
        return f"{self.label} {name.removeprefix(self.name)}" if self.repeated else self.label


@dataclass(frozen=True)
class ItemKind:
    """`slots` in nominal order, a repeated one at the end. `designer` makes the items where an
    instrument names no other. `stacked` texts stand one above the other on a wide screen, too.

    With `distinct_choices` two questions that choose a slot by the same criterion never choose the
    same one: the best text of a block is not its worst.
    """

    name: str
    slots: tuple[Slot, ...]
    designer: str = ""
    stacked: bool = False
    distinct_choices: bool = True

    @property
    def templates(self) -> tuple[str, ...]:
        """The first of these that there is shows the texts."""
        return (f"judging/items/{self.name}.html", "judging/items/texts.html")

    @property
    def subject(self) -> Slot:
        """What items are about: their first slot that is judged."""
        return next(slot for slot in self.slots if slot.judged)

    @property
    def compares_texts(self) -> bool:
        """Whether an item sets two texts side by side, from which systems are compared."""
        drawn = [slot for slot in self.slots if slot.drawn]
        return len(drawn) == 2 and all(slot.holds == Holds.RESPONSE for slot in drawn)

    @property
    def repeated(self) -> Slot | None:
        """The slot that stands for as many as an item has."""
        return next((slot for slot in self.slots if slot.repeated), None)

    @property
    def repeats(self) -> bool:
        """Whether items of this kind have different numbers of slots."""
        return self.repeated is not None

    def slot(self, name: str) -> Slot | None:
        """The slot that goes by this name in an item: d for d3."""
        return next((slot for slot in self.slots if slot.covers(name)), None)

    def names(self, n: int) -> tuple[str, ...]:
        """The names of the slots of an item that shows n things, in nominal order.

        Raises LookupError where the kind has no such items.
        """
        once = [slot.name for slot in self.slots if not slot.repeated]
        again = [slot.name for slot in self.slots if slot.repeated]
        more = n - len(once)
        needed = sum(slot.repeated and not slot.optional for slot in self.slots)
        if more < needed or (more and not again):
            raise LookupError(f"An item of kind {self.name!r} does not show {n} things.")
        return (*once, *(f"{name}{number}" for name in again for number in range(1, more + 1)))

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of an item's slots in nominal order; d10 comes after d9."""
        by_number = sorted(names, key=lambda name: (len(name), name))
        return tuple(name for slot in self.slots for name in by_number if slot.covers(name))

    def drawn(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of an item's slots that change places, in nominal order."""
        return tuple(name for name in self.in_order(names) if (s := self.slot(name)) and s.drawn)

    def judged(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of an item's slots that are judged one by one, in nominal order."""
        return tuple(name for name in self.in_order(names) if (s := self.slot(name)) and s.judged)

    def on_page(self, names: Iterable[str], drawn_order: Iterable[str]) -> list[tuple[str, str]]:
        """(slot, place) from left to right: which slot stands in which nominal place.

        Slots that are not drawn stand in their own place, whatever the order of the others.
        """
        nominal = self.in_order(names)
        movable, order = set(self.drawn(nominal)), iter(drawn_order)
        return [(next(order) if place in movable else place, place) for place in nominal]

    def label(self, name: str) -> str:
        """What people call this place."""
        slot = self.slot(name)
        return slot.label_of(name) if slot else name


def _drawn(*labels: str) -> tuple[Slot, ...]:
    """Responses that change places: a, b, ..."""
    return tuple(
        Slot(name, label, drawn=True) for name, label in zip("abcdefgh", labels, strict=False)
    )


def _part(name: str, label: str, *, judged: bool = True) -> Slot:
    """A part of a response, as `annotation.models.Segment` calls it."""
    return Slot(name, label, holds=Holds.SEGMENT, judged=judged, part=name)


def _documents(*, optional: bool = False) -> Slot:
    """Passages beside what is judged."""
    return Slot(
        "d", marked("Document"), holds=Holds.PASSAGE, judged=False, repeated=True, optional=optional
    )


KINDS = {
    kind.name: kind
    for kind in (
        ItemKind("pair", _drawn(marked("Left"), marked("Right")), designer="all_pairs"),
        ItemKind("response", (Slot("response", marked("Text")),), designer="pool"),
        ItemKind(
            "block",
            _drawn(marked("Text 1"), marked("Text 2"), marked("Text 3"), marked("Text 4")),
            designer="blocks",
        ),
        ItemKind(
            "passage", (Slot("passage", marked("Passage"), holds=Holds.PASSAGE),), designer="pool"
        ),
        ItemKind(
            "passage_criterion",
            (
                Slot("criterion", marked("Point"), holds=Holds.CRITERION, judged=False),
                Slot("passage", marked("Passage"), holds=Holds.PASSAGE),
            ),
            designer="cross",
            stacked=True,
        ),
        ItemKind("pair_documents", (*_drawn("Left", "Right"), _documents()), designer="all_pairs"),
        ItemKind(
            "statement_documents",
            (_part("statement", marked("Statement")), _documents()),
            designer="citations",
            stacked=True,
        ),
        ItemKind(
            "overview",
            (_part("overview", marked("Overview")), _documents(optional=True)),
            designer="citations",
            stacked=True,
        ),
        ItemKind(
            "overview_sections",
            (
                _part("overview", marked("Overview")),
                Slot("summary", marked("Sections"), judged=False, sections_only=True),
                _documents(optional=True),
            ),
            designer="overviews",
            stacked=True,
        ),
        ItemKind(
            "heading_statement",
            (
                _part("heading", marked("Heading"), judged=False),
                _part("statement", marked("Statement")),
            ),
            designer="headings",
            stacked=True,
        ),
        ItemKind(
            "heading_section",
            (
                _part("heading", marked("Heading")),
                _part("section", marked("Section"), judged=False),
            ),
            designer="own_headings",
            stacked=True,
        ),
        ItemKind(
            "section_summary",
            (_part("section", marked("Section"), judged=False), Slot("summary", marked("Summary"))),
            designer="coverage",
        ),
    )
}


def item_kind(name: str) -> ItemKind:
    """The kind of this name. Raises LookupError with the known names."""
    if name not in KINDS:
        raise LookupError(f"There is no item kind {name!r}; known are {', '.join(sorted(KINDS))}.")
    return KINDS[name]
