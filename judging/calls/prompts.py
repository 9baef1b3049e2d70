"""Prompts: texts with `{variables}` that are filled in strictly. Pure: no Django.

A brace that is no variable is written twice, as in Python's templates. What is filled in is text:
braces in it mean nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence

LIMIT = 50_000  # characters


class BadPrompt(CodedError):
    """Prompt that cannot be filled in; the message gives the reason."""


@dataclass(frozen=True)
class ReadyPrompt:
    """A prompt to start from."""

    key: str
    title: str
    system: str
    user: str


def named(
    *, system: str, user: str, known: Collection[str], needed: Collection[str] = ()
) -> set[str]:
    """Return the variables in a prompt. Raises BadPrompt for unknown and missing ones."""
    if not user.strip():
        raise BadPrompt("empty", Sentence("The prompt is empty."))
    names: set[str] = set()
    for text in (system, user):
        if len(text) > LIMIT or "\x00" in text:
            raise BadPrompt(
                "too_long", Sentence("A prompt can have up to {limit:,} characters.", limit=LIMIT)
            )
        for _, name in _parts(text):
            if name is not None and name not in known:
                listed = ", ".join(f"{{{variable}}}" for variable in sorted(known))
                raise BadPrompt(
                    "unknown_variable",
                    Sentence(
                        "Unknown variable {{{name}}}. Available: {listed}.",
                        name=name,
                        listed=listed,
                    ),
                )
            if name is not None:
                names.add(name)
    for name in needed:
        if name not in names:
            raise BadPrompt(
                "missing_variable", Sentence("Add {{{name}}} to the prompt.", name=name)
            )
    return names


def variables_in(*texts: str) -> set[str]:
    """Return the names of the variables in valid prompts."""
    return {name for text in texts for _, name in _parts(text) if name is not None}


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its variables filled in. Raises BadPrompt."""
    parts: list[str] = []
    for literal, name in _parts(text):
        parts.append(literal)
        if name is not None:
            if name not in values:
                raise BadPrompt(
                    "missing_value", Sentence("This item has no {{{name}}}.", name=name)
                )
            parts.append(values[name])
    return "".join(parts)


def messages(*, system: str, user: str, values: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the messages with the values filled in. Raises BadPrompt."""
    texts = [("system", filled(system, values)), ("user", filled(user, values))]
    return [{"role": role, "content": text} for role, text in texts if text.strip()]


def _parts(text: str) -> Iterator[tuple[str, str | None]]:
    try:
        for literal, name, form, conversion in Formatter().parse(text):
            if name is not None and (not name.isidentifier() or form or conversion):
                raise BadPrompt(
                    "not_a_variable",
                    Sentence(
                        "“{{{name}}}” isn't a variable. Double other braces: {{{{.", name=name
                    ),
                )
            yield literal, name
    except ValueError as error:
        if isinstance(error, BadPrompt):
            raise
        raise BadPrompt(
            "brace", Sentence("Unmatched brace. Double braces outside variables: {{{{ or }}}}.")
        ) from error
