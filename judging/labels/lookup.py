"""Look-up of a label's item, and its answer."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext

from annotation.models import Study
from judging.answering.scales import CanonicalAnswer, NotOnScale, canonical
from judging.items.contents import slots_asked
from judging.items.kinds import item_kind
from judging.labels.files import LabelLine
from judging.labels.problems import LabelProblem
from judging.labels.values import Sides, accepted, codes_of, plain
from judging.models import ItemSlot, Question


class MissingItem(LookupError):
    """Missing item, which could be made."""


class UnfitLabel(ValueError):
    """A label that fits no item of the study; `field` is the column."""

    code = LabelProblem.BAD_CELL

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


class Contradiction(UnfitLabel):
    """A label that differs from another one on the same."""

    code = LabelProblem.CONTRADICTION


class ForeignValue(UnfitLabel):
    """A value that no answer of the question's scale has."""

    code = LabelProblem.UNKNOWN_VALUE

    def __init__(self, question: str, value: str, answers: str) -> None:
        super().__init__(
            "value",
            gettext("“{value}” isn't an answer to {question}: {answers}").format(
                value=value[:40], question=question, answers=answers
            ),
        )
        self.question, self.value = question, value


class ForeignQuestion(UnfitLabel):
    """A question that the study does not ask."""

    code = LabelProblem.UNKNOWN_QUESTION

    def __init__(self, question: str, questions: Iterable[str]) -> None:
        reason = gettext("question {key!r} not found").format(key=question)
        if not question:
            reason = gettext("is missing")
        super().__init__(
            "question",
            gettext("{reason}; available: {known}").format(
                reason=reason, known=", ".join(questions)
            ),
        )
        self.question = question


@dataclass(frozen=True)
class KnownItem:
    """An item of the study; `contents`: slot -> key, in nominal order.

    `systems`: slot -> key and name of the system that wrote its text, without case.
    """

    pk: int
    key: str
    kind: str
    topic: str
    contents: Mapping[str, str]
    systems: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class LabelPlace:
    """An item, and its slot for each slot of the line, which may name a pair in reverse."""

    item: KnownItem
    slots: Mapping[str, str]


class Items:
    """Items of the study by key, or by the contents of their slots in any order."""

    def __init__(self, study: Study) -> None:
        self._by_key: dict[str, KnownItem] = {}
        self._by_contents: dict[tuple[object, ...], list[KnownItem]] = defaultdict(list)
        self._by_topic: dict[str, list[KnownItem]] = defaultdict(list)
        self._by_systems: dict[tuple[object, ...], list[dict[str, str]]] = {}
        for item in _items(study):
            self._by_key[item.key] = item
            for topic in ("", item.topic):
                self._by_topic[topic].append(item)
                self._by_contents[topic, *sorted(item.contents.values())].append(item)

    def place(self, line: LabelLine) -> LabelPlace:
        """Return the place of a line. Raises NotFound or Unfit."""
        if line.item:
            return self._by_name(line)
        if not line.contents:
            line = replace(line, contents=self._contents_of(line))
        names = sorted(line.contents.values())
        candidates = [
            place
            for item in self._by_contents.get((line.topic, *names), [])
            if (place := _turned(item, line.contents)) is not None
        ]
        straight = [
            candidate for candidate in candidates if candidate.item.contents == line.contents
        ]
        items = straight or candidates
        if not items:
            raise MissingItem(
                gettext("has no item about {values}").format(
                    values=", ".join(line.contents.values())
                )
            )
        if len({item.item.pk for item in items}) > 1:
            raise UnfitLabel(
                "item",
                gettext("{found} items match: add the item or topic").format(found=len(items)),
            )
        return items[0]

    def _contents_of(self, line: LabelLine) -> Mapping[str, str]:
        """Return the texts of a line that names systems alone. Raises MissingItem or UnfitLabel."""
        key = line.topic, *sorted(line.systems.items())
        if key not in self._by_systems:
            items = self._by_topic.get(line.topic, [])
            texts = [slot_texts for item in items if (slot_texts := _texts_by(item, line.systems))]
            self._by_systems[key] = [dict(some) for some in {tuple(t.items()) for t in texts}]
        texts = self._by_systems[key]
        if not texts:
            raise MissingItem(
                gettext("has no item about {values}").format(
                    values=", ".join(line.systems.values())
                )
            )
        if len(texts) > 1:
            raise UnfitLabel(
                "item",
                gettext("{n} items match these systems: add the item or topic").format(
                    n=len(texts)
                ),
            )
        return texts[0]

    def _by_name(self, line: LabelLine) -> LabelPlace:
        item = self._by_key.get(line.item)
        if item is None:
            raise MissingItem(gettext("has no item {item!r}").format(item=line.item))
        contents = {
            name: key for name, key in line.contents.items() if item.contents.get(name) != key
        }
        if contents or line.topic not in ("", item.topic):
            raise UnfitLabel(
                "item", gettext("{item} has different contents").format(item=line.item)
            )
        return LabelPlace(item, {name: name for name in item.contents})


