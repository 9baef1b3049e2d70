"""Items on the parts of a text: with citations, under a heading, beside others. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import (
    DesignParameters,
    DesignText,
    Material,
    by_topic,
    item_of,
    texts_for,
)
from judging.items.kinds import Holds, ItemKind


def citations(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each part with the passages that it cites.

    A part without citations is left out, unless the kind shows it alone.
    """
    documents = kind.slots[-1]
    passages = {text.id: text for text in texts_for(documents, material)}
    items = []
    for text in texts_for(kind.subject, material):
        cited = [passages[pk] for pk in text.cited if pk in passages]
        if cited or documents.optional:
            items.append(item_of([text, *cited], unit=text.id))
    return items


def overviews(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each overview with the summary whose sections are shown, and the passages it cites."""
    responses = {text.id: text for text in material.get(Holds.RESPONSE, ())}
    passages = {text.id: text for text in texts_for(kind.slots[-1], material)}
    words: dict[int, int] = defaultdict(int)
    for part in material.get(Holds.SEGMENT, ()):
        if part.part == "section":
            words[part.response] += part.words
    items = []
    for overview in texts_for(kind.subject, material):
        if overview.response in responses:
            shown = responses[overview.response]._replace(words=words[overview.response])
            cited = [passages[pk] for pk in overview.cited if pk in passages]
            items.append(item_of([overview, shown, *cited], unit=overview.id))
    return items


def headings(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each statement with its heading; one without is left out."""
    by_place = {}
    for heading in texts_for(kind.slots[0], material):
        by_place[heading.id] = heading
        if heading.under:
            by_place.setdefault(heading.under, heading)  # of the section
    return [
        item_of([by_place[statement.under], statement], unit=statement.id)
        for statement in texts_for(kind.subject, material)
        if statement.under in by_place
    ]


def own_headings(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each heading with its section; one without words is left out."""
    sections = {section.id: section for section in texts_for(kind.slots[-1], material)}
    return [
        item_of([heading, sections[heading.under]], unit=heading.id)
        for heading in texts_for(kind.subject, material)
        if heading.under in sections and heading.words
    ]


def coverage(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each section beside every other summary of its topic, for comprehensiveness.

    Of K sections, I of them in a summary itself, that summary needs K - I answers. A text without
    sections needs none.
    """
    sections = by_topic(texts_for(kind.slots[0], material))
    structured = {
        section.response for topic_sections in sections.values() for section in topic_sections
    }
    return [
        item_of([section, summary], unit=(section.id, summary.id))
        for summary in texts_for(kind.subject, material)
        if summary.id in structured
        for section in sections[summary.topic or 0]
        if section.response != summary.id
    ]


def summary_pairs(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Return each pair of a topic's summaries with all their parts and the documents they cite.

    The first of a pair is drawn. Documents are in the order of the topic's passages.
    """
    parts: dict[int, list[DesignText]] = defaultdict(list)
    for part in material.get(Holds.SEGMENT, ()):
        parts[part.response].append(part)
    cited = {pk for part in material.get(Holds.SEGMENT, ()) for pk in part.cited}
    passages = [text for text in texts_for(kind.slots[-1], material) if text.id in cited]
    passages.sort(key=lambda text: (text.rank, text.id))
    summaries = [
        text
        for text in texts_for(kind.slots[0], material)
        if any(part.part == "overview" for part in parts[text.id])
    ]
    items = []
    for of_topic in by_topic(summaries).values():
        for pair in combinations(of_topic, 2):
            sides = pair if rng.random() < 0.5 else pair[::-1]
            slots = pair_slots(sides, parts=parts, passages=passages)
            read = [text for name, text in slots if name in "ab" or name.startswith("d")]
            item = item_of([text for _, text in slots], unit=frozenset(t.id for t in sides))
            items.append(
                item._replace(
                    names=tuple(name for name, _ in slots), words=sum(t.words for t in read)
                )
            )
    return items


def pair_slots(
    sides: Sequence[DesignText],
    *,
    parts: Mapping[int, Sequence[DesignText]],
    passages: Sequence[DesignText],
) -> list[tuple[str, DesignText]]:
    """Return names and contents of two summaries with all their parts and cited documents.

    `parts` are those of each summary, in order of lines; documents keep the order of `passages`.
    """
    both = [part for side in sides for part in parts[side.id]]
    cited = {pk for part in both for pk in part.cited}
    return [
        *zip("ab", sides, strict=True),
        *_numbered("o", [part for part in both if part.part == "overview"]),
        *_numbered("h", [part for part in both if part.part == "heading" and part.words]),
        *_numbered("s", [p for p in both if p.part == "statement" and p.cited]),
        *_numbered("u", [p for p in both if p.part == "statement" and not p.cited]),
        *_numbered("c", [part for part in both if part.part == "section"]),
        *_numbered("d", [text for text in passages if text.id in cited]),
    ]


def _numbered(name: str, texts: list[DesignText]) -> list[tuple[str, DesignText]]:
    return [(f"{name}{number}", text) for number, text in enumerate(texts, start=1)]
