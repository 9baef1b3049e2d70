"""Texts and parameters of a design. Pure: no Django."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from judging.designers.questionnaires import PlannedItem
from judging.items.kinds import Holds, Slot


class DesignText(NamedTuple):  # there are tens of thousands
    """A possible content of a slot. `id` is any identifier, `words` its length.

    `rank` is that of a passage, `score` its score in another study; `topic` is None for a
    criterion on items of all topics. A segment is a `part` (statement, ...) of a `response`, lies
    `under` another segment if not 0, and cites passages. `known` are the texts that need no
    further grade on a criterion.
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
    score: int | None = None
    known: frozenset[int] = frozenset()
    is_empty: bool = False  # the system gave no answer


Material = Mapping[Holds, Sequence[DesignText]]
# With map(): there are tens of thousands of texts, and as many designs as methods.
ID, TOPIC, WORDS = attrgetter("id"), attrgetter("topic"), attrgetter("words")
ORIGIN, RANK = attrgetter("origin"), attrgetter("rank")


@dataclass(frozen=True)
class DesignParameters:
    """The wishes for a design.

    `topics=None` takes all topics, `depth=None` all passages of a topic, else the best ones;
    `rounds` is the number of blocks of each text. With `topics_together` a questionnaire has all
    items of a topic, or a part of them. `games_per_topic=None` takes every pair of a topic.
    With `cells` "unknown" the known texts of a criterion are left out.
    `systems` are the keys of the systems with texts (`annotation.corpora.systems`),
    `chosen_topics` those of the topics, all if None.

    `documents_scored_at_least=None` puts all passages in view of a pair, else those with this
    score by another study (`in`), on a question (`on`; empty: the one about passages) and by its
    raters (`by`).
    """

    seed: int
    kind: str = "pair"
    designer: str = "all_pairs"
    topics: int | None = None
    systems: tuple[str, ...] | None = None
    chosen_topics: tuple[str, ...] | None = None
    depth: int | None = None
    cells: str = "all"
    rounds: int = 1
    reversed_share: float = 0.0
    topics_together: bool = False
    games_per_topic: int | None = None
    documents_scored_at_least: int | None = None
    documents_scored_in: str = ""
    documents_scored_on: str = ""
    documents_scored_by: str = "people"
    documents_annotations: str = "hidden"
    empty_answers: str = "shown"  # or they lose their pairs unseen: judging.designers.decided
    items_per_questionnaire: int = 15
    quota: int = 5


def texts_for(slot: Slot, material: Material) -> list[DesignText]:
    """Return the possible contents of a slot."""
    texts = material.get(slot.holds, ())
    return [t for t in texts if t.part == slot.part] if slot.part else list(texts)


def in_view(material: Material, *, at_least: int) -> dict[Holds, list[DesignText]]:
    """Return the passages of at least this score, ranked again, and all else of their topics."""
    passages = material.get(Holds.PASSAGE, ())
    reached = [t for t in passages if t.score is not None and t.score >= at_least]
    ranked = {
        text.id: rank
        for texts in by_topic(reached).values()
        for rank, text in enumerate(sorted(texts, key=RANK), start=1)
    }
    topics = {text.topic for text in reached} | {None}
    visible = {holds: [t for t in texts if t.topic in topics] for holds, texts in material.items()}
    return visible | {Holds.PASSAGE: [t._replace(rank=ranked[t.id]) for t in reached]}


def by_topic(texts: Sequence[DesignText]) -> dict[int, list[DesignText]]:
    """Return the texts by topic, in the order of the topics."""
    texts_by_topic: dict[int, list[DesignText]] = defaultdict(list)
    for text in texts:
        if (topic := text.topic) is not None:
            texts_by_topic[topic].append(text)
    return dict(sorted(texts_by_topic.items()))


def item_of(
    texts: Sequence[DesignText], *, unit: Hashable, reverse: bool = False, topic: int | None = None
) -> PlannedItem:
    """Return an item on the topic of its first text, unless another one is given."""
    topic = topic or texts[0].topic or 0
    return PlannedItem(tuple(map(ID, texts)), topic, sum(map(WORDS, texts)), unit, reverse)
