"""The design of a judging study: which items, in which questionnaires. Pure and seeded.

Nothing is written here: a design is looked at first (judging.design.designing writes it).
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from annotation.texts.sentences import Sentence
from judging.design.blocks import blocks
from judging.design.games import games
from judging.design.questionnaires import CannotDesign, PlannedItem, deal, deal_by_topic
from judging.design.segments import citations, coverage, headings, own_headings
from judging.design.texts import Material, Parameters, Text, by_topic, in_view, item_of, texts_for
from judging.items.kinds import Holds, ItemKind, item_kind


@dataclass(frozen=True)
class Design:
    """Items and the questionnaires they are in (indices into `items`)."""

    parameters: Parameters
    topics: tuple[int, ...]
    items: tuple[PlannedItem, ...]
    questionnaires: tuple[tuple[int, ...], ...]
    left_out: tuple[int, ...] = ()

    def words(self) -> np.ndarray:
        """Words to read per questionnaire, shape (questionnaires,)."""
        return np.array(
            [sum(self.items[index].words for index in each) for each in self.questionnaires]
        )


@dataclass(frozen=True)
class Undealt:
    """Items that stand in no questionnaire yet; `rng` is to deal them. `left_out` are topics that
    have texts and no document of the score that was asked for."""

    parameters: Parameters
    topics: tuple[int, ...]
    items: tuple[PlannedItem, ...]
    rng: np.random.Generator
    left_out: tuple[int, ...] = ()

    @property
    def number(self) -> int:
        """How many questionnaires they fill."""
        return -(-len(self.items) // self.parameters.items_per_questionnaire)

    @property
    def words(self) -> int:
        return sum(item.words for item in self.items)


def design(*, material: Material, parameters: Parameters) -> Design:
    """Choose topics, make the items, deal them into questionnaires. Raises CannotDesign.

    The topics are those that have something to judge.
    """
    made = undealt(material=material, parameters=parameters)
    dealt = _dealt(parameters)(items=made.items, number=made.number, rng=made.rng)
    return Design(parameters, made.topics, made.items, dealt, made.left_out)


def undealt(*, material: Material, parameters: Parameters) -> Undealt:
    """The topics and items of a design: all that its figures need, in a twentieth of its time.

    Raises CannotDesign.
    """
    _check(parameters)
    kind = item_kind(parameters.kind)
    rng = np.random.default_rng(parameters.seed)
    every = _topics(kind, material)
    if parameters.documents_scored_at_least is not None:
        material = in_view(material, at_least=parameters.documents_scored_at_least)
    of_topics = _topics(kind, material)
    topics = _sample(sorted(of_topics), parameters.topics, rng)
    sampled, depth = {*topics, None}, parameters.depth
    chosen = {
        holds: [t for t in texts if t.topic in sampled and (depth is None or t.rank <= depth)]
        for holds, texts in material.items()
    }
    items = DESIGNERS[parameters.designer].make(kind, chosen, parameters, rng)
    if not items:
        what = " and ".join(sorted({f"{slot.part or slot.holds}s" for slot in kind.slots}))
        what = what.replace("criterions", "criteria")
        raise CannotDesign(
            Sentence("There is nothing to judge: no topic has enough {what}.", what=what)
        )
    return Undealt(parameters, tuple(topics), tuple(items), rng, tuple(sorted(every - of_topics)))


def _topics(kind: ItemKind, material: Material) -> set[int]:
    """Those with something to judge."""
    return {text.topic for text in texts_for(kind.subject, material) if text.topic is not None}


def questionnaires_of(parts: Sequence[Undealt]) -> int:
    """How many questionnaires `together` would deal these into. Raises CannotDesign as it does."""
    number = max(each.number for each in parts)
    for each in parts:
        _check_room(each, each.number, each.rng)
        if number > each.number:
            _check_enough(each.parameters, len(each.items), number)
            _check_room(each, number, _rng_again(each.parameters, number))
    return number


def _check_room(made: Undealt, number: int, rng: np.random.Generator) -> None:
    """Raise CannotDesign where a pair and its reverse have no room.

    In three questionnaires or more they always have: what cannot be exchanged in any of the others
    would be as many items as stand in this one, and each of the others has as many.
    """
    if number <= 2 or made.parameters.topics_together:
        _dealt(made.parameters)(items=made.items, number=number, rng=rng)


def _dealt(parameters: Parameters) -> Callable[..., tuple[tuple[int, ...], ...]]:
    return deal_by_topic if parameters.topics_together else deal


def together(designs: Sequence[Design]) -> list[Design]:
    """The designs, dealt into as many questionnaires as the one that needs most has.

    The longest part of a questionnaire comes to the shortest of the others. Raises CannotDesign
    where a questionnaire would be left without a part.
    """
    number = max(len(each.questionnaires) for each in designs)
    load = np.zeros(number)
    dealt: list[Design] = []
    for each in designs:
        even = each if len(each.questionnaires) == number else _again(each, number)
        if dealt:
            parts = even.words().argsort(kind="stable")[::-1]
            places = load.argsort(kind="stable")
            order = parts[places.argsort()]
            even = replace(even, questionnaires=tuple(even.questionnaires[i] for i in order))
        load += even.words()
        dealt.append(even)
    return dealt


def _again(design: Design, number: int) -> Design:
    """The same items in another number of questionnaires."""
    _check_enough(design.parameters, len(design.items), number)
    rng = _rng_again(design.parameters, number)
    dealt = _dealt(design.parameters)(items=design.items, number=number, rng=rng)
    return replace(design, questionnaires=dealt)


def _check_enough(parameters: Parameters, items: int, number: int) -> None:
    if items < number:
        raise CannotDesign(
            Sentence(
                "There are {items} items of kind {kind!r}, too few for {number} "
                "questionnaires: give a questionnaire more items, or each instrument its "
                "own study.",
                items=items,
                kind=parameters.kind,
                number=number,
            )
        )


def _rng_again(parameters: Parameters, number: int) -> np.random.Generator:
    return np.random.default_rng([parameters.seed, number])


def _check(parameters: Parameters) -> None:
    """Raises CannotDesign."""
    if parameters.items_per_questionnaire < 1 or parameters.quota < 1:
        raise CannotDesign(
            Sentence("A questionnaire needs at least one item and a quota of at least 1.")
        )
    if not 0 <= parameters.reversed_share <= 1:
        raise CannotDesign(
            Sentence(
                "The reversed share is {reversed_share}, not within 0-1.",
                reversed_share=parameters.reversed_share,
            )
        )
    if parameters.seed < 0:
        raise CannotDesign(
            Sentence("The seed is {seed}, but it cannot be negative.", seed=parameters.seed)
        )
    if parameters.rounds < 1 or (parameters.depth is not None and parameters.depth < 1):
        raise CannotDesign(
            Sentence("A text stands in at least one block, and a depth is at least 1.")
        )
    if parameters.games_per_topic is not None and parameters.games_per_topic < 1:
        raise CannotDesign(Sentence("A topic has at least one game."))
    try:
        kind = item_kind(parameters.kind)
    except LookupError as error:
        raise CannotDesign(str(error)) from error
    if fault := unfit(designer=parameters.designer, kind=kind):
        raise CannotDesign(fault)


def shows_documents(kind: ItemKind) -> bool:
    """Whether documents of the topic stand beside two texts that are compared."""
    return kind.repeats and _compares_two(kind)


def unfit(*, designer: str, kind: ItemKind) -> str:
    """Why this designer cannot make items of this kind; empty if it can."""
    if designer not in DESIGNERS:
        return f"No designer {designer!r}; known: {', '.join(DESIGNERS)}."
    if not DESIGNERS[designer].fits(kind):
        return f"The designer {designer!r} makes no items of kind {kind.name!r}."
    return ""


def _sample(topics: list[int], n: int | None, rng: np.random.Generator) -> list[int]:
    if n is None:
        return topics
    if not 1 <= n <= len(topics):
        raise CannotDesign(
            Sentence("{n} topics were asked for, but there are {topics}.", n=n, topics=len(topics))
        )
    return sorted(rng.choice(topics, size=n, replace=False).tolist())


# -- Item designers --------------------------------------------------------------------------


def all_pairs(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Every unordered pair of a topic's responses, or so many games, and a share of them in reverse
    as well; beside the passages of the topic, where the kind shows them.

    Which of the two stands first is drawn. The reversed ones are drawn within strata of origin
    (which of human and llm) and length (thirds of the pairs), so that the share mirrors them all.
    """
    of_topics = by_topic(texts_for(kind.subject, material))
    documents = _documents_of(kind, material)
    if kind.repeats:
        of_topics = {topic: texts for topic, texts in of_topics.items() if documents.get(topic)}
    pairs = games(of_topics, per_topic=parameters.games_per_topic, rng=rng)
    pairs = [
        pair[::-1] if turn else pair
        for pair, turn in zip(pairs, rng.integers(2, size=len(pairs)), strict=True)
    ]
    strata = _strata(pairs)
    again = _stratified(strata, parameters.reversed_share, rng)
    planned = [(*pair, False) for pair in pairs]
    planned += [(pairs[index][1], pairs[index][0], True) for index in again]
    beside = {topic: item_of(texts, unit=()) for topic, texts in documents.items()}
    return [_game(*each, beside=beside) for each in planned]


