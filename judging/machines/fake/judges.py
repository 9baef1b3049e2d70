"""Who answers how. Each judge is a model of the server, and says the same to the same prompt.

A judge is told of texts how good they are (`Known`), and finds them in a prompt by how they begin.
What may be answered is read from the schema of the request, or else from the prompt: of each line
that has the key of a question and options in quotes.
"""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

Json = dict[str, Any]
Quality = float | Mapping[str, float]  # 0 is the middle, 1 a standard deviation; by question or not

BEGINNING = 60  # characters that tell a text
EQUAL = 0.5  # texts whose quality is nearer than this are equal, where that can be said
SURE = 0.9  # how often the good judge says what it knows, and the other one left
LEFT, RIGHT = {"a", "left", "first"}, {"b", "right", "second"}


@dataclass
class Known:
    """How good texts are."""

    texts: dict[str, Quality] = field(default_factory=dict)

    def learn(self, texts: Mapping[str, Quality]) -> None:
        self.texts |= {_flat(text)[:BEGINNING]: quality for text, quality in texts.items()}

    def found(self, prompt: str) -> list[Quality]:
        """The qualities of the texts in a prompt, as they stand in it."""
        flat = _flat(prompt)
        places = [(flat.find(beginning), beginning) for beginning in self.texts]
        return [self.texts[beginning] for place, beginning in sorted(places) if place >= 0]


@dataclass(frozen=True)
class Asked:
    """One question: what may be said, and how good the texts are that it is asked about."""

    options: list[Any]
    qualities: list[float]
    chance: random.Random

    @property
    def left(self) -> Any:
        return next((each for each in self.options if str(each).lower() in LEFT), self.options[0])

    @property
    def right(self) -> Any:
        return next((each for each in self.options if str(each).lower() in RIGHT), self.options[-1])

    @property
    def neither(self) -> Any | None:
        rest = [each for each in self.options if each not in (self.left, self.right)]
        return rest[0] if len(rest) == 1 else None

    @property
    def compares(self) -> bool:
        return str(self.left).lower() in LEFT and str(self.right).lower() in RIGHT


def good(asked: Asked) -> Any:
    """Knows how good the texts are, and says so nine times in ten."""
    if not asked.qualities or asked.chance.random() > SURE:
        return guess(asked)
    if not asked.compares:
        place = (asked.qualities[0] + 1.5) / 3 * len(asked.options)
        return asked.options[min(max(int(place), 0), len(asked.options) - 1)]
    first, second = [*asked.qualities, 0.0][:2]
    if asked.neither is not None and abs(first - second) < EQUAL:
        return asked.neither
    return asked.left if first > second else asked.right


def left(asked: Asked) -> Any:
    """Likes what stands left, or the first option."""
    return asked.left if asked.chance.random() < SURE else guess(asked)


def guess(asked: Asked) -> Any:
    return asked.chance.choice(asked.options)


JUDGES: dict[str, Callable[[Asked], Any]] = {"good": good, "left": left, "guess": guess}


def answers(judge: str, *, prompt: str, schema: Json | None, known: Known) -> Json:
    """What a judge says to each question, in order."""
    qualities = known.found(prompt)
    found = {}
    for question, options in questions_of(prompt, schema).items():
        chance = random.Random(blake2b(f"{judge} {question} {prompt}".encode()).digest())
        asked = Asked(options, [_of(each, question) for each in qualities], chance)
        found[question] = JUDGES[judge](asked)
    return found


def questions_of(prompt: str, schema: Json | None) -> dict[str, list[Any]]:
    """Question → what may be said."""
    if schema is None:
        return _read(prompt)
    return {
        name: _options(shape)
        for name, shape in schema.get("properties", {}).items()
        if shape.get("type") != "string" or "enum" in shape
    }


def _options(shape: Json) -> list[Any]:
    if "enum" in shape:
        return list(shape["enum"])
    return list(range(int(shape.get("minimum", 0)), int(shape.get("maximum", 2)) + 1))


def _read(prompt: str) -> dict[str, list[Any]]:
    found = {}
    for line in prompt.splitlines():
        key, *options = re.findall(r'"([^"\n]{1,60})"', line) or [""]
        if len(options) > 1 and re.fullmatch(r"[\w.@-]+", key):
            found[key] = options
    return found


def written(said: Json, *, schema: Json | None) -> str:
    """An answer as a model writes it: JSON alone where that was asked for, else behind words."""
    line = json.dumps(said)
    return line if schema is not None else f"I have read the texts and compared them.\n{line}"


def _of(quality: Quality, question: str) -> float:
    return quality if isinstance(quality, int | float) else quality.get(question, 0.0)


def _flat(text: str) -> str:
    return " ".join(text.split())
