"""Values of foreign labels as answers of a question: codes, words for sides and ties, systems."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

Options = list[dict[str, Any]]

# A side by its letter or number: A, [[B]], model_a, Assistant B, response 2.
SIDE = re.compile(
    r"(?:(?P<noun>model|response|assistant|answer|text|output|option|system|summary) ?)?"
    r"(?P<side>[a-h]|[1-8])(?: wins| won| is better| better)?"
)
# FastChat's log has leftvote, rightvote, tievote and bothbad_vote.
LEFT = ("left", "first", "left is better", "leftvote")
RIGHT = ("right", "second", "right is better", "rightvote")
WORDS_BY_ROLE = {
    "tie": (
        *("tie", "tied", "draw", "same", "the same", "equal", "equals", "equally good", "similar"),
        *("both", "both good", "both are good", "no preference", "no difference", "neither"),
        *("no winner", "tievote", "="),
    ),
    "both_bad": (
        "both bad",
        "bothbad",
        "both bad",
        "bothbad vote",
        "tie bothbad",
        "tie both bad",
        "neither",
    ),
    "abstain": ("cannot say", "can't say", "don't know", "dont know", "unsure", "not sure"),
}


class BadMapping(ValueError):
    """Refusal of a mapping of values."""


@dataclass(frozen=True)
class ValueMapping:
    """Answers by value of the file, and questions by those that it names.

    An empty answer, or question, leaves the labels of a value, or question, out.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[str], questions: Iterable[str] = ()) -> "ValueMapping":
        """Return the mapping of lines such as `3=2` and `-1=`. Raises BadMapping."""
        values = (_parted(line) for line in lines if line.strip())
        return cls.of_pairs(values, (_parted(line) for line in questions if line.strip()))

    @classmethod
    def of_pairs(
        cls, pairs: Iterable[tuple[str, str]], questions: Iterable[tuple[str, str]] = ()
    ) -> "ValueMapping":
        """Return the mapping of pairs of value and answer. Raises BadMapping."""
        return cls(_mapped_once(pairs), _mapped_once(questions))

    def answer(self, value: str) -> str | None:
        """Return the answer of a value, empty to leave it out, None if it is not mapped."""
        return self.answers.get(plain(value)) if self.answers else None

    def question(self, name: str) -> str | None:
        """Return the question of a name, empty to leave it out, None if it is not mapped."""
        return self.questions.get(plain(name)) if self.questions and name else None


def _mapped_once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    answers: dict[str, str] = {}
    for value, answer in pairs:
        if answers.setdefault(plain(value), answer) != answer:
            raise BadMapping(
                gettext("{value!r} is mapped to two answers.").format(value=value.strip()[:60])
            )
    return answers


def _parted(line: str) -> tuple[str, str]:
    value, equals, answer = line.rpartition("=")
    if not equals or not value.strip():
        raise BadMapping(
            gettext("{line!r} isn't a mapping. Use VALUE=ANSWER, or VALUE= to skip.").format(
                line=line.strip()[:60]
            )
        )
    return value, answer.strip()


def plain(value: str) -> str:
    """Return a value without case, repeated white space, or the point of a whole number."""
    words = " ".join(value.split()).casefold()
    number = _number(words)
    return words if number is None else f"{number + 0.0:.15g}"


def _number(words: str) -> float | None:
    if not words or len(words) > 30 or words[0] not in "+-.0123456789":
        return None
    try:
        number = float(words.replace("_", "x"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Sides:
    """Slots that a label can name, with the item's slot for each.

    `order` are the item's slots from left to right, `keys` and `systems` the item's slots by key
    of their content and by name of its system.
    """

    slots: Mapping[str, str]
    order: tuple[str, ...]
    keys: Mapping[str, str]
    systems: Mapping[str, frozenset[str]]


def codes_of(value: str, options: Options, sides: Sides) -> set[str]:
    """Return the codes of all options that a value can mean, by the closest way of writing."""
    choosing = {option["slot"]: option["code"] for option in options if option["role"] == "slot"}
    ways = (_exact, _loose, _words)
    return next((codes for way in ways if (codes := way(value, options, choosing, sides))), set())


def _exact(value: str, options: Options, choosing: dict[str, str], sides: Sides) -> set[str]:
    """Codes, and keys of texts, letter by letter; the codes of slots are those of the line."""
    codes = {_turned(option, choosing, sides) for option in options if option["code"] == value}
    return codes | {choosing[slot] for slot in choosing if sides.keys.get(slot) == value}


def _loose(value: str, options: Options, choosing: dict[str, str], sides: Sides) -> set[str]:
    """Codes, keys and the words of answers without case; 1.0 is 1."""
    wanted = plain(value)
    codes = {
        _turned(option, choosing, sides) for option in options if plain(option["code"]) == wanted
    }
    codes |= {choosing[slot] for slot in choosing if plain(sides.keys.get(slot, "")) == wanted}
    # The words of options for a text are those of its place on the page, not of its slot.
    return codes or {
        option["code"]
        for option in options
        if option["role"] != "slot" and plain(str(option.get("label", ""))) == wanted
    }


def _words(value: str, options: Options, choosing: dict[str, str], sides: Sides) -> set[str]:
    """Words for sides, systems and ties."""
    wanted = " ".join(re.sub(r"[\[\]()_\-]+", " ", plain(value)).split())
    slots = {slot for slot, names in sides.systems.items() if plain(value) in names}
    slots |= set(_side(wanted, sides))
    codes = {choosing[slot] for slot in slots if slot in choosing}
    roles = {role for role, words in WORDS_BY_ROLE.items() if wanted in words}
    if not choosing:
        return codes
    offered = {option["role"] for option in options}
    if "both_bad" in roles and "both_bad" not in offered:
        roles |= {"tie"}  # a scale without “both bad” has one answer for no winner
    return codes | {option["code"] for option in options if option["role"] in roles}


def _side(wanted: str, sides: Sides) -> Iterator[str]:
    if len(sides.order) == 2:
        if wanted in LEFT:
            yield sides.order[0]
        if wanted in RIGHT:
            yield sides.order[1]
    match = SIDE.fullmatch(wanted)
    if match and (match["noun"] or not match["side"].isdecimal()):
        side = match["side"]
        name = "abcdefgh"[int(side) - 1] if side.isdecimal() else side
        if sides.slots.get(name) in sides.order:
            yield sides.slots[name]


def _turned(option: dict[str, Any], choosing: dict[str, str], sides: Sides) -> str:
    """Return the option's code for the item, which may have the texts of the line in reverse."""
    if option["role"] != "slot":
        return str(option["code"])
    return choosing.get(sides.slots.get(option["slot"], option["slot"]), str(option["code"]))


def accepted(spec: dict[str, Any]) -> str:
    """Return the answers of a scale as a list in a sentence."""
    if spec["kind"] == "text":
        return gettext("any text")
    if spec["kind"] == "range":
        return gettext("numbers from {low:g} to {high:g}").format(low=spec["min"], high=spec["max"])
    options = spec["options"]
    answers = [
        option["code"] if option["role"] == "slot" else f"{option['code']} ({option['label']})"
        for option in options
    ]
    roles = {option["role"] for option in options}
    if "slot" in roles:
        answers += [gettext("text key or system")]
        if sum(option["role"] == "slot" for option in options) == 2:
            answers += ["left", "right"]
        answers += ["tie"] if "tie" in roles else []
    return ", ".join(answers)
