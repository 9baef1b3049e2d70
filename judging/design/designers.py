"""The design of a judging study: which items, in which questionnaires. Pure and seeded.

Nothing is written here: a design is looked at first (judging.design.designing writes it).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product

import numpy as np

from judging.design.questionnaires import CannotDesign, PlannedItem, deal
from judging.items.kinds import Holds, ItemKind, item_kind


@dataclass(frozen=True)
class Text:
    """What can stand in a slot, as the design sees it. `id` is any identifier, `words` its length.

    `rank` is that of a passage; `topic` is None for a criterion that items of all topics show.
    """

    id: int
    topic: int | None
    words: int
    origin: str = ""
    style: str = ""
    rank: int = 0


Material = Mapping[Holds, Sequence[Text]]


@dataclass(frozen=True)
class Parameters:
    """What a design was asked for. `topics=None` takes all of them, `depth=None` all passages of a
    topic, else the best so many; `rounds` is in how many blocks each text stands."""

    seed: int
    kind: str = "pair"
    designer: str = "all_pairs"
    topics: int | None = None
    depth: int | None = None
    rounds: int = 1
    reversed_share: float = 0.0
    items_per_questionnaire: int = 15
    quota: int = 5


@dataclass(frozen=True)
class Design:
    """Items and the questionnaires they are in (indices into `items`)."""

    parameters: Parameters
    topics: tuple[int, ...]
    items: tuple[PlannedItem, ...]
    questionnaires: tuple[tuple[int, ...], ...]

    def words(self) -> np.ndarray:
        """Words to read per questionnaire, shape (questionnaires,)."""
        return np.array(
            [sum(self.items[index].words for index in each) for each in self.questionnaires]
        )


def design(*, material: Material, parameters: Parameters) -> Design:
    """Choose topics, make the items, deal them into questionnaires. Raises CannotDesign.

    The topics are those that have something to judge.
    """
    _check(parameters)
    kind = item_kind(parameters.kind)
    rng = np.random.default_rng(parameters.seed)
    subjects = material.get(kind.subject.holds, ())
    of_topics = {text.topic for text in subjects if text.topic is not None}
    topics = _sample(sorted(of_topics), parameters.topics, rng)
    sampled, depth = {*topics, None}, parameters.depth
    chosen = {
        holds: [t for t in texts if t.topic in sampled and (depth is None or t.rank <= depth)]
        for holds, texts in material.items()
    }
    items = DESIGNERS[parameters.designer].make(kind, chosen, parameters, rng)
    if not items:
        what = " and ".join(sorted({f"{slot.holds}s" for slot in kind.slots}))
        what = what.replace("criterions", "criteria")
        raise CannotDesign(f"There is nothing to judge: no topic has enough {what}.")
    number = -(-len(items) // parameters.items_per_questionnaire)
    questionnaires = deal(items=items, number=number, rng=rng)
    return Design(parameters, tuple(topics), tuple(items), questionnaires)


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
    kind = design.parameters.kind
    if len(design.items) < number:
        raise CannotDesign(
            f"There are {len(design.items)} items of kind {kind!r}, too few for {number} "
            "questionnaires: give a questionnaire more items, or each instrument its own study."
        )
    rng = np.random.default_rng([design.parameters.seed, number])
    return replace(design, questionnaires=deal(items=design.items, number=number, rng=rng))


def _check(parameters: Parameters) -> None:
    """Raises CannotDesign."""
    if parameters.items_per_questionnaire < 1 or parameters.quota < 1:
        raise CannotDesign("A questionnaire needs at least one item and a quota of at least 1.")
    if not 0 <= parameters.reversed_share <= 1:
        raise CannotDesign(f"The reversed share is {parameters.reversed_share}, not within 0-1.")
    if parameters.seed < 0:
        raise CannotDesign(f"The seed is {parameters.seed}, but it cannot be negative.")
    if parameters.rounds < 1 or (parameters.depth is not None and parameters.depth < 1):
        raise CannotDesign("A text stands in at least one block, and a depth is at least 1.")
    try:
        kind = item_kind(parameters.kind)
    except LookupError as error:
        raise CannotDesign(str(error)) from error
    if fault := unfit(designer=parameters.designer, kind=kind):
        raise CannotDesign(fault)


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
        raise CannotDesign(f"{n} topics were asked for, but there are {len(topics)}.")
    return sorted(rng.choice(topics, size=n, replace=False).tolist())


# -- Item designers --------------------------------------------------------------------------


def all_pairs(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Every unordered pair of a topic's responses, and a share of them in reverse as well.

    Which of the two stands first is drawn. The reversed ones are drawn within strata of origin
    (which of human and llm) and length (thirds of the pairs), so that the share mirrors them all.
    """
    by_topic = _by_topic(material[kind.subject.holds])
    pairs = [pair for topic in sorted(by_topic) for pair in combinations(by_topic[topic], 2)]
    pairs = [
        pair[::-1] if turn else pair
        for pair, turn in zip(pairs, rng.integers(2, size=len(pairs)), strict=True)
    ]
    strata = _strata(pairs)
    again = _stratified(strata, parameters.reversed_share, rng)
    items = [_pair(first, second) for first, second in pairs]
    return items + [_pair(pairs[index][1], pairs[index][0], reverse=True) for index in again]


