"""Prompt about a passage. Pure: no Django."""

from collections.abc import Sequence

from annotation.texts.sentences import marked
from judging.calls.prompts import ReadyPrompt, named
from judging.queries.replies import NAME

VARIABLES = {
    "passage": marked("the passage, with its title"),
    "title": marked("the title only, if any"),
    "query": marked("the query of the passage's topic"),
    "number": marked("maximum number of queries"),
    "examples": marked("example queries, one per line"),
    "answers": marked("the answer format"),
}
READY = ReadyPrompt(
    "queries",
    "Queries that a passage answers",
    "You write search queries that people could type who do not know the passage. Each can be "
    "understood alone, is answered by the passage, and asks for something else than the others.",
    "Passage:\n\n{passage}\n\n{examples}\n\nWrite at most {number} queries that this passage "
    "answers, fewer where it has less to say.\n\n{answers}",
)
HOW = (
    "The last line of your answer is one JSON object on a single line, with nothing after it: "
    f'{{"{NAME}": ["first query", "second query"]}}'
)


def check(*, system: str, user: str) -> None:
    """Check that a prompt shows the passage and the number of queries. Raises BadPrompt."""
    # The same prompt gets the answer from before, which may have more queries than are wanted now.
    named(system=system, user=user, known=VARIABLES, needed=("passage", "number"))


def listed(examples: Sequence[str]) -> str:
    if not examples:
        return ""
    return "\n".join(["Queries that people have typed:", *(f"- {example}" for example in examples)])
