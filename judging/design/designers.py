"""The design of a judging study: which items, in which questionnaires. Pure and seeded.

Nothing is written here: a design is looked at first (judging.design.designing writes it).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from judging.design.questionnaires import CannotDesign, PlannedItem, deal


@dataclass(frozen=True)
class Text:
    """A response as the design sees it. `id` is any identifier, `words` its length."""

    id: int
    topic: int
    words: int
    origin: str
    style: str


@dataclass(frozen=True)
class Parameters:
    """What a design was asked for. `topics=None` takes all of them."""

    seed: int
    designer: str = "all_pairs"
    topics: int | None = None
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


def design(*, texts: Sequence[Text], parameters: Parameters) -> Design:
    """Choose topics, make the items, deal them into questionnaires. Raises CannotDesign."""
    if parameters.items_per_questionnaire < 1 or parameters.quota < 1:
        raise CannotDesign("A questionnaire needs at least one item and a quota of at least 1.")
    if not 0 <= parameters.reversed_share <= 1:
        raise CannotDesign(f"The reversed share is {parameters.reversed_share}, not within 0-1.")
    if parameters.seed < 0:
        raise CannotDesign(f"The seed is {parameters.seed}, but it cannot be negative.")
    if parameters.designer not in DESIGNERS:
        raise CannotDesign(f"No designer {parameters.designer!r}; known: {', '.join(DESIGNERS)}.")
    rng = np.random.default_rng(parameters.seed)
    topics = _sample(sorted({text.topic for text in texts}), parameters.topics, rng)
    sampled = set(topics)
    chosen = [text for text in texts if text.topic in sampled]
    items = DESIGNERS[parameters.designer](chosen, parameters, rng)
    if not items:
        raise CannotDesign("There is nothing to judge: no topic has enough responses.")
    questionnaires = deal(items=items, size=parameters.items_per_questionnaire, rng=rng)
    return Design(parameters, tuple(topics), tuple(items), questionnaires)


def _sample(topics: list[int], n: int | None, rng: np.random.Generator) -> list[int]:
    if n is None:
        return topics
    if not 1 <= n <= len(topics):
        raise CannotDesign(f"{n} topics were asked for, but there are {len(topics)}.")
    return sorted(rng.choice(topics, size=n, replace=False).tolist())


# -- Item designers --------------------------------------------------------------------------


def all_pairs(
    texts: Sequence[Text], parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Every unordered pair of a topic's responses, and a share of them in reverse as well.

    Which of the two stands first is drawn. The reversed ones are drawn within strata of origin
    (which of human and llm) and length (thirds of the pairs), so that the share mirrors them all.
    """
    by_topic: dict[int, list[Text]] = defaultdict(list)
    for text in texts:
        by_topic[text.topic].append(text)
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
    ids = (first.id, second.id)
    return PlannedItem(ids, first.topic, first.words + second.words, frozenset(ids), reverse)


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
    texts: Sequence[Text], parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Every response by itself."""
    return [PlannedItem((text.id,), text.topic, text.words, frozenset({text.id})) for text in texts]


Designer = Callable[[Sequence[Text], Parameters, np.random.Generator], list[PlannedItem]]
DESIGNERS: dict[str, Designer] = {"all_pairs": all_pairs, "pool": pool}
