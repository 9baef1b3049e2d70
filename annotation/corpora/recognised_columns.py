"""Names of our fields in other systems, and the guessed field of each column. Pure.

The headers are those of TREC, BEIR, MS MARCO, RAGAS, LangChain and of tables that people make.
"""

import re
from collections.abc import Collection, Iterable

# Ids that say of what they are one; then those that do not.
TOPIC_IDS = (
    *("topic_id", "qid", "query_id", "question_id", "topic_no", "topic_number", "qno", "qnum"),
    *("question_no", "question_number", "query_no", "query_number"),
)
BARE = ("id", "num", "number")
QUESTIONS = (
    *("query", "prompt", "question_text", "query_text", "user_query", "user_question"),
    *("user_input", "frage", "instruction", "input", "input_question", "inputs_question"),
)
ANSWERS = (
    *("response", "answer_text", "response_text", "output", "generated_answer"),
    *("generated_text", "generation", "completion", "reply", "antwort", "model_answer"),
    *("model_response", "model_output", "output_text", "predicted_answer", "prediction"),
    *("generated_response", "result", "outputs_answer", "output_answer"),
)
OF_PASSAGES = (
    *("passage_text", "document_text", "doc_text", "segment_text", "chunk_text"),
    *("paragraph_text", "page_content", "document", "content", "contents", "body", "snippet"),
    *("passage", "paragraph", "segment", "chunk", "context"),
)
PASSAGE_IDS = (
    *("passage_id", "docid", "doc_id", "docno", "did", "pid", "document_id", "corpus_id"),
    *("paragraph_id", "segment_id", "segid", "chunk_id", "doc"),
)
RESPONSE_IDS = ("response_id", "answer_id", "summary_id", "generation_id", "output_id")
# The first that a file has is proposed.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "question": QUESTIONS,
    "answer": (*ANSWERS, "text"),
    "passages": (
        *("references", "contexts", "retrieved_context", "retrieved_contexts"),
        *("retrieved_passages", "retrieved_chunks"),
        *("retrieved_documents", "source_documents", "sources", "retrieved_docs"),
    ),
    "topic": (*TOPIC_IDS, *BARE),
    "query": ("question", "title", "topic_title", *QUESTIONS, "text"),
    "description": ("desc", "narrative", "narr", "background", "details"),
    "passage": (*PASSAGE_IDS, "id"),
    "text": (*OF_PASSAGES, "answer", *ANSWERS, "summary"),
    "rank": ("position", "pos", "place", "n", "nr"),
    "title": ("headline", "heading", "document_title", "doc_title", "passage_title", "name"),
    "response": (*RESPONSE_IDS, "run_id", "id"),
    "style": ("genre", "format"),
    "origin": ("author_type", "written_by"),
    "system": (
        *("system_id", "engine", "model", "agent", "run", "run_tag", "pipeline", "method"),
        *("engine_name", "model_name", "search_engine", "provider", "llm", "bot", "assistant"),
        *("system_name", "run_name", "model_id", "generator", "run_id"),
    ),
    "score": ("similarity", "relevance", "rsv", "sim", "relevance_score", "retrieval_score"),
    "name": ("system_name", "label", "title", "system"),
}
# A text about a topic may name it by its question; a bare id is then that of the text.
OF_A_TEXT = (*TOPIC_IDS, "question", *QUESTIONS, *BARE)
# A column that is called like an id of ours is often what the id is of: where another column is
# the id, or nothing else can be the content.
OR_CONTENT = {
    ("topic", "query"): TOPIC_IDS,
    ("topic", "question"): TOPIC_IDS,
    ("passage", "text"): PASSAGE_IDS,
    ("response", "text"): RESPONSE_IDS,
}


def plain(column: str) -> str:
    """Return a column name without case and separators: queryId, Query ID, query-id, _id."""
    return re.sub(r"[\W_]+", "", column.casefold())


