"""What the rows of a file probably are: by its columns, and by its name."""

import re
from collections.abc import Collection

from annotation.corpora.formats import trec
from annotation.corpora.recognised_columns import ANSWERS, is_bare, plain, proposed
from annotation.corpora.schema import OWN_KEYS, RowKind, UnknownKind, fields_of, recognised

# What files of a kind are often called; the first kind of equals is proposed.
CALLED = {
    RowKind.PASSAGES: ("passage", "segment", "document", "doc", "paragraph", "chunk", "pool"),
    RowKind.RESPONSES: ("response", "answer", "output", "summary", "summaries", "generation"),
    RowKind.RANKINGS: ("ranking", "run", "retrieval", "retrieved"),
    RowKind.TOPICS: ("topic", "query", "queries", "question", "prompt"),
    RowKind.SYSTEMS: ("system", "model"),
}
# Of kinds that others have: what they are here, if nobody asks whose file it is.
PLAIN = {
    RowKind.QUERIES: RowKind.TOPICS,
    RowKind.RAG_TOPICS: RowKind.TOPICS,
    RowKind.DOCUMENTS: RowKind.PASSAGES,
    RowKind.ANSWERS: RowKind.RESPONSES,
}


def kind_of_rows(columns: Collection[str], *, name: str) -> RowKind | None:
    """Return the kind with exactly these columns, else the most probable kind, else None."""
    has = set(columns)
    if is_table_of_answers(columns):
        return RowKind.TABLE
    try:
        kind = recognised(has)
    except UnknownKind:
        return probable(columns, name=name)
    fields = fields_of(kind)
    needed = {field for field, is_needed in fields.items() if is_needed}
    # Many files call something their id: only topics of TREC RAG have nothing else.
    is_other = kind is RowKind.RAG_TOPICS and not has <= set(fields)
    if needed <= has and not is_other:
        return kind
    if probable_kind := probable(columns, name=name):
        return probable_kind
    # What is missing is asked of rows of ours that are read for the most part.
    is_ours = kind in CALLED and 2 * len(proposed(columns, list(fields))) >= len(has)
    return kind if is_ours and not is_other else None


def probable(columns: Collection[str], *, name: str) -> RowKind | None:
    """Return the most probable kind whose required fields may all be present.

    The file's name decides first, then the number of columns that the kind reads.
    """
    words = {word.removesuffix("s") for word in re.split(r"[^a-z]+", name.lower())}
    best: tuple[tuple[bool, bool, int], RowKind] | None = None
    for kind, called in CALLED.items():
        fields = fields_of(kind)
        proposal = proposed(columns, list(fields))
        missing = {field for field, is_needed in fields.items() if is_needed} - set(proposal)
        is_called = not words.isdisjoint(word.removesuffix("s") for word in called)
        may_number = is_called or plain(proposal.get("text", "")) in map(plain, ANSWERS)
        if kind is RowKind.TOPICS and _is_document(proposal, columns):
            continue
        if missing and not (may_number and _lacks_only_its_id(kind, missing, columns)):
            continue
        merit = (is_called, not missing, len(proposal))
        if best is None or merit > best[0]:
            best = merit, kind
    return best[1] if best else None


def _lacks_only_its_id(kind: RowKind, missing: set[str], columns: Collection[str]) -> bool:
    """Return whether rows could be numbered, and have no id of another kind."""
    other_ids = {field for field in OWN_KEYS.values() if field not in (OWN_KEYS.get(kind), "topic")}
    return missing == {OWN_KEYS.get(kind)} and not proposed(columns, sorted(other_ids))


def _is_document(proposal: dict[str, str], columns: Collection[str]) -> bool:
    """Return whether the title that would be the query is that of a text."""
    return plain(proposal.get("query", "")) == "title" and _has_text(columns)


def _has_text(columns: Collection[str]) -> bool:
    return not {"text", "content", "contents", "body"}.isdisjoint(map(plain, columns))


def is_table_of_answers(columns: Collection[str]) -> bool:
    """Return whether rows have a question, its system and an answer, and no passage id."""
    named_columns = [column for column in columns if not is_bare(column)]
    proposal = proposed(named_columns, ("question", "answer", "system", "passage", "topic"))
    ours = fields_of(RowKind.RESPONSES)
    is_ours = set(columns) <= set(ours) and {"response", "topic", "text"} <= set(columns)
    if {"run_id", "topic_id", "references", "answer"} <= set(columns):
        return False  # of TREC RAG: its answer is a list
    if not {"question", "answer"} <= set(proposal) or "passage" in proposal or is_ours:
        return False
    # A text is anything; what is called an answer is one, whoever gave it.
    return "system" in proposal or not _has_text(columns)


def is_header(first: str) -> bool:
    """Return whether the first line of a tab-separated file names columns.

    TREC files have no header: topics have two cells, runs six.
    """
    cells = first.rstrip("\r\n").split("\t")
    if len(cells) < 3:
        return len(cells) == 2 and kind_of_rows(cells, name="") is not None
    return len(cells) != len(trec.RUN) or not trec.WHOLE.fullmatch(cells[3].strip())
