"""Answers that a model may give to the questions about an item, by name and scale.

Texts that change places are Text A, Text B, ... by their place, and an answer that chooses one is
its letter; other answers get the following letters. A scale that chooses no text is answered by
the codes of its options, or by a number. Pure: no Django.
"""

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.answering.scales import CanonicalAnswer, canonical
from judging.calls.replies import object_schema
from judging.items.kinds import Holds, ItemKind

MOST_SIGNS = 2000  # of an answer in words, where its scale has no limit
MOST_STEPS = 21  # of a range whose numbers a schema lists


@dataclass(frozen=True)
class ModelQuestion:
    """A question of the study."""

    key: str
    text: str
    definition: str
    spec: Mapping[str, Any]
    arity: str
    wants_reason: bool = False
    may_be_left_out: bool = False
    criterion: str = ""
    about: str = ""


@dataclass(frozen=True)
class ShownItem:
    """An item as shown: `order` are its moving slots from left to right, `contents` its keys."""

    kind: ItemKind
    contents: Mapping[str, str]
    order: tuple[str, ...]

    @property
    def places(self) -> tuple[str, ...]:
        return self.kind.drawn(self.contents)

    @property
    def on_page(self) -> list[tuple[str, str]]:
        """Pairs of slot and place, in the order of the page."""
        return self.kind.on_page(self.contents, self.order)

    def title(self, place: str) -> str:
        if place in self.places:
            return f"Text {place.upper()}"
        owner = self._place_of_whole(place)
        return (
            f"{self.kind.label(place)} of {self.title(owner)}" if owner else self.kind.label(place)
        )

    def _place_of_whole(self, place: str) -> str:
        """Return the place of the text that a part is of, '' if it is not shown."""
        slot = self.kind.slot(place)
        if slot is None or slot.holds != Holds.SEGMENT or not slot.repeated:
            return ""
        whole = self.contents[place].rpartition(":")[0]
        return next(
            (p for name, p in self.on_page if p in self.places and self.contents[name] == whole), ""
        )


@dataclass(frozen=True)
class AnswerChoice:
    """`token` is the answer that the model is told to give; `names` are other forms of it."""

    token: str
    label: str
    code: str
    names: frozenset[str]
    definition: str = ""


@dataclass(frozen=True)
class AnswerField:
    """One answer: `name` in JSON, `key` in the database."""

    name: str
    key: str
    asked: ModelQuestion
    slot: str
    about: str  # the text it is asked of, if of each
    choices: tuple[AnswerChoice, ...]

    @property
    def reason(self) -> str:
        return f"{self.name}_reason" if self.asked.wants_reason else ""

    @property
    def is_text(self) -> bool:
        return bool(self.asked.spec["kind"] == "text")

    def schema(self) -> dict[str, Any]:
        left_out: list[Any] = [None] if self.asked.may_be_left_out else []
        null = ["null"] if left_out else []
        if self.choices:
            tokens = [choice.token for choice in self.choices]
            return {"type": ["string", *null] if null else "string", "enum": tokens + left_out}
        if self.is_text:
            return {"type": ["string", *null] if null else "string"}
        numbers = _numbers(self.asked.spec)
        shape: dict[str, Any] = {"type": ["number", *null] if null else "number"}
        return shape | ({"enum": numbers + left_out} if numbers else {})

    def answer(self, code: str, page: ShownItem) -> CanonicalAnswer:
        """Return the canonical answer for the shown order. Raises NotOnScale."""
        return canonical(
            spec=dict(self.asked.spec),
            raw=code,
            shown=page.order,
            places=page.places,
            contents=dict(page.contents),
        )


def fields_of(questions: Sequence[ModelQuestion], page: ShownItem) -> list[AnswerField]:
    return [field for question in questions for field in _fields(question, page)]


