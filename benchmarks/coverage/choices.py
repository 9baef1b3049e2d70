"""Intervals of best-worst scores, Plackett-Luce merits and totals, for raters like those drawn.

The texts are given. Eight texts are shown in blocks of four, as in Popp et al.; raters have tastes
of their own, and answer few or many blocks. Totals are means of three grades, by raters who are
strict or lenient, and unlike in what they make of a text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.choices.best_worst import best_worst
from analysis.stats.choices.choices import Choices
from analysis.stats.choices.plackett_luce import plackett_luce
from analysis.stats.effects.linear_scores import LEAST_ANSWERS, LEAST_RATERS, LinearScore
from benchmarks.coverage.intervals import MOST, coverage_row
from benchmarks.reporting import Row

STUDIES, CROWDS = 500, 25  # a set of texts is judged by so many crowds
BLOCKS = np.array([b for b in combinations(range(8), 4) if b[0] ^ b[1] ^ b[2] ^ b[3] == 0])
TEXTS = 8
CUTS = (-0.6, 0.6)
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies, {STUDIES // CROWDS} "
    "sets of texts (standard error 1). With seven answers a best-worst score comes in steps, and "
    "its interval may cover more than 97 %; a merit has none. Totals have an interval from "
    f"{LEAST_RATERS} raters and {LEAST_ANSWERS} answers on. Taste is the standard deviation of "
    "what raters make of a text, in logits."
)


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Raters with so many of the 14 blocks each (None: 1 to 14 at random)."""

    raters: int
    blocks: int | None
    taste: float
    spread: float = 1.0

    def __str__(self) -> str:
        answers = f"{self.blocks} blocks" if self.blocks else "1 to 14 blocks"
        return f"{self.raters} raters, {answers} each, taste {self.taste:g}, merits {self.spread:g}"


CROWDS_OF_CHOICES = (
    Crowd(raters=14, blocks=1, taste=0.0),
    Crowd(raters=14, blocks=1, taste=1.0),
    Crowd(raters=7, blocks=2, taste=1.0),
    Crowd(raters=5, blocks=14, taste=0.0),
    Crowd(raters=5, blocks=14, taste=1.0),
    Crowd(raters=10, blocks=7, taste=1.0),
    Crowd(raters=10, blocks=7, taste=0.5, spread=2.0),
    Crowd(raters=35, blocks=2, taste=0.0),
    Crowd(raters=10, blocks=None, taste=1.0),
)


@dataclass(frozen=True, kw_only=True)
class Grading:
    """Raters, of whom so many grade each text by so many criteria."""

    raters: int
    votes: int
    texts: int
    criteria: int
    lenient: float = 0.5
    uneven: bool = False

    def __str__(self) -> str:
        uneven = ", uneven loads" if self.uneven else ""
        return (
            f"{self.votes} of {self.raters} raters on each of {self.texts} texts, "
            f"{self.criteria} criteria, lenience {self.lenient:g}{uneven}"
        )


GRADINGS = (
    Grading(raters=10, votes=10, texts=1, criteria=10),
    Grading(raters=10, votes=10, texts=1, criteria=3),
    Grading(raters=30, votes=20, texts=1, criteria=1),
    Grading(raters=10, votes=5, texts=1, criteria=5, uneven=True),
    Grading(raters=10, votes=3, texts=12, criteria=1),
    Grading(raters=10, votes=3, texts=12, criteria=5, uneven=True),
    Grading(raters=10, votes=5, texts=12, criteria=5, lenient=1.0),
    Grading(raters=30, votes=3, texts=7, criteria=3, uneven=True),
    Grading(raters=5, votes=5, texts=7, criteria=3),
)


def rows(studies: int) -> Iterator[Row]:
    for seed, crowd in enumerate(CROWDS_OF_CHOICES):
        yield from of_choices(crowd, studies, np.random.default_rng(seed))
    for seed, grading in enumerate(GRADINGS):
        yield of_totals(grading, studies, np.random.default_rng(seed))


