"""Prompts for entries about a topic. Pure: no Django.

Dietz (2024), A Workbench for Autograding Retrieve/Generate Systems, table 1, asks for ten concise
questions or nuggets a query, nuggets of at most four words; the wording here is ours.
"""

from annotation.texts.sentences import Sentence, marked
from judging.calls.prompts import BadPrompt, ReadyPrompt, named

VARIABLES = {
    "query": marked("the query of the topic"),
    "description": marked("the background of the topic, if any"),
    "passages": marked("the first passages of the topic, if the round reads any"),
    "number": marked("maximum number of entries"),
    "answers": marked("the answer format"),
}
SYSTEM = "You prepare an exam that tells relevant texts from others. You answer in JSON."
END = "\n\n{passages}\n\n{answers}"
READY = {
    "questions": ReadyPrompt(
        "questions",
        "Exam questions",
        SYSTEM,
        "Search query: {query}\n\nWrite at most {number} short questions that a text has to answer "
        "to satisfy this query. Together they cover its aspects. Each needs knowledge of the "
        "subject, asks for one thing, and can be understood alone. Skip questions for beginners."
        + END,
    ),
    "nuggets": ReadyPrompt(
        "nuggets",
        "Nuggets",
        SYSTEM,
        "Search query: {query}\n\nWrite at most {number} nuggets: key facts that a text has to "
        "mention to satisfy this query. Together they cover its aspects. Each is one fact in at "
        "most 4 words and needs knowledge of the subject. Skip facts for beginners." + END,
    ),
}


def how(kind: str) -> str:
    """Return the answer format for questions or nuggets."""
    return (
        "The last line of your answer is one JSON object on a single line, with nothing after it: "
        f'{{"{kind}": ["first of the {kind}", "second of the {kind}"]}}'
    )


def about(user: str, selected: str) -> str:
    """Return a prompt that asks for entries about a marked part of a text."""
    part = selected.replace("{", "{{").replace("}", "}}")
    return f"{user}\n\nUse only what this part of a text says:\n\n{part}"


def check(*, system: str, user: str) -> None:
    """Check that a prompt shows the query and the number of entries. Raises BadPrompt."""
    variables = named(system=system, user=user, known=VARIABLES)
    if "query" not in variables:
        raise BadPrompt(Sentence("The prompt doesn't show the query. Add {{query}}."))
    if "number" not in variables:
        raise BadPrompt(Sentence("The prompt doesn't give the number of entries. Add {{number}}."))
