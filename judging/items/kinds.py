"""Kinds of items as data: their slots, and how a page shows them.

A new kind is an entry in KINDS. Its page shows the texts side by side, or uses a template:
templates/judging/items/<kind>.html. Pure: no Django.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from annotation.texts.sentences import marked


class Holds(StrEnum):
    """Type of a slot's content; the values are the fields of `judging.models.ItemSlot`."""

    RESPONSE = "response"
    PASSAGE = "passage"
    SEGMENT = "segment"
    CRITERION = "criterion"


CITED = "cited"  # statements with citations
ABOUT = ("overview", "heading", "statement", CITED, "section", "response")


@dataclass(frozen=True)
class Slot:
    """A place of an item.

    `drawn` slots change places from worker to worker; a question of arity slot asks about the
    `judged` ones, one by one, and all others are context. A `repeated` slot is any number of them:
    d for d1, d2, ...; its label gets the number as well. An `optional` one may be missing. `part`
    is the kind of a segment: a statement, a heading, ... Segments that `cite` documents have a slot
    of their own where a question asks about these alone. Of a response with `sections_only` a page
    shows the sections, without the overview. Earlier turns of a conversation are the context of a
    response; of a `whole_conversation` they are judged with it.
    """

    name: str
    label: str
    holds: Holds = Holds.RESPONSE
    drawn: bool = False
    judged: bool = True
    repeated: bool = False
    optional: bool = False
    part: str = ""
    cites: bool = False
    sections_only: bool = False
    whole_conversation: bool = False

    def covers(self, name: str) -> bool:
        if not self.repeated:
            return name == self.name
        return re.fullmatch(rf"{re.escape(self.name)}[1-9][0-9]*", name) is not None

    def is_about(self, about: str) -> bool:
        """Return whether a question about these contents asks about this slot; '' for all."""
        return about in ("", self.part or self.holds) or (about == CITED and self.cites)

    def label_of(self, name: str) -> str:
        return f"{self.label} {name.removeprefix(self.name)}" if self.repeated else self.label


