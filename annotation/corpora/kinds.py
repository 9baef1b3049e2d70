"""What the rows of a file probably are: by its columns, and by its name. Pure."""

import re
from collections.abc import Collection

from annotation.corpora.mapping import proposed
from annotation.corpora.schema import Kind, UnknownKind, fields_of, recognised

# What files of a kind are often called; the first kind of equals is proposed.
CALLED = {
    Kind.PASSAGES: ("passage", "segment", "document", "doc", "paragraph", "chunk", "pool"),
    Kind.RESPONSES: ("response", "answer", "output", "summary", "summaries", "generation"),
    Kind.RANKINGS: ("ranking", "run", "retrieval", "retrieved"),
    Kind.TOPICS: ("topic", "query", "queries", "question", "prompt"),
    Kind.SYSTEMS: ("system", "model"),
}


def kind_of_rows(columns: Collection[str], *, name: str) -> Kind | None:
    """The kind whose fields the columns are; else the one they most probably are; None if none."""
    has = set(columns)
    try:
        kind = recognised(has)
    except UnknownKind:
        return probable(columns, name=name)
    fields = fields_of(kind)
    needed = {field for field, is_needed in fields.items() if is_needed}
    # Many files call something their id: only topics of TREC RAG have nothing else.
    is_other = kind is Kind.RAG_TOPICS and not has <= set(fields)
    if needed <= has and not is_other:
        return kind
    return probable(columns, name=name) or (None if is_other else kind)


def probable(columns: Collection[str], *, name: str) -> Kind | None:
    """Of the kinds whose needed fields could all be there: the one that the file is called after,
    else the one that reads most of the columns."""
    words = {word.removesuffix("s") for word in re.split(r"[^a-z]+", name.lower())}
    best: tuple[tuple[bool, int], Kind] | None = None
    for kind, called in CALLED.items():
        fields = fields_of(kind)
        found = proposed(columns, list(fields))
        if any(is_needed and field not in found for field, is_needed in fields.items()):
            continue
        is_called = not words.isdisjoint(word.removesuffix("s") for word in called)
        if best is None or (is_called, len(found)) > best[0]:
            best = (is_called, len(found)), kind
    return best[1] if best else None