def of_choices(crowd: Crowd, studies: int, rng: np.random.Generator) -> Iterator[Row]:
    scores, merits = [], []
    for _ in range(max(1, studies // CROWDS)):
        merit = crowd.spread * rng.permutation(np.linspace(-1.5, 1.5, TEXTS))
        many = answers(Crowd(raters=3000, blocks=4, taste=crowd.taste), merit, rng)
        true = best_worst(many).value, most_likely(many)
        for _ in range(CROWDS):
            study = answers(crowd, merit, rng)
            score, strength = best_worst(study), plackett_luce(study)
            scores.append(inside(score.low, score.high, true[0]))
            merits.append(inside(strength.low, strength.high, true[1]))
    few = crowd.raters * (crowd.blocks or 7) <= len(BLOCKS)
    share = 100 * float(np.nanmean(scores))
    yield coverage_row("best-worst score", str(crowd), share, most=None if few else MOST)
    if not few:
        yield coverage_row("Plackett-Luce merit", str(crowd), 100 * float(np.nanmean(merits)))


def most_likely(choices: Choices) -> Floats:
    """Return merits without a ridge; there is no need for the fits without each rater."""
    alone = Choices(
        shown=choices.shown, best=choices.best, worst=choices.worst, units=choices.units,
        rater=np.zeros_like(choices.rater),
    )  # fmt: skip
    return plackett_luce(alone, ridge=1e-3).merits


def inside(low: Floats, high: Floats, true: Floats) -> Floats:
    return np.where(np.isnan(low), np.nan, (low <= true) & (true <= high))


def answers(crowd: Crowd, merit: Floats, rng: np.random.Generator) -> Choices:
    """Return the best and the worst of Plackett-Luce rankings by each rater's own merits."""
    number = np.full(crowd.raters, crowd.blocks or 0)
    if crowd.blocks is None:
        number = rng.integers(1, len(BLOCKS) + 1, crowd.raters)
    order = rng.random((crowd.raters, len(BLOCKS))).argsort(axis=1)
    rater = np.repeat(np.arange(crowd.raters), number)
    block = BLOCKS[np.concatenate([mine[:n] for mine, n in zip(order, number, strict=True)])]
    own = merit + rng.normal(0, crowd.taste, (crowd.raters, TEXTS))
    felt = np.take_along_axis(own[rater], block, axis=1) + rng.gumbel(size=block.shape)
    place = np.arange(len(block))
    shown = np.zeros((len(block), TEXTS), dtype=bool)
    np.put_along_axis(shown, block, True, axis=1)
    return Choices(
        shown=shown, best=block[place, felt.argmax(axis=1)],
        worst=block[place, felt.argmin(axis=1)], units=tuple(range(TEXTS)), rater=rater,
    )  # fmt: skip


def of_totals(grading: Grading, studies: int, rng: np.random.Generator) -> Row:
    hits = []
    for _ in range(max(1, studies // CROWDS)):
        worth = rng.normal(0, 0.7, (grading.texts, grading.criteria))
        spread = (1 + grading.lenient**2 + 0.3**2) ** 0.5
        true = grades(worth[..., None] + spread * rng.normal(size=(*worth.shape, 20_000))).mean()
        for _ in range(CROWDS):
            score = graded(grading, worth, rng).scored(
                confidence=0.95, least_raters=LEAST_RATERS, least_answers=LEAST_ANSWERS
            )
            hits.append(np.nan if score.low is None else score.low <= true <= score.high)
    return coverage_row("mean of three grades", str(grading), 100 * float(np.nanmean(hits)))


def graded(grading: Grading, worth: Floats, rng: np.random.Generator) -> LinearScore:
    load = rng.exponential(size=grading.raters) + 0.15 if grading.uneven else None
    p = None if load is None else load / load.sum()
    lenient = rng.normal(0, grading.lenient, grading.raters)
    taste = rng.normal(0, 0.3, (grading.raters, grading.texts))
    score = LinearScore()
    for text, criteria in enumerate(worth):
        raters = rng.choice(grading.raters, grading.votes, replace=False, p=p)
        for value in criteria:
            felt = value + lenient[raters] + taste[raters, text] + rng.normal(size=len(raters))
            votes = dict(zip(raters.tolist(), grades(felt).tolist(), strict=True))
            score.add(1 / worth.size, votes)
    return score


def grades(felt: Floats) -> Ints:
    return np.searchsorted(CUTS, felt) + 1
