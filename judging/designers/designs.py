"""Designs of judging studies: items and questionnaires. Pure and seeded.

A design is previewed before judging.design.designing writes it.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from annotation.texts.sentences import Sentence
from judging.designers.blocks import blocks
from judging.designers.crossed import cross, entries, pool
from judging.designers.decided import DecidedTexts
from judging.designers.pairs import Pairs, all_pairs
from judging.designers.planned_items import Figures, ListedItems, PlannedItems
from judging.designers.questionnaires import CannotDesign, PlannedItem, deal, deal_by_topic
from judging.designers.segments import (
    citations,
    coverage,
    headings,
    overviews,
    own_headings,
    summary_pairs,
)
from judging.designers.texts import (
    RANK,
    TOPIC,
    DesignParameters,
    DesignText,
    Material,
    in_view,
    texts_for,
)
from judging.items.kinds import Holds, ItemKind, item_kind

MAX_ROUNDS = 100  # blocks that each text is in: they are drawn in memory


@dataclass(frozen=True)
class DealtDesign:
    """Items and their questionnaires (indices into `items`)."""

    parameters: DesignParameters
    topics: tuple[int, ...]
    items: tuple[PlannedItem, ...]
    questionnaires: tuple[tuple[int, ...], ...]
    left_out: tuple[int, ...] = ()
    decided: tuple[DecidedTexts, ...] = ()

    def words(self) -> np.ndarray:
        """Return the words to read by questionnaire, shape (questionnaires,)."""
        return np.array(
            [
                sum(self.items[index].words for index in questionnaire)
                for questionnaire in self.questionnaires
            ]
        )


@dataclass(frozen=True)
class UndealtDesign:
    """Items before dealing; `rng` deals them.

    `left_out` are topics with texts and no document of the least score.
    """

    parameters: DesignParameters
    topics: tuple[int, ...]
    planned: PlannedItems
    rng: np.random.Generator
    left_out: tuple[int, ...] = ()

    @property
    def number(self) -> int:
        """The number of questionnaires that they fill."""
        return -(-len(self.planned) // self.parameters.items_per_questionnaire)

    @property
    def items(self) -> tuple[PlannedItem, ...]:
        """The items, made on demand: `figures` suffice for counts."""
        return self.planned.items

    @cached_property
    def figures(self) -> Figures:
        return self.planned.figures

    def in_tasks(self, *, items: int, quota: int) -> "UndealtDesign":
        """Return the same items for tasks of another size and quota. Raises CannotDesign."""
        parameters = replace(self.parameters, items_per_questionnaire=items, quota=quota)
        _check(parameters)
        return replace(self, parameters=parameters, rng=deepcopy(self.rng))

    @property
    def decided(self) -> tuple[DecidedTexts, ...]:
        """The pairs decided by the rule on empty answers."""
        return self.planned.decided if isinstance(self.planned, Pairs) else ()


def design(*, material: Material, parameters: DesignParameters) -> DealtDesign:
    """Choose topics, make the items, deal them into questionnaires. Raises CannotDesign.

    The topics are those that have something to judge.
    """
    made = undealt(material=material, parameters=parameters)
    dealt = _dealt(parameters)(items=made.items, number=made.number, rng=made.rng)
    return DealtDesign(parameters, made.topics, made.items, dealt, made.left_out, made.decided)


def undealt(*, material: Material, parameters: DesignParameters) -> UndealtDesign:
    """Return the topics and items of a design: its figures, in a twentieth of its time.

    Raises CannotDesign.
    """
    _check(parameters)
    kind = item_kind(parameters.kind)
    rng = np.random.default_rng(parameters.seed)
    of_topics = every = _topics(kind, material)
    if parameters.documents_scored_at_least is not None:
        material = in_view(material, at_least=parameters.documents_scored_at_least)
        of_topics = _topics(kind, material)
    topics = _sample(sorted(of_topics), parameters.topics, rng)
    chosen = {
        holds: _limited(texts, topics={*topics, None}, depth=parameters.depth)
        for holds, texts in material.items()
    }
    planned = DESIGNERS[parameters.designer].make(kind, chosen, parameters, rng)
    if not len(planned):
        contents = " and ".join(sorted({f"{slot.part or slot.holds}s" for slot in kind.slots}))
        contents = contents.replace("criterions", "criteria").replace("responses", "answers")
        raise CannotDesign(
            "nothing_to_judge",
            Sentence("No topic has enough {what}.", what=contents),
        )
    return UndealtDesign(parameters, tuple(topics), planned, rng, tuple(sorted(every - of_topics)))


def _topics(kind: ItemKind, material: Material) -> set[int]:
    """Return the topics with something to judge."""
    return set(map(TOPIC, texts_for(kind.subject, material))) - {None}


def _limited(
    texts: Sequence[DesignText], *, topics: set[int | None], depth: int | None
) -> Sequence[DesignText]:
    """Return the texts on these topics down to this rank, as they are if that is all of them."""
    is_deep = depth is not None and max(map(RANK, texts), default=0) > depth
    if not is_deep and set(map(TOPIC, texts)) <= topics:
        return texts
    return [t for t in texts if t.topic in topics and (depth is None or t.rank <= depth)]


def questionnaires_of(parts: Sequence[UndealtDesign]) -> int:
    """Return the number of questionnaires that `together` would deal. Raises CannotDesign."""
    number = max(part.number for part in parts)
    for part in parts:
        _check_room(part, part.number, part.rng)
        if number > part.number:
            _check_enough(part.parameters, len(part.planned), number)
            _check_room(part, number, _rng_again(part.parameters, number))
    return number


def _check_room(made: UndealtDesign, number: int, rng: np.random.Generator) -> None:
    """Raise CannotDesign if a pair and its reverse have no room.

    Three questionnaires or more always have room: items that cannot be exchanged with any of the
    others would be as many as this one has, and each of the others has as many.
    """
    if number <= 2 or made.parameters.topics_together:
        _dealt(made.parameters)(items=made.items, number=number, rng=rng)


def _dealt(parameters: DesignParameters) -> Callable[..., tuple[tuple[int, ...], ...]]:
    return deal_by_topic if parameters.topics_together else deal


def together(designs: Sequence[DealtDesign]) -> list[DealtDesign]:
    """Return the designs, dealt into as many questionnaires as the largest needs.

    The longest part of a questionnaire comes to the shortest of the others. Raises CannotDesign if
    a questionnaire would lack a part.
    """
    number = max(len(design.questionnaires) for design in designs)
    load = np.zeros(number)
    dealt: list[DealtDesign] = []
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


def _again(design: DealtDesign, number: int) -> DealtDesign:
    """Return the same items in another number of questionnaires."""
    _check_enough(design.parameters, len(design.items), number)
    rng = _rng_again(design.parameters, number)
    dealt = _dealt(design.parameters)(items=design.items, number=number, rng=rng)
    return replace(design, questionnaires=dealt)


def _check_enough(parameters: DesignParameters, items: int, number: int) -> None:
    if items < number:
        raise CannotDesign(
            "too_few_items",
            Sentence(
                "{items} items of kind {kind!r} aren't enough for {number} questionnaires. Use "
                "larger questionnaires.",
                items=items,
                kind=parameters.kind,
                number=number,
            ),
        )


def _rng_again(parameters: DesignParameters, number: int) -> np.random.Generator:
    return np.random.default_rng([parameters.seed, number])


def _check(parameters: DesignParameters) -> None:
    if parameters.items_per_questionnaire < 1 or parameters.quota < 1:
        raise CannotDesign(
            "empty_questionnaire",
            Sentence("A questionnaire needs at least 1 item and a quota of at least 1."),
        )
    if not 0 <= parameters.reversed_share <= 1:
        raise CannotDesign(
            "bad_reversed_share",
            Sentence(
                "The reversed share must be 0 to 1, not {reversed_share}.",
                reversed_share=parameters.reversed_share,
            ),
        )
    if parameters.seed < 0:
        raise CannotDesign(
            "negative_seed",
            Sentence("The seed can't be negative: {seed}.", seed=parameters.seed),
        )
    if parameters.rounds < 1 or (parameters.depth is not None and parameters.depth < 1):
        raise CannotDesign(
            "too_few_blocks",
            Sentence("Blocks per text and depth must be at least 1."),
        )
    if parameters.rounds > MAX_ROUNDS:
        raise CannotDesign(
            "too_many_blocks",
            Sentence("A text can be in at most {limit} blocks.", limit=MAX_ROUNDS),
        )
    if parameters.games_per_topic is not None and parameters.games_per_topic < 1:
        raise CannotDesign("no_games", Sentence("A topic needs at least 1 game."))
    try:
        kind = item_kind(parameters.kind)
    except LookupError as error:
        raise CannotDesign("unknown_kind", error.args[0]) from error
    if fault := unfit(designer=parameters.designer, kind=kind):
        raise CannotDesign("unfit_designer", fault)


def shows_documents(kind: ItemKind) -> bool:
    """Return whether documents of the topic accompany the judged texts."""
    return kind.repeats and (_compares_two(kind) or _is_single(kind))


def unfit(*, designer: str, kind: ItemKind) -> str:
    """Return why this designer cannot make items of this kind; empty if it can."""
    if designer not in DESIGNERS:
        return f"Designer {designer} not found. Available: {', '.join(DESIGNERS)}."
    if not DESIGNERS[designer].fits(kind):
        return f"Designer {designer} can't make items of kind {kind.name}."
    return ""


def _sample(topics: list[int], n: int | None, rng: np.random.Generator) -> list[int]:
    if n is None:
        return topics
    if not 1 <= n <= len(topics):
        raise CannotDesign(
            "too_few_topics",
            Sentence("{n} topics requested, but only {topics} exist.", n=n, topics=len(topics)),
        )
    return sorted(rng.choice(topics, size=n, replace=False).tolist())


# -- Item designers --------------------------------------------------------------------------


Make = Callable[[ItemKind, Material, DesignParameters, np.random.Generator], PlannedItems]
OneByOne = Callable[[ItemKind, Material, DesignParameters, np.random.Generator], list[PlannedItem]]


@dataclass(frozen=True)
class Designer:
    """`make` makes the items of the kinds that it `fits`."""

    make: Make
    fits: Callable[[ItemKind], bool]


def _listed(make: OneByOne) -> Make:
    return lambda *asked: ListedItems(tuple(make(*asked)))


def _is_alike(kind: ItemKind) -> bool:
    """Return whether all slots move and hold the same."""
    return all(slot.drawn for slot in kind.slots) and len({s.holds for s in kind.slots}) == 1


def _compares_two(kind: ItemKind) -> bool:
    """Return whether two moving slots are compared, alone or with documents in view."""
    beside = [slot for slot in kind.slots if not slot.drawn]
    drawn = [slot for slot in kind.slots if slot.drawn]
    in_view = all(s.repeated and not s.judged and s.holds == Holds.PASSAGE for s in beside)
    return len(drawn) == 2 and drawn[0].holds == drawn[1].holds and in_view


def _is_single(kind: ItemKind) -> bool:
    """Return whether items have one judged text, with or without documents in view."""
    return len(kind.slots) == 1 or (
        kind.repeats and _holds(Holds.RESPONSE, Holds.PASSAGE)(kind) and not kind.slots[-1].judged
    )


def _holds(*holds: Holds) -> Callable[[ItemKind], bool]:
    return lambda kind: tuple(slot.holds for slot in kind.slots) == holds


DESIGNERS = {
    "all_pairs": Designer(all_pairs, _compares_two),
    "pool": Designer(pool, _is_single),
    "blocks": Designer(blocks, lambda kind: len(kind.slots) > 2 and _is_alike(kind)),
    "cross": Designer(cross, lambda kind: len(kind.slots) > 1 and not kind.repeats),
    "entries": Designer(entries, _holds(Holds.RESPONSE, Holds.CRITERION)),
    "citations": Designer(
        _listed(citations), lambda kind: kind.repeats and _holds(Holds.SEGMENT, Holds.PASSAGE)(kind)
    ),
    "overviews": Designer(_listed(overviews), _holds(Holds.SEGMENT, Holds.RESPONSE, Holds.PASSAGE)),
    "headings": Designer(_listed(headings), _holds(Holds.SEGMENT, Holds.SEGMENT)),
    "own_headings": Designer(_listed(own_headings), _holds(Holds.SEGMENT, Holds.SEGMENT)),
    "coverage": Designer(_listed(coverage), _holds(Holds.SEGMENT, Holds.RESPONSE)),
    "summary_pairs": Designer(_listed(summary_pairs), lambda kind: bool(kind.named_by)),
}
