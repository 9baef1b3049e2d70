"""Prompts: texts with `{variables}` that are filled in strictly. Pure: no Django.

A brace that is no variable is written twice, as in Python's templates. What is filled in is text:
braces in it mean nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from annotation.texts.sentences import Sentence

LIMIT = 50_000  # characters


class BadPrompt(ValueError):
    """A prompt that cannot be filled in; the message says why."""


@dataclass(frozen=True)
class Wording:
    """A prompt to begin with."""

    key: str
    title: str
    system: str
    user: str


def named(*, system: str, user: str, known: Collection[str]) -> set[str]:
    """The variables that a prompt names. Raise BadPrompt where one is not known, or no prompt
    can be like this."""
    if not user.strip():
        raise BadPrompt(Sentence("The prompt is empty."))
    found: set[str] = set()
    for text in (system, user):
        if len(text) > LIMIT or "\x00" in text:
            raise BadPrompt(Sentence("A prompt has at most {limit:,} characters.", limit=LIMIT))
        for _, name in _parts(text):
            if name is not None and name not in known:
                listed = ", ".join(f"{{{each}}}" for each in sorted(known))
                raise BadPrompt(
                    Sentence(
                        "There is no variable {{{name}}}; there are {listed}.",
                        name=name,
                        listed=listed,
                    )
                )
            if name is not None:
                found.add(name)
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """Raises BadPrompt."""
    said: list[str] = []
    for literal, name in _parts(text):
        said.append(literal)
        if name is not None:
            if name not in values:
                raise BadPrompt(Sentence("This item has no {{{name}}}.", name=name))
            said.append(values[name])
    return "".join(said)


def _parts(text: str) -> Iterator[tuple[str, str | None]]:
    """Words, and the variable behind them."""
    try:
        for literal, name, form, conversion in Formatter().parse(text):
            if name is not None and (not name.isidentifier() or form or conversion):
                raise BadPrompt(
                    Sentence(
                        "“{{{name}}}” is no variable: a brace that is none is written twice, {{{{.",
                        name=name,
                    )
                )
            yield literal, name
    except ValueError as error:
        if isinstance(error, BadPrompt):
            raise
        raise BadPrompt(
            Sentence(
                "A brace is open or too many: one that is no variable is written twice, {{{{ "
                "or }}}}."
            )
        ) from error
