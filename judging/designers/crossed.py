"""Items of a single text, or of a text with every context of its topic. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from operator import mul

import numpy as np

from judging.designers.pairs import documents_of
from judging.designers.planned_items import Figures, ListedItems, PlannedItems
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import (
    TOPIC,
    WORDS,
    DesignParameters,
    DesignText,
    Material,
    by_topic,
    item_of,
    texts_for,
)
from judging.items.kinds import ItemKind

Context = tuple[Sequence[DesignText], ...]  # of each slot but the subject's what can stand there


@dataclass(frozen=True, eq=False)
class Crossed:
    """Tens of thousands of items; their figures take as long as the number of topics.

    `contexts` are those of each topic; `unit` makes that of an item from its texts.
    """

    kind: ItemKind
    subjects: Sequence[DesignText]
    contexts: Mapping[int | None, Context]
    unit: Callable[[Sequence[DesignText]], int | tuple[int, ...]]

    @cached_property
    def _of_topics(self) -> Mapping[int | None, int]:
        """Number of items of a subject of each topic."""
        return {topic: prod(map(len, context)) for topic, context in self.contexts.items()}

    @cached_property
    def _subjects_of(self) -> Mapping[int | None, int]:
        return Counter(map(TOPIC, self.subjects))

    @cached_property
    def _size(self) -> int:
        return sum(n * self._of_topics[topic] for topic, n in self._subjects_of.items())

    def __len__(self) -> int:
        return self._size

    @cached_property
    def figures(self) -> Figures:
        times = map(self._of_topics.__getitem__, map(TOPIC, self.subjects))
        words = sum(map(mul, map(WORDS, self.subjects), times))
        for topic, n in self._subjects_of.items():
            for texts in self.contexts[topic]:
                words_of_texts = sum(map(WORDS, texts))
                words += n * words_of_texts * self._of_topics[topic] // max(len(texts), 1)
        return Figures(words=words, again=0, sizes={len(self.kind.slots): len(self)})

    @cached_property
    def items(self) -> tuple[PlannedItem, ...]:
        at = self.kind.slots.index(self.kind.subject)
        items = []
        for subject in self.subjects:
            context = self.contexts[subject.topic]
            for texts in product(*context[:at], [subject], *context[at:]):
                items.append(item_of(texts, unit=self.unit(texts), topic=subject.topic))
        return tuple(items)


@dataclass(frozen=True, eq=False)
class Accompanied:
    """Texts of topics, each with what accompanies all texts of its topic (`beside`)."""

    subjects: Sequence[DesignText]
    beside: Mapping[int | None, PlannedItem]

    def __len__(self) -> int:
        return len(self.subjects)

    @cached_property
    def figures(self) -> Figures:
        words = sum(map(WORDS, self.subjects))
        sizes: Counter[int | tuple[str, ...]] = Counter()
        for topic, n in Counter(map(TOPIC, self.subjects)).items():
            together = self.beside[topic]
            words += n * together.words
            sizes[1 + len(together.contents)] += n
        return Figures(words=words, again=0, sizes=sizes)

    @cached_property
    def items(self) -> tuple[PlannedItem, ...]:
        return tuple(_with(text, self.beside[text.topic]) for text in self.subjects)


@dataclass(frozen=True, eq=False)
class UnknownCells(Crossed):
    """Design of items for texts and criteria without a grade."""

    def __len__(self) -> int:
        return len(self.items)

    @property
    def figures(self) -> Figures:
        words = sum(item.words for item in self.items)
        return Figures(words=words, again=0, sizes={len(self.kind.slots): len(self)})

    @cached_property
    def items(self) -> tuple[PlannedItem, ...]:
        known = {
            text.id: text.known
            for context in self.contexts.values()
            for texts in context
            for text in texts
        }
        at = self.kind.slots.index(self.kind.subject)
        every = Crossed(self.kind, self.subjects, self.contexts, self.unit).items
        return tuple(
            item
            for item in every
            if not any(
                item.contents[at] in known[pk]
                for position, pk in enumerate(item.contents)
                if position != at
            )
        )


def entries(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> PlannedItems:
    """Return each text with all criteria of its topic, or those that nobody graded it on yet."""
    criteria = texts_for(kind.slots[-1], material)
    subjects = texts_for(kind.subject, material)
    of_topics = {
        topic: [c for c in criteria if c.topic in (topic, None)]
        for topic in set(map(TOPIC, subjects))
    }
    if parameters.cells != "unknown":
        beside = {topic: item_of(some, unit=()) for topic, some in of_topics.items() if some}
        return Accompanied([text for text in subjects if text.topic in beside], beside)
    items = []
    for text in subjects:
        if still := [c for c in of_topics[text.topic] if text.id not in c.known]:
            items.append(item_of([text, *still], unit=text.id))
    return ListedItems(tuple(items))


def _with(text: DesignText, together: PlannedItem) -> PlannedItem:
    """Return an item of a text and of what accompanies all texts of its topic."""
    contents = (text.id, *together.contents)
    return PlannedItem(contents, text.topic or 0, text.words + together.words, text.id)


def pool(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> PlannedItems:
    """Return every text by itself, or with the documents of its topic if the kind shows them."""
    subjects = texts_for(kind.subject, material)
    if kind.repeats:
        documents = documents_of(kind, material)
        beside: dict[int | None, PlannedItem] = {
            topic: item_of(some, unit=()) for topic, some in documents.items()
        }
        of_topics = by_topic(subjects).items()
        shown = [text for topic, texts in of_topics if topic in beside for text in texts]
        return Accompanied(shown, beside)
    alone: dict[int | None, Context] = dict.fromkeys(map(TOPIC, subjects), ())
    return Crossed(kind, subjects, alone, lambda texts: texts[0].id)


def cross(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> Crossed:
    """Return everything that can be judged, with every context of its topic."""
    subjects = texts_for(kind.subject, material)
    beside = [texts_for(slot, material) for slot in kind.slots if slot != kind.subject]
    topics = set(map(TOPIC, subjects))
    contexts: dict[int | None, Context]
    if all(text.topic is None for texts in beside for text in texts):
        contexts = dict.fromkeys(topics, tuple(beside))
    else:
        contexts = {
            topic: tuple([t for t in texts if t.topic in (topic, None)] for texts in beside)
            for topic in topics
        }
    made = UnknownCells if parameters.cells == "unknown" else Crossed
    return made(kind, subjects, contexts, lambda texts: tuple(text.id for text in texts))
