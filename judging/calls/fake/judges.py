"""Scripted judges. Each is a model of the server and answers the same prompt the same way.

A judge knows the quality of texts (`TextQualities`) and finds them in a prompt by their
beginnings. The possible answers come from the schema of the request, or else from the prompt.
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
SIDES = ["left", "right"]
MOST = 26  # texts
QUERIES = "queries"
ENTRIES = ("questions", "nuggets")
TEXT = "text"
CODES = "codes"
WORDS = "I have read the texts and compared them."


@dataclass
class TextQualities:
    """Qualities of texts."""

    texts: dict[str, Quality] = field(default_factory=dict)

    def learn(self, texts: Mapping[str, Quality]) -> None:
        self.texts |= {_flat(text)[:BEGINNING]: quality for text, quality in texts.items()}

    def found(self, prompt: str) -> list[Quality]:
        """Return the qualities of the texts in a prompt, in its order."""
        flat = _flat(prompt)
        places = [(flat.find(beginning), beginning) for beginning in self.texts]
        return [self.texts[beginning] for place, beginning in sorted(places) if place >= 0]


@dataclass(frozen=True)
class FakeQuestion:
    """A question: its options, and the qualities of the texts that it is about.

    An option that is a letter chooses the text at that place, if there is one: A is the first.
    """

    name: str
    options: list[Any]
    qualities: list[float]
    chance: random.Random

    @property
    def texts(self) -> dict[Any, float]:
        """The options that choose a text with its quality, from left to right."""
        place_by_option = {option: _place(option) for option in self.options}
        shown = {option: n for option, n in place_by_option.items() if 0 <= n < len(self.qualities)}
        placed = sorted(shown.items(), key=lambda pair: pair[1])
        return {option: self.qualities[n] for option, n in placed} if len(placed) > 1 else {}

    @property
    def first(self) -> Any:
        """The left text, or the first option."""
        return min(self.options, key=lambda option: _place(option) % MOST)


def good(asked: FakeQuestion) -> Any:
    """Return the better text, nine times in ten."""
    if not asked.qualities or asked.chance.random() > SURE:
        return guess(asked)
    texts = asked.texts
    if not texts:
        place = (asked.qualities[0] + 1.5) / 3 * len(asked.options)
        return asked.options[min(max(int(place), 0), len(asked.options) - 1)]
    best, second = sorted(texts.values(), reverse=True)[:2]
    neither = [option for option in asked.options if option not in texts]
    if neither and best - second < EQUAL:
        return neither[0]
    return (min if "worst" in asked.name else max)(texts, key=lambda option: texts[option])


def left(asked: FakeQuestion) -> Any:
    """Return the left text, or the first option."""
    return asked.first if asked.chance.random() < SURE else guess(asked)


def guess(asked: FakeQuestion) -> Any:
    return asked.chance.choice(asked.options)


JUDGES: dict[str, Callable[[FakeQuestion], Any]] = {"good": good, "left": left, "guess": guess}


def answers(judge: str, *, prompt: str, schema: Json | None, known: TextQualities) -> Json:
    """Return a judge's answer to each question in order; all judges write the same queries."""
    if is_about_queries(prompt, schema):
        return {QUERIES: queries(prompt)}
    if is_about_codes(prompt, schema):
        return {CODES: codes(prompt)}
    if is_about_text(prompt, schema):
        return {TEXT: text(prompt)}
    if (kind := kind_of_entries(prompt, schema)) is not None:
        return {kind: entries(kind, prompt)}
    answer_by_question: Json = {}
    qualities = known.found(prompt)
    for name, options in questions_of(prompt, schema).items():
        if not options:
            is_list = schema is not None and schema["properties"][name].get("type") == "array"
            answer_by_question[name] = [WORDS] if is_list else WORDS
            continue
        question, _, letter = name.rpartition("_")
        about_one = question and len(letter) == 1 and _place(letter) < len(qualities)
        shown_qualities = [qualities[_place(letter)]] if about_one else qualities
        values = [_of(quality, question if about_one else name) for quality in shown_qualities]
        chance = random.Random(blake2b(f"{judge} {name} {prompt}".encode()).digest())
        answer_by_question[name] = JUDGES[judge](FakeQuestion(name, options, values, chance))
    return answer_by_question


def is_about_queries(prompt: str, schema: Json | None) -> bool:
    """Return whether the prompt wants search queries and no judgment."""
    properties = schema.get("properties", {}) if schema is not None else {}
    return list(properties) == [QUERIES] if schema is not None else f'{{"{QUERIES}": [' in prompt


def queries(prompt: str) -> list[str]:
    """Return as many queries as allowed, each from another sentence after "Passage:"."""
    wanted = re.search(r"at most (\d+) quer", prompt)
    passage = prompt.partition("Passage:")[2] or prompt
    passage = re.split(r"\n\n(?:Queries that people|Write at most)", passage)[0]
    sentences = [part for part in re.split(r"[.!?\n]+", passage) if part.strip()]
    starts = [" ".join(sentence.split()[:6]).lower() for sentence in sentences]
    return [f"what is known about {start}?" for start in starts][: int(wanted[1]) if wanted else 3]