def _pair(first: Text, second: Text, reverse: bool = False) -> PlannedItem:
    return _item((first, second), unit=frozenset({first.id, second.id}), reverse=reverse)


def _strata(pairs: Sequence[tuple[Text, ...]]) -> list[tuple[str, int]]:
    if not pairs:
        return []
    words = np.array([sum(text.words for text in pair) for pair in pairs])
    thirds = np.searchsorted(np.quantile(words, [1 / 3, 2 / 3]), words)
    return [
        ("-".join(sorted(text.origin for text in pair)), int(third))
        for pair, third in zip(pairs, thirds, strict=True)
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
    return [_item((text,), unit=text.id) for text in material.get(kind.subject.holds, ())]


def blocks(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Blocks of a topic's texts in which each stands `rounds` times, or once more.

    A block takes the texts that stood in the fewest, of these the ones that met the others of the
    block least often, and else by lot. A block that there is already is left out.
    """
    size = len(kind.slots)
    items = []
    for texts in _by_topic(material[kind.subject.holds]).values():
        if len(texts) >= size:
            items += _blocks_of(texts, size, parameters.rounds, rng)
    return items


def _blocks_of(
    texts: Sequence[Text], size: int, rounds: int, rng: np.random.Generator
) -> list[PlannedItem]:
    stood: Counter[int] = Counter()
    met: Counter[frozenset[int]] = Counter()
    made: dict[frozenset[int], PlannedItem] = {}
    for _ in range(-(-len(texts) * rounds // size)):
        lots = dict(zip((text.id for text in texts), rng.permutation(len(texts)), strict=True))
        block: list[Text] = []
        while len(block) < size:
            left = [text for text in texts if text not in block]
            block.append(
                min(left, key=partial(_rank, block=block, stood=stood, met=met, lots=lots))
            )
        ids = frozenset(text.id for text in block)
        stood.update(ids)
        met.update(frozenset(pair) for pair in combinations(ids, 2))
        made.setdefault(ids, _item(block, unit=ids))
    return list(made.values())


def _rank(
    text: Text,
    *,
    block: Sequence[Text],
    stood: Counter[int],
    met: Counter[frozenset[int]],
    lots: Mapping[int, int],
) -> tuple[int, int, int]:
    known = sum(met[frozenset({text.id, other.id})] for other in block)
    return stood[text.id], known, lots[text.id]


def cross(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Everything that can be judged, with everything of its topic that its context can be."""
    items = []
    for subject in material.get(kind.subject.holds, ()):
        of_slots = [
            [subject]
            if slot == kind.subject
            else [t for t in material.get(slot.holds, ()) if t.topic in (subject.topic, None)]
            for slot in kind.slots
        ]
        items += [
            _item(texts, unit=tuple(text.id for text in texts), topic=subject.topic)
            for texts in product(*of_slots)
        ]
    return items


def _by_topic(texts: Sequence[Text]) -> dict[int, list[Text]]:
    """In the order of the topics."""
    by_topic: dict[int, list[Text]] = defaultdict(list)
    for text in sorted((t for t in texts if t.topic is not None), key=lambda t: t.topic or 0):
        by_topic[text.topic or 0].append(text)
    return by_topic


def _item(
    texts: Sequence[Text], *, unit: Hashable, reverse: bool = False, topic: int | None = None
) -> PlannedItem:
    """About the topic of the first text, if not of another one."""
    words = sum(text.words for text in texts)
    topic = topic or texts[0].topic or 0
    return PlannedItem(tuple(text.id for text in texts), topic, words, unit, reverse)


Make = Callable[[ItemKind, Material, Parameters, np.random.Generator], list[PlannedItem]]


@dataclass(frozen=True)
class Designer:
    """`make` makes the items, of the kinds that it `fits`."""

    make: Make
    fits: Callable[[ItemKind], bool]


def _is_alike(kind: ItemKind) -> bool:
    """All slots change places and hold the same."""
    return all(slot.drawn for slot in kind.slots) and len({s.holds for s in kind.slots}) == 1


DESIGNERS = {
    "all_pairs": Designer(all_pairs, lambda kind: len(kind.slots) == 2 and _is_alike(kind)),
    "pool": Designer(pool, lambda kind: len(kind.slots) == 1),
    "blocks": Designer(blocks, lambda kind: len(kind.slots) > 2 and _is_alike(kind)),
    "cross": Designer(cross, lambda kind: len(kind.slots) > 1 and not kind.repeats),
}
