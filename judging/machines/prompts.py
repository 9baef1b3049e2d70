"""Prompts: texts with `{variables}` that stand for what an item shows and what is asked. Strict.

A brace that is no variable is written twice, as in Python's templates. What is filled in is text:
braces in it mean nothing. Pure: no Django.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from annotation.texts.sentences import Sentence, marked
from judging.items.kinds import ItemKind

LIMIT = 50_000  # characters
# What every prompt may name, beside the places of its items.
COMMON = {
    "query": marked("the search question"),
    "description": marked("what else is said of it"),
    "texts": marked("all that the item shows, with headings"),
    "documents": marked("the documents alone, with headings"),
    "questions": marked("the questions, with definitions and possible answers"),
    "answers": marked("how the answer has to look"),
}
# What it may name where people read beside documents how others rated them.
ANNOTATIONS = {"annotations": marked("how others rated the documents, and why")}


class BadPrompt(ValueError):
    """A prompt that cannot be filled in; the message says why."""


@dataclass(frozen=True)
class Wording:
    """A prompt to begin with."""

    key: str
    title: str
    system: str
    user: str


def variables(kinds: Collection[ItemKind], *, annotated: bool = False) -> dict[str, str]:
    """What a prompt for items of these kinds may name, and what it stands for."""
    own = {
        slot.name: Sentence("the text at this place ({label})", label=slot.label)
        for kind in kinds
        for slot in kind.slots
        if not slot.repeated
    }
    return own | COMMON | (ANNOTATIONS if annotated else {})


def check(*, system: str, user: str, known: Collection[str]) -> None:
    """Raise BadPrompt unless both can be filled in and show something of the item."""
    shown = named(system=system, user=user, known=known)
    if not shown - {"query", "description", "questions", "answers"}:
        raise BadPrompt(
            Sentence("The prompt shows nothing of the item: it needs {{texts}}, or a place.")
        )


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


READY = {
    each.key: each
    for each in (
        Wording(
            "plain",
            "All questions, answers as JSON",
            "You judge texts carefully and without favour. The order of the texts, their length "
            "and their tone mean nothing by themselves.",
            "Search question: {query}\n\n{texts}\n\nQuestions:\n\n{questions}\n\n{answers}",
        ),
        Wording(
            "verdict",
            "One question, first the reasons, then [[A]], [[B]] or [[C]]",
            "You are an impartial judge of answers to search questions. Do not let the order of "
            "the texts or their length sway you.",
            "Search question: {query}\n\n{texts}\n\n{questions}\n\nCompare them in a few "
            "sentences. Then write your verdict alone on the last line, in double brackets: the "
            "letter of one of the answers above, such as [[X]].",
        ),
    )
}
