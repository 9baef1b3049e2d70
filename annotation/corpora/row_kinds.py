"""The kinds of rows of a corpus file. Pure."""

from enum import StrEnum


class RowKind(StrEnum):
    """Kind of the rows of a file, in the order in which they build on each other."""

    TOPICS = "topics"
    QUERIES = "queries"
    RAG_TOPICS = "rag_topics"
    RETRIEVAL = "retrieval"
    ANSWERED_TOPICS = "answered_topics"
    PASSAGES = "passages"
    DOCUMENTS = "documents"
    SYSTEMS = "systems"
    RANKINGS = "rankings"
    TABLE = "table"
    PASSAGE_TABLE = "passage_table"
    RESPONSES = "responses"
    ANSWERS = "answers"
    RAG_ANSWERS = "rag_answers"
    SUMMARIES = "summaries"