def _game(
    first: Text, second: Text, reverse: bool, *, beside: Mapping[int, PlannedItem]
) -> PlannedItem:
    """Two texts, and what stands beside those of their topic: there are tens of thousands."""
    topic = first.topic or 0
    contents: tuple[int, ...] = (first.id, second.id)
    words = first.words + second.words
    if topic in beside:
        contents, words = contents + beside[topic].contents, words + beside[topic].words
    return PlannedItem(contents, topic, words, frozenset(contents[:2]), reverse)


def _documents_of(kind: ItemKind, material: Material) -> dict[int, list[Text]]:
    """What stands beside the pairs of each topic, the best first."""
    slot = kind.repeated
    found = by_topic(texts_for(slot, material)) if slot else {}
    return {topic: sorted(texts, key=lambda t: t.rank) for topic, texts in found.items()}


def _strata(pairs: Sequence[tuple[Text, ...]]) -> list[tuple[str, int]]:
    if not pairs:
        return []
    words = np.array([one.words + other.words for one, other in pairs])
    thirds = np.searchsorted(np.quantile(words, [1 / 3, 2 / 3]), words).tolist()
    return [
        ("-".join(sorted((one.origin, other.origin))), third)
        for (one, other), third in zip(pairs, thirds, strict=True)
    ]