def _fields(question: ModelQuestion, page: ShownItem) -> list[AnswerField]:
    choices = _choices(question.spec, page)
    if question.arity != "slot":
        return [AnswerField(question.key, question.key, question, "", "", choices)]
    judged = set(page.kind.judged(page.contents, question.about))
    return [
        AnswerField(
            f"{question.key}_{place.upper() if place in page.places else place}",
            f"{question.key}/{slot}",
            question,
            slot,
            page.title(place),
            choices,
        )
        for slot, place in page.on_page
        if slot in judged
    ]


def _choices(spec: Mapping[str, Any], page: ShownItem) -> tuple[AnswerChoice, ...]:
    options = spec.get("options") or []
    has_places = any(option["role"] == "slot" for option in options)
    taken = {option["slot"].upper() for option in options if option["role"] == "slot"}
    letters = (letter for letter in string.ascii_uppercase if letter not in taken)
    choices = []
    for option in options:
        if option["role"] == "slot":
            place = option["slot"]
            is_drawn = place in page.places
            token = place.upper() if is_drawn else place
            label = page.title(place)
        else:
            token = next(letters) if has_places else option["code"]
            label = option["label"]
        names = {token, option["label"], label}
        choices.append(
            AnswerChoice(
                token,
                label,
                option["code"],
                frozenset(map(str.casefold, names)),
                option.get("definition", ""),
            )
        )
    return tuple(choices)


def _numbers(spec: Mapping[str, Any]) -> list[float]:
    low, high, step = spec["min"], spec["max"], spec.get("step", 1)
    n = round((high - low) / step) + 1
    if n > MOST_STEPS:
        return []
    steps = [low + step * number for number in range(n)]
    return [int(step) if float(step).is_integer() else step for step in steps]


def schema(fields: Sequence[AnswerField]) -> dict[str, Any]:
    """Return the JSON schema of all answers; a reason comes before its answer."""
    properties: dict[str, Any] = {}
    for field in fields:
        if field.reason:
            properties[field.reason] = {"type": "string"}
        properties[field.name] = field.schema()
    return object_schema(properties)


def listed(fields: Sequence[AnswerField]) -> str:
    """Return the questions for a prompt."""
    return "\n\n".join(_listed(number, field) for number, field in enumerate(fields, start=1))


def _listed(number: int, field: AnswerField) -> str:
    about = f" (about {field.about})" if field.about else ""
    lines = [f"{number}. {field.name}{about}: {field.asked.text}"]
    if field.asked.definition:
        lines.append(f"   {field.asked.definition}")
    lines.append(f"   {_possible(field)}")
    lines += [
        f"   {choice.token}: {choice.definition}" for choice in field.choices if choice.definition
    ]
    return "\n".join(lines)


def _possible(field: AnswerField) -> str:
    if field.choices:
        answers = "; ".join(
            choice.token if choice.token == choice.label else f"{choice.token} = {choice.label}"
            for choice in field.choices
        )
    elif field.is_text:
        longest = field.asked.spec.get("max_length", MOST_SIGNS)
        answers = f"words of the text, at most {longest} characters"
    else:
        spec = field.asked.spec
        answers = f"a number from {spec['min']:g} to {spec['max']:g}"
        answers += f", in steps of {spec['step']:g}" if spec.get("step", 1) != 1 else ""
    return f"Answers: {answers}" + ("; null for none" if field.asked.may_be_left_out else "")


def how_to_answer(fields: Sequence[AnswerField]) -> str:
    """Return the instruction for answers in words."""
    parts = []
    for field in fields:
        if field.reason:
            parts.append(f'"{field.reason}": "one sentence"')
        parts.append(f'"{field.name}": ...')
    return (
        "The last line of your answer is one JSON object on a single line, with nothing after "
        f"it and your answers in place of the dots: {{{', '.join(parts)}}}"
    )


def chosen_twice(found: Mapping[str, str], fields: Sequence[AnswerField]) -> bool:
    """Return whether two questions on one criterion choose the same text."""
    chosen = [
        (field.asked.criterion, found[field.key])
        for field in fields
        if field.asked.arity == "choose" and found.get(field.key) is not None
    ]
    return len(chosen) != len(set(chosen))
