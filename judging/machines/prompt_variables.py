"""Variables that prompts about items may use, and ready prompts. Pure: no Django."""

from collections.abc import Collection

from annotation.texts.sentences import Sentence, marked
from judging.calls.prompts import BadPrompt, ReadyPrompt, named, variables_in
from judging.items.kinds import ItemKind

END = "\n\n{questions}\n\n{answers}"
EXAMPLES = (
    ("A kettle switches off when steam reaches a metal strip.", "how does a kettle stop", "Yes"),
    ("Our shop sells kettles in four colours.", "how does a kettle stop", "No"),
    ("Bees dance to show where flowers are.", "why do bees dance", "Yes"),
    ("The dance hall opens at eight.", "why do bees dance", "No"),
)
_SHOWN = "\n\n".join(
    f"Passage: {passage}\nQuery: {query}\nAnswer: {answer}" for passage, query, answer in EXAMPLES
)
_SUN = "Say whether this passage has an answer to the query: Yes or No."
DIRECT = (
    ReadyPrompt(
        "sun", "Sun et al.: has an answer", "",
        f"{_SUN}\n\nPassage: {{passage}}\n\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "sun-fewshot", "Sun et al., with examples", "",
        f"{_SUN}\n\n{_SHOWN}\n\nPassage: {{passage}}\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "fag-b", "Faggioli et al. (B): relevant", "",
        "Instruction: state if the passage is relevant to the question. Say Yes or No.\n\n"
        f"Passage: {{passage}}\n\nQuestion: {{query}}{END}",
    ),
    ReadyPrompt(
        "helm", "HELM: answers the query", "",
        "Does the passage below answer the query?\n\n"
        f"Passage: {{passage}}\n\nQuery: {{query}}{END}",
    ),
    ReadyPrompt(
        "thomas", "Thomas et al.: useful to a searcher",
        "You rate search results for a team that checks the quality of web pages.",
        "Somebody typed a query into a search engine. Imagine that they write a report on its "
        "subject. Rate how useful this web page is for the report.\n\nQuery: {query}\n\n"
        "What they look for: {description}\n\nWeb page: {passage}\n\nThink of what they want, then "
        "of how well the content fits it and how much you trust the page, and only then of one "
        f"rating.{END}",
    ),
)  # fmt: skip


# What every prompt may name, beside the places of its items.
COMMON = {
    "query": marked("the search question"),
    "description": marked("the topic's description"),
    "texts": marked("all contents of the item, with headings"),
    "documents": marked("only the documents, with headings"),
    "questions": marked("questions, definitions and possible answers"),
    "answers": marked("the answer format"),
}
# What it may name where people read beside documents how others rated them.
ANNOTATIONS = {"annotations": marked("others' ratings of the documents, with reasons")}


def variables(kinds: Collection[ItemKind], *, annotated: bool = False) -> dict[str, str]:
    """Return the variables that prompts about these kinds may use, with their meanings."""
    places = {
        slot.name: Sentence("the text in this slot ({label})", label=slot.label)
        for kind in kinds
        for slot in kind.slots
        if not slot.repeated
    }
    return places | COMMON | (ANNOTATIONS if annotated else {})


def check(*, system: str, user: str, known: Collection[str]) -> None:
    """Check that both texts can be filled in and show the item. Raises BadPrompt."""
    shown = named(system=system, user=user, known=known)
    if not shown - {"query", "description", "questions", "answers"}:
        raise BadPrompt("missing_variable", Sentence("Add {{texts}} or a slot to the prompt."))


READY = {
    variable.key: variable
    for variable in (
        ReadyPrompt(
            "plain",
            "All questions, answers as JSON",
            "You judge texts carefully and without favour. The order of the texts, their length "
            "and their tone mean nothing by themselves.",
            "Search question: {query}\n\n{texts}\n\nQuestions:\n\n{questions}\n\n{answers}",
        ),
        ReadyPrompt(
            "verdict",
            "One question, first the reasons, then [[A]], [[B]] or [[C]]",
            "You are an impartial judge of answers to search questions. Do not let the order of "
            "the texts or their length sway you.",
            "Search question: {query}\n\n{texts}\n\n{questions}\n\nCompare them in a few "
            "sentences. Then write your verdict alone on the last line, in double brackets: the "
            "letter of one of the answers above, such as [[X]].",
        ),
        *DIRECT,
    )
}


def ready_for(known: Collection[str]) -> list[ReadyPrompt]:
    """Return the ready prompts that show the whole item of a study with these variables."""
    places = {*known} - {*COMMON} - {*ANNOTATIONS}
    used = {key: variables_in(ready.system, ready.user) for key, ready in READY.items()}
    return [
        READY[key]
        for key, names in used.items()
        if names <= {*known} and ("texts" in names or places <= names)
    ]
