"""Ready-made prompts that propose entries for a topic. Pure: no Django.

Dietz (2024), A Workbench for Autograding Retrieve/Generate Systems, table 1, asks for ten concise
questions or nuggets a query, nuggets of at most four words; its prompts for TREC CAR ask about a
subtopic of the query. The wording here is ours.
"""

from collections.abc import Sequence

from annotation.texts.sentences import Sentence, marked
from judging.calls.prompts import BadPrompt, ReadyPrompt, named

VARIABLES = {
    "query": marked("the topic's query"),
    "description": marked("the topic's background, if any"),
    "subtopic": marked("the subtopic, if the round has any"),
    "passages": marked("the topic's first passages and answers, if the round reads any"),
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
SUBTOPIC = {
    "questions": ReadyPrompt(
        "subtopic-questions",
        "Exam questions on a subtopic",
        SYSTEM,
        "Search query: {query}\nSubtopic: {subtopic}\n\nWrite at most {number} questions on how "
        "the subtopic bears on the query. They go deep into the subtopic and need knowledge of it; "
        "each asks for one thing and can be understood alone. Skip questions for beginners." + END,
    ),
    "nuggets": ReadyPrompt(
        "subtopic-nuggets",
        "Nuggets on a subtopic",
        SYSTEM,
        "Search query: {query}\nSubtopic: {subtopic}\n\nWrite at most {number} nuggets: key facts "
        "on how the subtopic bears on the query. They go deep into the subtopic and need knowledge "
        "of it; each is one fact in at most 4 words. Skip facts for beginners." + END,
    ),
}


def how(kind: str) -> str:
    """Return the answer format for questions or nuggets."""
    return (
        "The last line of your answer is one JSON object on a single line, with nothing after it: "
        f'{{"{kind}": ["first of the {kind}", "second of the {kind}"]}}'
    )


def about(user: str, selected: str) -> str:
    """Return a prompt restricted to a marked part of a text."""
    return f"{user}\n\nUse only what this part of a text says:\n\n{escaped(selected)}"


def escaped(selected: str) -> str:
    """Return words as a prompt has them: braces are not variables."""
    return selected.replace("{", "{{").replace("}", "}}")


def check(*, system: str, user: str) -> None:
    """Check that a prompt includes the query and the number of entries. Raises BadPrompt."""
    named(system=system, user=user, known=VARIABLES, needed=("query", "number"))


def check_subtopics(*, system: str, user: str, subtopics: Sequence[str]) -> None:
    """Check that a prompt uses the subtopic if and only if a round has some. Raises BadPrompt."""
    needed = ("subtopic",) if subtopics else ()
    variables = named(system=system, user=user, known=VARIABLES, needed=needed)
    if "subtopic" in variables and not subtopics:
        raise BadPrompt("no_subtopics", Sentence("Enter at least one subtopic."))
