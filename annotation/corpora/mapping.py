"""Rows with columns of other names as rows of ours. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

# What others call our fields; the first that a file has is proposed.
SYNONYMS = {
    "question": (
        *("query", "prompt", "question_text", "query_text", "user_query", "user_question"),
        *("frage", "input"),
    ),
    "answer": (
        *("response", "answer_text", "response_text", "output", "generated_answer"),
        *("generated_text", "generation", "completion", "reply", "antwort", "text"),
    ),
    "passages": ("references", "contexts", "sources"),
    "topic": ("topic_id", "qid", "query_id", "question_id", "topicid", "queryid", "id", "number"),
    "query": ("question", "title", "topic_title", "query_text", "prompt", "text"),
    "description": ("desc", "narrative", "background", "details"),
    "passage": (
        *("passage_id", "docid", "doc_id", "did", "pid", "document_id", "paragraph_id", "doc"),
        "id",
    ),
    "text": (
        *("passage_text", "response_text", "document", "content", "contents", "body", "snippet"),
        "passage",
        *("answer", "response", "output", "summary", "generated_text"),
    ),
    "rank": ("position", "pos", "place", "n", "nr"),
    "title": ("headline", "heading", "name"),
    "response": ("response_id", "answer_id", "summary_id", "run_id", "id"),
    "style": ("genre", "format"),
    "origin": ("source", "author_type", "written_by"),
    "system": (
        *("system_id", "engine", "model", "agent", "run", "runtag", "pipeline", "method"),
        *("engine_name", "model_name", "search_engine", "provider", "llm", "bot", "assistant"),
        "run_id",
    ),
    "score": ("similarity", "relevance", "rsv"),
    "name": ("system_name", "label", "title", "system"),
}


@dataclass(frozen=True)
class Columns:
    """Which of their columns is which of our fields, and what all rows have in common."""

    ours: Mapping[str, str] = field(default_factory=dict)  # our field -> their column
    fixed: Mapping[str, str] = field(default_factory=dict)  # our field -> the value of all rows
    numbered: Collection[str] = ()  # our fields of which the rows have none: ids
    # Of objects, which need not have the same fields: those that were seen when this was said, and
    # our ids that Crowdwright gives to rows.
    seen: Collection[str] = ()
    given: Collection[str] = ()

    def row(self, theirs: Mapping[str, Any]) -> dict[str, Any]:
        """A row with our fields; a key that they write as a number is a text here."""
        found = {name: theirs[column] for name, column in self.ours.items() if column in theirs}
        found |= self.all_rows
        return {name: _as_text(name, value) for name, value in found.items()}

    @property
    def all_rows(self) -> dict[str, str]:
        """What every row has: values in common, and a stopgap for an id that it will get."""
        return {**self.fixed, **dict.fromkeys(self.numbered, "-")}

    def late_ids(self, theirs: Mapping[str, Any]) -> dict[str, bool]:
        """The fields that may hold an id of a row that would get one, and whether they are called
        an id: no row before had them, so that nobody was asked what they are."""
        if not self.seen or not (late := theirs.keys() - set(self.seen)):
            return {}
        held = sorted(name for name in late if theirs[name] not in (None, ""))
        return {
            name: _plain(name) in self.given or _is_called_id(name)
            for name in held
            if any(proposed((name,), (ours,)) for ours in self.given)
        }

    def header(self, theirs: list[str]) -> list[str]:
        """The header of a table with our names; a column that is left out has none."""
        names = {column: name for name, column in self.ours.items()}
        return [names.get(column, "") for column in theirs]


def _as_text(name: str, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number and name not in ("rank", "score") else value


BARE = ("id", "number")  # of anything
# A text about a topic may name it by its question; a bare id is then that of the text.
OF_A_TEXT = (
    *(other for other in SYNONYMS["topic"] if other not in BARE),
    *("question", *SYNONYMS["question"], *BARE),
)


def _is_called_id(column: str) -> bool:
    """A “number” or a “doc” may be anything, and the id of a run is that of a system."""
    plain = _plain(column)
    return plain.endswith("id") and plain != "run_id"


def _plain(column: str) -> str:
    return column.strip().casefold().replace(" ", "_").replace("-", "_")


def proposed(theirs: Collection[str], ours: Collection[str]) -> dict[str, str]:
    """Our field -> the column that is probably meant; no column twice."""
    synonyms = SYNONYMS | ({"topic": OF_A_TEXT} if {"topic", "text"} <= set(ours) else {})
    plain = {_plain(column): column for column in theirs}
    found = {name: plain[name] for name in ours if name in plain}
    for name in ours:
        for other in synonyms.get(name, ()):
            if name not in found and other in plain and plain[other] not in found.values():
                found[name] = plain[other]
    return found


def proposed_for_answers(theirs: Collection[str], repeated: Collection[str]) -> dict[str, str]:
    """Our fields in a table of answers -> their columns.

    The question, the answer and who gave it come first: "response" is mostly the answer. A column
    "id" is the id of the answer, or where its values are `repeated` that of the question.
    """
    found = proposed(theirs, ("question", "answer", "system", "passages"))
    ours = ("citations_from", "style", "origin")  # under our names alone: "source" may be anybody
    found |= {name: name for name in ours if name in theirs}
    for name, is_again in (("response", False), ("topic", True)):
        left = [
            column
            for column in theirs
            if column not in found.values()
            and (not is_bare(column) or (column in repeated) is is_again)
        ]
        found |= proposed(left, (name,))
    return found


def is_bare(column: str) -> bool:
    """Whether a column is called an id, and not of what."""
    return column.strip().casefold() in ("id", "nr", "no", "number")