def is_name(cell: str) -> bool:
    """Return whether a cell of a first line is called like a column that files have."""
    return plain(cell) in _NAMES


def is_bare(column: str) -> bool:
    """Return whether a column is called an id, and not of what."""
    return plain(column) in ("id", "nr", "no", "num", "number")


def is_called_id(column: str) -> bool:
    """Return whether a column is named as an id; the id of a run is that of a system."""
    name = plain(column)
    return name.endswith("id") and name != "runid"


def proposed(theirs: Collection[str], ours: Collection[str]) -> dict[str, str]:
    """Our field -> the column that is probably meant; no column twice."""
    columns = {plain(column): column for column in reversed(list(theirs))}
    proposal = {name: columns[plain(name)] for name in ours if plain(name) in columns}
    words = _words(ours, columns)
    for (field, content), ids in OR_CONTENT.items():
        if field in proposal and content in ours:
            _part(field, content, ids, proposal, columns, words)
    for name in ours:
        _propose(name, words.get(name, ()), proposal, columns)
    return proposal


def _words(ours: Collection[str], columns: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the possible names of these fields in a file with these columns."""
    words = dict(SYNONYMS)
    if {"topic", "text"} <= set(ours):
        words["topic"] = OF_A_TEXT
    if "response" in ours and "passage" not in ours:
        words["text"] = ("answer", *ANSWERS, "summary", *OF_PASSAGES)
    if {"system", "response"} <= set(ours) and not _first(words["system"][:-1], columns):
        # The id of a run is that of a system, unless a column says the system.
        words["response"] = tuple(word for word in words["response"] if word != "run_id")
    if {"system", "name"} <= set(ours) and "name" in columns:
        words["system"] = (*words["system"], "id")
    return words


def _part(
    name: str,
    content: str,
    ids: Iterable[str],
    proposal: dict[str, str],
    columns: dict[str, str],
    words: dict[str, tuple[str, ...]],
) -> None:
    """Take a column for the content that is called like the id, where it is that."""
    other_id = _first(ids, columns)
    content_words = [word for word in (content, *words[content]) if plain(word) != plain(name)]
    if name == "topic" and other_id:
        proposal[name] = columns[other_id]
    if _first(content_words, columns) or (content == "question" and not other_id):
        return  # the content has a column of its own; a topic alone is an id
    column = columns[plain(name)]
    if proposal.get(name) == column:
        del proposal[name]
    proposal[content] = column


def _first(words: Iterable[str], columns: Collection[str]) -> str:
    return next((plain(word) for word in words if plain(word) in columns), "")


def _propose(
    name: str, words: Iterable[str], proposal: dict[str, str], columns: dict[str, str]
) -> None:
    for word in words:
        column = columns.get(plain(word))
        if column and name not in proposal and column not in proposal.values():
            proposal[name] = column


def proposed_for_answers(theirs: Collection[str], repeated: Collection[str]) -> dict[str, str]:
    """Our fields in a table of answers -> their columns.

    The question, the answer and who gave it come first: "response" is mostly the answer. A column
    "id" is the id of the answer, or where its values are `repeated` that of the question.
    """
    proposal = proposed(theirs, ("question", "answer", "system", "passages", "topic"))
    if is_bare(proposal.get("topic", "")):
        del proposal["topic"]
    # Under our names alone: "source" may be anybody.
    ours = {"citationsfrom": "citations_from", "style": "style", "origin": "origin"}
    proposal |= {ours[plain(column)]: column for column in theirs if plain(column) in ours}
    for name, is_again in (("response", False), ("topic", True)):
        left = [
            column
            for column in theirs
            if column not in proposal.values()
            and (not is_bare(column) or (column in repeated) is is_again)
        ]
        proposal |= {} if name in proposal else proposed(left, (name,))
    return proposal


_NAMES = frozenset(plain(name) for ours, theirs in SYNONYMS.items() for name in (ours, *theirs))
