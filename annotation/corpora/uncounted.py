"""Passages whose words nobody counted: a server of before the column wrote them, while this one was
already being put in its place. Only reads."""

from django.db.models import QuerySet

from annotation.models import Passage
from annotation.texts.words import count_pieces


def words_uncounted(passages: "QuerySet[Passage]") -> dict[int, int]:
    """How many words those of the passages have that stand there as without any, by id. It reads
    their texts: ask where there are such."""
    rows = passages.filter(words=0).exclude(text="").order_by()
    return {pk: count_pieces(text) for pk, text in rows.values_list("pk", "text")}
