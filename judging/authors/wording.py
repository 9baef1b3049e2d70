"""Prompt that asks for a text. Pure: no Django."""

from collections.abc import Sequence

from annotation.texts.sentences import marked
from judging.calls.prompts import ReadyPrompt, named

VARIABLES = {
    "instructions": marked("the study's instructions for writers"),
    "style": marked("style name"),
    "style_instructions": marked("the study's description of the style"),
    "query": marked("the topic's query"),
    "description": marked("the topic's description, if any"),
    "passages": marked("the passages that writers read, numbered from [0]"),
    "words": marked("target length in words"),
    "low": marked("fewest words"),
    "high": marked("most words"),
}
REQUIRED = ("query", "passages", "style_instructions")
READY = ReadyPrompt(
    "author",
    "The study's own instructions",
    "You write answers to search queries from passages that you are given.",
    "These instructions are for people. Ignore what they say about the page and writing tools.\n\n"
    "{instructions}\n\nStyle: {style}. {style_instructions}\n\nSearch query: {query}\n\n"
    "Passages:\n\n{passages}\n\nWrite between {low} and {high} words. Cite passages by their "
    "number, such as [0]. Reply with the text of your answer and nothing else.",
)


def check(*, system: str, user: str) -> None:
    """Check that a prompt shows query, passages and style. Raises BadPrompt."""
    named(system=system, user=user, known=VARIABLES, needed=REQUIRED)


def numbered(passages: Sequence[tuple[str, str]]) -> str:
    """Return passages (title, text) with their numbers, from 0, as writers see them."""
    return "\n\n".join(
        f"[{number}] " + "\n".join(filter(None, passage)) for number, passage in enumerate(passages)
    )