def _texts_by(item: KnownItem, systems: Mapping[str, str]) -> dict[str, str]:
    """Return the item's text for each slot of a line with systems, empty if they do not fit."""
    texts: dict[str, str] = {}
    for slot, system in sorted(systems.items()):
        theirs = [item.contents[s] for s, names in item.systems.items() if plain(system) in names]
        if len(theirs) != 1:
            return {}
        texts[slot] = theirs[0]
    is_whole = len(set(texts.values())) == len(texts) == len(item.contents)
    return texts if is_whole else {}


def _turned(item: KnownItem, contents: Mapping[str, str]) -> LabelPlace | None:
    """Return the item under the slots of a line; only drawn slots may have changed places."""
    if set(contents) != set(item.contents):
        return None
    drawn = set(item_kind(item.kind).drawn(item.contents))
    free = {key: name for name, key in item.contents.items() if name in drawn}
    slots = {name: free.get(key, "") if name in drawn else name for name, key in contents.items()}
    if any(contents[name] != item.contents.get(slot) for name, slot in slots.items()):
        return None
    return LabelPlace(item, slots)


def _items(study: Study) -> Iterable[KnownItem]:
    line = Cast("segment__line", CharField())
    slots = ItemSlot.objects.filter(item__study=study).order_by("item", "position")
    slots = slots.annotate(segment_key=Concat("segment__response__key", Value(":"), line))
    contents: dict[int, dict[str, str]] = defaultdict(dict)
    systems: dict[int, dict[str, frozenset[str]]] = defaultdict(dict)
    for item, name, system, title, *keys in slots.values_list(
        *("item", "name", "response__system__key", "response__system__name"),
        *("response__key", "passage__key", "criterion__key", "segment_key"),
    ):
        contents[item][name] = next(str(key) for key in keys if key is not None)
        if system is not None:
            systems[item][name] = frozenset({plain(system), plain(title)} - {""})
    for pk, key, kind, topic in study.items.values_list("pk", "key", "kind", "topic__key"):
        yield KnownItem(pk, key, kind, topic, contents[pk], systems[pk])


def answer_of(*, question: Question, line: LabelLine, place: LabelPlace) -> CanonicalAnswer:
    """Return the answer that the line's value means. Raises UnfitLabel or ForeignValue."""
    spec, names = question.scale.spec, tuple(place.item.contents)
    codes = codes_of(line.value, spec.get("options", []), _sides(line, place))
    if len(codes) > 1:
        raise UnfitLabel(
            "value", gettext("{value!r} matches several answers").format(value=line.value[:100])
        )
    try:
        return canonical(
            spec=spec,
            raw=next(iter(codes), line.value),
            shown=names,
            places=names,
            contents=dict(place.item.contents),
        )
    except NotOnScale as error:
        raise ForeignValue(question.key, line.value, accepted(spec)) from error


def _sides(line: LabelLine, place: LabelPlace) -> Sides:
    drawn = item_kind(place.item.kind).drawn(place.item.contents)
    shown = tuple(place.slots.get(name, "") for name in line.shown.split(",") if name)
    # Without an order, left is the line's first slot.
    of_line = tuple(slot for _, slot in sorted(place.slots.items()) if slot in drawn)
    return Sides(
        slots=place.slots,
        order=shown or of_line,
        keys=place.item.contents,
        systems=place.item.systems,
    )


def slot_of(*, question: Question, line: LabelLine, place: LabelPlace) -> str:
    """Return the judged slot of a question about each one. Raises Unfit."""
    if question.arity != Question.Arity.SLOT:
        if line.slot:
            raise UnfitLabel(
                "slot", gettext("question {key} isn't asked per slot").format(key=question.key)
            )
        return ""
    slot = place.slots.get(line.slot, "")
    if slot not in slots_asked(question, item_kind(place.item.kind), place.item.contents):
        raise UnfitLabel(
            "slot",
            gettext("question {key} doesn't ask about slot {slot!r}").format(
                slot=line.slot, key=question.key
            ),
        )
    return slot


def shown_of(*, line: LabelLine, place: LabelPlace) -> str:
    """Return the order of the texts, empty if it is unknown. Raises Unfit."""
    if not line.shown:
        return ""
    order = [place.slots.get(name, "") for name in line.shown.split(",")]
    if sorted(order) != sorted(item_kind(place.item.kind).drawn(place.item.contents)):
        raise UnfitLabel(
            "shown",
            gettext("{shown!r} must list the slots from left to right").format(shown=line.shown),
        )
    return ",".join(order)