def is_about_codes(prompt: str, schema: Json | None) -> bool:
    """Return whether the prompt wants the codes of a comment."""
    if schema is not None:
        return list(schema.get("properties", {})) == [CODES]
    return f'{{"{CODES}": [' in prompt


def codes(prompt: str) -> list[str]:
    """Return the codes of the codebook whose name is a word of the comment."""
    book, _, rest = prompt.partition("\nComment:\n")
    words = set(re.findall(r"\w+", rest.partition("\n\nChoose every")[0].lower()))
    listed = re.findall(r"^- \[([^\]]+)\] ([^:(\n]+)", book, re.M)
    return [key for key, name in listed if name.strip().lower() in words]


def is_about_text(prompt: str, schema: Json | None) -> bool:
    """Return whether the prompt wants an answer to a query in words."""
    return schema is None and "Reply with the text of your answer" in prompt


def text(prompt: str) -> str:
    """Return the first sentence of each numbered passage with its number."""
    passages = prompt.partition("\nPassages:\n")[2].partition("\n\nWrite between")[0]
    numbered = re.findall(r"^\[(\d+)\] (.+?)(?=^\[\d+\] |\Z)", passages, re.M | re.S)
    firsts = [(number, re.split(r"(?<=[.!?])\s", words.strip())[0]) for number, words in numbered]
    return "\n".join(f"- {_flat(words)} [{number}]" for number, words in firsts) or WORDS


def kind_of_entries(prompt: str, schema: Json | None) -> str | None:
    """Return which entries of a bank the prompt wants, None for another prompt."""
    for kind in ENTRIES:
        wants = list(schema.get("properties", {})) == [kind] if schema is not None else None
        if wants or (schema is None and f'{{"{kind}": [' in prompt):
            return kind
    return None


def entries(kind: str, prompt: str) -> list[str]:
    """Return as many entries as allowed about the words of the query."""
    wanted = re.search(r"at most (\d+) ", prompt)
    query = prompt.partition("Search query:")[2].strip().partition("\n")[0]
    words = re.findall(r"\w+", query) or ["it"]
    numbers = range(1, (int(wanted[1]) if wanted else 3) + 1)
    named = kind.removesuffix("s").capitalize()
    return [f"{named} {n} about {words[n % len(words)]}" for n in numbers]


def questions_of(prompt: str, schema: Json | None) -> dict[str, list[Any]]:
    """Return the possible answers by question; none for words."""
    if schema is None:
        return _read(prompt)
    return {name: _options(shape) for name, shape in schema.get("properties", {}).items()}


def _options(shape: Json) -> list[Any]:
    if "enum" in shape:
        return [option for option in shape["enum"] if option is not None]
    if {"string", "array"} & set(_types(shape)):
        return []
    return list(range(int(shape.get("minimum", 0)), int(shape.get("maximum", 2)) + 1))


def _types(shape: Json) -> list[str]:
    types: str | list[str] = shape.get("type", [])
    return [types] if isinstance(types, str) else types


def _read(prompt: str) -> dict[str, list[Any]]:
    """Read questions such as "1. overall: Which is better?" with their options after "Answers:".

    Without such a line, letters in double brackets are the options.
    """
    options_by_question: dict[str, list[Any]] = {}
    name = ""
    for line in map(str.strip, prompt.splitlines()):
        if question_line := re.match(r"\d+\. ([\w.@-]+)[^:]*: ", line):
            name = question_line[1]
        elif line.startswith("Answers: ") and name:
            answers_text = line.removeprefix("Answers: ")
            numbers = re.match(r"a number from (-?\d+) to (-?\d+)", answers_text)
            listed = [part.split(" = ")[0] for part in answers_text.split("; ")]
            options_by_question[name] = (
                list(range(int(numbers[1]), int(numbers[2]) + 1))
                if numbers
                else [listed_code for listed_code in listed if listed_code != "null for none"]
            )
    letters = sorted(set(re.findall(r"\[\[([A-Z])\]\]", prompt)))
    return options_by_question or ({"verdict": letters} if letters else {})


def written(said: Json, *, prompt: str, schema: Json | None) -> str:
    """Return an answer as a model writes it: JSON alone if requested, else after words."""
    line = json.dumps(said)
    if schema is not None:
        return line
    if list(said) == [TEXT]:
        return str(said[TEXT])
    if len(said) == 1 and "[[" in prompt:
        line = f"[[{next(iter(said.values()))}]]"
    return f"{WORDS}\n{line}"


def _place(option: Any) -> int:
    """Return the index of the text, 0 for the left one; -1 for none."""
    letter = str(option).lower()
    if letter in SIDES:
        return SIDES.index(letter)
    return ord(letter) - ord("a") if len(letter) == 1 and "a" <= letter <= "z" else -1


def _of(quality: Quality, question: str) -> float:
    return quality if isinstance(quality, int | float) else quality.get(question, 0.0)


def _flat(text: str) -> str:
    return " ".join(text.split())