@dataclass(frozen=True)
class ItemKind:
    """`slots` in nominal order, a repeated one at the end.

    `designer` makes the items if an instrument names no other. `stacked` texts are shown one above
    the other on wide screens, too. With `distinct_choices` two questions that choose a slot by the
    same criterion never choose the same one: the best text of a block is not its worst. `about` is
    the slot that an item is about where it is not judged itself. The slots in `named_by` name an
    item whose other contents follow from them.
    """

    name: str
    slots: tuple[Slot, ...]
    designer: str = ""
    stacked: bool = False
    distinct_choices: bool = True
    about: str = ""
    named_by: tuple[str, ...] = ()

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of the texts, by preference."""
        return (f"judging/items/{self.name}.html", "judging/items/texts.html")

    @property
    def subject(self) -> Slot:
        """The slot that an item is about: the first judged one, unless `about` names it."""
        return next(
            slot
            for slot in self.slots
            if slot.name == self.about or (not self.about and slot.judged)
        )

    @property
    def compares_texts(self) -> bool:
        """True if two texts are compared, which compares systems."""
        drawn = [slot for slot in self.slots if slot.drawn]
        return len(drawn) == 2 and all(slot.holds == Holds.RESPONSE for slot in drawn)

    @property
    def repeated(self) -> Slot | None:
        """The slot with any number of contents; the last one of several."""
        return next((slot for slot in reversed(self.slots) if slot.repeated), None)

    @property
    def repeats(self) -> bool:
        """True if items of this kind have different numbers of slots."""
        return self.repeated is not None

    def slot(self, name: str) -> Slot | None:
        """Return the slot with this name in an item: d for d3."""
        return next((slot for slot in self.slots if slot.covers(name)), None)

    def names(self, n: int) -> tuple[str, ...]:
        """Return the names of an item's n slots, in nominal order. Raises LookupError.

        A kind with several repeated slots has no such order: its designer names them.
        """
        once = [slot.name for slot in self.slots if not slot.repeated]
        again = [slot.name for slot in self.slots if slot.repeated]
        more = n - len(once)
        needed = sum(slot.repeated and not slot.optional for slot in self.slots)
        if more < needed or (more and not again) or len(again) > 1:
            raise LookupError(f"An item of kind {self.name} does not show {n} texts.")
        return (*once, *(f"{name}{number}" for name in again for number in range(1, more + 1)))

    def in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names in nominal order; d10 comes after d9."""
        by_number = sorted(names, key=lambda name: (len(name), name))
        return tuple(name for slot in self.slots for name in by_number if slot.covers(name))

    def drawn(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the moving slots, in nominal order."""
        return tuple(name for name in self.in_order(names) if (s := self.slot(name)) and s.drawn)

    def judged(self, names: Iterable[str], about: str = "") -> tuple[str, ...]:
        """Return the slots that are judged one by one, in nominal order; see `Slot.is_about`."""
        return tuple(
            name
            for name in self.in_order(names)
            if (s := self.slot(name)) and s.judged and s.is_about(about)
        )

    def on_page(self, names: Iterable[str], drawn_order: Iterable[str]) -> list[tuple[str, str]]:
        """Return pairs of slot and place from left to right.

        Slots that are not drawn keep their own place.
        """
        nominal = self.in_order(names)
        movable, order = set(self.drawn(nominal)), iter(drawn_order)
        return [(next(order) if place in movable else place, place) for place in nominal]

    def label(self, name: str) -> str:
        """Return the label of a place."""
        slot = self.slot(name)
        return slot.label_of(name) if slot else name


def _drawn(*labels: str) -> tuple[Slot, ...]:
    """Return responses that change places: a, b, ..."""
    return tuple(
        Slot(name, label, drawn=True) for name, label in zip("abcdefgh", labels, strict=False)
    )


def _part(name: str, label: str, *, judged: bool = True) -> Slot:
    """Return a slot for a part of a response, as in `annotation.models.Segment`."""
    return Slot(name, label, holds=Holds.SEGMENT, judged=judged, part=name)


def _parts(name: str, label: str, part: str, *, cites: bool = False) -> Slot:
    """Return a slot for any number of judged parts."""
    return Slot(
        name, label, holds=Holds.SEGMENT, part=part, repeated=True, optional=True, cites=cites
    )


def _documents(*, optional: bool = False) -> Slot:
    """Return a slot for passages beside the judged texts."""
    return Slot(
        "d", marked("Document"), holds=Holds.PASSAGE, judged=False, repeated=True, optional=optional
    )


KINDS = {
    kind.name: kind
    for kind in (
        ItemKind("pair", _drawn(marked("Left"), marked("Right")), designer="all_pairs"),
        ItemKind("response", (Slot("response", marked("Text")),), designer="pool"),
        ItemKind(
            "conversation",
            (Slot("conversation", marked("Conversation"), whole_conversation=True),),
            designer="pool",
        ),
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
        ItemKind(
            "response_entries",
            (
                Slot("response", marked("Answer"), judged=False),
                Slot("e", marked("Point"), holds=Holds.CRITERION, repeated=True),
            ),
            designer="entries",
            stacked=True,
            about="response",
        ),
        ItemKind("pair_documents", (*_drawn("Left", "Right"), _documents()), designer="all_pairs"),
        ItemKind(
            "response_documents",
            (Slot("response", marked("Text")), _documents()),
            designer="pool",
        ),
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
        ItemKind(
            "summary_pair",
            (
                *_drawn(marked("Left"), marked("Right")),
                _parts("o", marked("Overview"), "overview"),
                _parts("h", marked("Heading"), "heading"),
                _parts("s", marked("Statement"), "statement", cites=True),
                _parts("u", marked("Statement without citation"), "statement"),
                _parts("c", marked("Section"), "section"),
                _documents(optional=True),
            ),
            designer="summary_pairs",
            named_by=("a", "b"),
        ),
    )
}


def item_kind(name: str) -> ItemKind:
    """Return the kind of this name. Raises LookupError with the known names."""
    if name not in KINDS:
        raise LookupError(f"Item kind {name} not found. Available: {', '.join(sorted(KINDS))}.")
    return KINDS[name]
