"""Passages without a word count, written by a server older than that column. Only reads."""

from django.db.models import QuerySet

from annotation.models import Passage
from annotation.texts.words import count_pieces


def words_uncounted(passages: "QuerySet[Passage]") -> dict[int, int]:
    """Return the word counts of the passages stored without one, by id. It reads their texts."""
    rows = passages.filter(words=0).exclude(text="").order_by()
    return {pk: count_pieces(text) for pk, text in rows.values_list("pk", "text")}
