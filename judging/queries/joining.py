"""Passages joined for one call: those of a topic in the order of ranks, up to a size in tokens.

Longer texts give queries whose answers need several passages (RAGElo: about 2,000 tokens).
"""

from collections.abc import Collection, Mapping, Sequence

from annotation.models import Passage

SIGNS = 4  # characters of English that a token has, about
MOST_TOKENS = 100_000


def packed(sizes: Sequence[tuple[int, int]], limit: int) -> list[list[int]]:
    """Return groups of neighbours from (id, size), each of one or at most `limit` in all."""
    groups: list[list[int]] = []
    room = 0
    for pk, size in sizes:
        if groups and size <= room:
            groups[-1].append(pk)
        else:
            groups.append([pk])
            room = limit
        room -= size
    return groups


def groups_of(topics: Collection[int], tokens: int) -> Mapping[int, Sequence[int]]:
    """Return the passages of each group in these topics by the first of them."""
    sizes: dict[int, list[tuple[int, int]]] = {}
    rows = Passage.objects.filter(topic__in=topics).order_by("topic", "rank", "pk")
    for pk, topic, title, text in rows.values_list("pk", "topic", "title", "text").iterator():
        size = -(-(len(title) + len(text)) // SIGNS)
        sizes.setdefault(topic, []).append((pk, size))
    groups = (group for of_topic in sizes.values() for group in packed(of_topic, tokens))
    return {group[0]: group for group in groups}


def joined_with(passage: Passage, tokens: int | None) -> list[Passage]:
    """Return the passages of the group that begins with this one; itself without `tokens`."""
    if tokens is None:
        return [passage]
    pks = groups_of([passage.topic_id], tokens).get(passage.pk, [passage.pk])
    rows = Passage.objects.in_bulk(pks)
    return [rows[pk] for pk in pks]


def text_of(passages: Sequence[Passage]) -> str:
    """Return titles and texts as a prompt shows them."""
    return "\n\n".join(
        part for passage in passages for part in (passage.title, passage.text) if part
    )