def _stratified(
    strata: Sequence[tuple[str, int]], share: float, rng: np.random.Generator
) -> list[int]:
    """Draw round(share x n) indices, from each stratum its part (largest remainders first)."""
    members: dict[tuple[str, int], list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        members[stratum].append(index)
    exact = {stratum: share * len(each) for stratum, each in sorted(members.items())}
    counts = {stratum: int(wanted) for stratum, wanted in exact.items()}
    missing = round(share * len(strata)) - sum(counts.values())
    by_remainder = sorted(exact, key=lambda stratum: counts[stratum] - exact[stratum])
    for stratum in by_remainder[:missing]:
        counts[stratum] += 1
    return sorted(
        int(index)
        for stratum, count in counts.items()
        for index in rng.choice(members[stratum], size=count, replace=False)
    )


def pool(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Every text by itself."""
    return [item_of((text,), unit=text.id) for text in texts_for(kind.subject, material)]


def cross(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Everything that can be judged, with everything of its topic that its context can be."""
    items = []
    for subject in texts_for(kind.subject, material):
        of_slots = [
            [subject]
            if slot == kind.subject
            else [t for t in texts_for(slot, material) if t.topic in (subject.topic, None)]
            for slot in kind.slots
        ]
        items += [
            item_of(texts, unit=tuple(text.id for text in texts), topic=subject.topic)
            for texts in product(*of_slots)
        ]
    return items


Make = Callable[[ItemKind, Material, Parameters, np.random.Generator], list[PlannedItem]]


@dataclass(frozen=True)
class Designer:
    """`make` makes the items, of the kinds that it `fits`."""

    make: Make
    fits: Callable[[ItemKind], bool]


def _is_alike(kind: ItemKind) -> bool:
    """All slots change places and hold the same."""
    return all(slot.drawn for slot in kind.slots) and len({s.holds for s in kind.slots}) == 1


def _compares_two(kind: ItemKind) -> bool:
    """Two that change places, alone or with documents in view."""
    beside = [slot for slot in kind.slots if not slot.drawn]
    drawn = [slot for slot in kind.slots if slot.drawn]
    in_view = all(s.repeated and not s.judged and s.holds == Holds.PASSAGE for s in beside)
    return len(drawn) == 2 and drawn[0].holds == drawn[1].holds and in_view


def _holds(*holds: Holds) -> Callable[[ItemKind], bool]:
    return lambda kind: tuple(slot.holds for slot in kind.slots) == holds


DESIGNERS = {
    "all_pairs": Designer(all_pairs, _compares_two),
    "pool": Designer(pool, lambda kind: len(kind.slots) == 1),
    "blocks": Designer(blocks, lambda kind: len(kind.slots) > 2 and _is_alike(kind)),
    "cross": Designer(cross, lambda kind: len(kind.slots) > 1 and not kind.repeats),
    "citations": Designer(
        citations, lambda kind: kind.repeats and _holds(Holds.SEGMENT, Holds.PASSAGE)(kind)
    ),
    "headings": Designer(headings, _holds(Holds.SEGMENT, Holds.SEGMENT)),
    "own_headings": Designer(own_headings, _holds(Holds.SEGMENT, Holds.SEGMENT)),
    "coverage": Designer(coverage, _holds(Holds.SEGMENT, Holds.RESPONSE)),
}
