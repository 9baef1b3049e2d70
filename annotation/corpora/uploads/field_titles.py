"""Titles of our fields, as a page and its sentences call them."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from annotation.corpora.schema import RowKind

TITLES: "dict[str, str | Promise]" = {
    "topic": gettext_lazy("Topic ID"),
    "passage": gettext_lazy("Passage ID"),
    "response": gettext_lazy("Answer ID"),
    "query": gettext_lazy("Question"),
    "question": gettext_lazy("Question"),
    "answer": gettext_lazy("Answer"),
    "system": gettext_lazy("System"),
    "passages": gettext_lazy("Passages"),
    "citations_from": gettext_lazy("First citation"),
    "ranks_from": gettext_lazy("First rank"),
    "style": gettext_lazy("Style"),
    "origin": gettext_lazy("Author type"),
    "rank": gettext_lazy("Rank"),
    "score": gettext_lazy("Score"),
    "title": gettext_lazy("Title"),
    "description": gettext_lazy("Description"),
    "name": gettext_lazy("System name"),
    "marks": gettext_lazy("Citation marks"),
    "messages": gettext_lazy("Conversation"),
}
OF_KIND: "dict[tuple[str, str], str | Promise]" = {
    (RowKind.RESPONSES, "text"): gettext_lazy("Answer"),
    (RowKind.PASSAGES, "text"): gettext_lazy("Passage"),
    (RowKind.PASSAGE_TABLE, "text"): gettext_lazy("Passage"),
    (RowKind.SYSTEMS, "system"): gettext_lazy("System ID"),
}


def title_of(kind: str, field: str) -> str:
    """Return what a page calls a field of a kind of rows."""
    return str(OF_KIND.get((kind, field)) or TITLES.get(field) or field)
