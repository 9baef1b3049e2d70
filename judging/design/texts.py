"""What a design is made of: the texts that there are, and the figures that it was asked for.

Pure: no Django.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from judging.design.questionnaires import PlannedItem
from judging.items.kinds import Holds, Slot


@dataclass(frozen=True)
class Text:
    """What can stand in a slot, as the design sees it. `id` is any identifier, `words` its length.

    `rank` is that of a passage; `topic` is None for a criterion that items of all topics show. A
    segment is a `part` (statement, ...) of a `response`, stands `under` another segment if not 0,
    and cites passages.
    """

    id: int
    topic: int | None
    words: int
    origin: str = ""
    style: str = ""
    system: int = 0
    rank: int = 0
    part: str = ""
    response: int = 0
    under: int = 0
    cited: tuple[int, ...] = ()


Material = Mapping[Holds, Sequence[Text]]


@dataclass(frozen=True)
class Parameters:
    """What a design was asked for. `topics=None` takes all of them, `depth=None` all passages of a
    topic, else the best so many; `rounds` is in how many blocks each text stands. With
    `topics_together` a questionnaire has all items of a topic, or a part of them.
    `games_per_topic=None` takes every pair of a topic."""

    seed: int
    kind: str = "pair"
    designer: str = "all_pairs"
    topics: int | None = None
    depth: int | None = None
    rounds: int = 1
    reversed_share: float = 0.0
    topics_together: bool = False
    games_per_topic: int | None = None
    items_per_questionnaire: int = 15
    quota: int = 5


def texts_for(slot: Slot, material: Material) -> list[Text]:
    """What can stand in a slot."""
    return [t for t in material.get(slot.holds, ()) if not slot.part or t.part == slot.part]


def by_topic(texts: Sequence[Text]) -> dict[int, list[Text]]:
    """In the order of the topics."""
    found: dict[int, list[Text]] = defaultdict(list)
    for text in sorted((t for t in texts if t.topic is not None), key=lambda t: t.topic or 0):
        found[text.topic or 0].append(text)
    return found


def item_of(
    texts: Sequence[Text], *, unit: Hashable, reverse: bool = False, topic: int | None = None
) -> PlannedItem:
    """About the topic of the first text, if not of another one."""
    words = sum(text.words for text in texts)
    topic = topic or texts[0].topic or 0
    return PlannedItem(tuple(text.id for text in texts), topic, words, unit, reverse)
