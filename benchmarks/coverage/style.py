"""Differences of systems at equal style, and what the adjustment costs.

Three systems of equal quality, one text each a topic. In one world texts of the second system are a
standard deviation longer, and workers like long texts; nothing else differs, so the adjusted
difference is 0. Where texts are four standard deviations longer, length and system are confounded,
and there is no adjusted difference. In another world style matters to nobody. The votes come from
the model, or from a generator that is not ours: probit votes, skewed loads, missing pairs, effects
with heavy tails, and a taste for length of each worker's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.style_adjustment import adjust_for_style, check_style
from analysis.stats.errors import CannotCompute
from benchmarks.coverage.intervals import Tally, coverage_row, holds
from benchmarks.reporting import Row

STUDIES = 500
OUTCOMES = {1: 1, 0: 0, -1: -1}
G, VOTES = 3, 2  # systems, votes on a pair
WIDER = 5.0  # %, at most, where style does not matter
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies (standard error 1), two "
    "votes on each pair of three systems."
)


@dataclass(frozen=True, kw_only=True)
class StyleWorld:
    """taste: what a standard deviation of length adds to a merit; longer: of the second system."""

    taste: float
    longer: float
    foreign: bool = False
    topics: int = 40
    workers: int = 20
    measures: int = 3
    alike: float = 0.0  # correlation of the measures of a text

    def __str__(self) -> str:
        kind = "longer texts alone" if self.taste else "style matters to nobody"
        size = f"{self.topics} topics, {self.workers} workers, {self.measures} measures"
        alike = f" correlated by {self.alike:g}" if self.alike else ""
        return f"{kind}, {size}{alike}" + (", another generator" if self.foreign else "")


WORLDS = (
    StyleWorld(taste=0.6, longer=1.0),
    StyleWorld(taste=0.6, longer=1.0, foreign=True),
    StyleWorld(taste=0.0, longer=0.0),
    StyleWorld(taste=0.6, longer=1.0, topics=15, workers=10, measures=4),
    StyleWorld(taste=0.0, longer=0.0, topics=15, workers=10, measures=4),
    StyleWorld(taste=0.0, longer=0.0, measures=4, alike=0.9),
)
CONFOUNDED = StyleWorld(taste=0.6, longer=4.0)


def rows(studies: int) -> Iterator[Row]:
    for seed, world in enumerate(WORLDS):
        yield from of_world(world, studies, np.random.default_rng(seed))
    yield refusals(CONFOUNDED, studies, np.random.default_rng(len(WORLDS)))


def of_world(world: StyleWorld, studies: int, rng: np.random.Generator) -> Iterator[Row]:
    tally, widths = Tally(), []
    for _ in range(studies):
        hits, width = covers(world, rng)
        tally.add(hits)
        widths.append(width)
    for name in tally.hits:
        bounds = {} if name == ADJUSTED else {"least": None, "most": None}
        offered = f"offered in {tally.offered(name):.0f} %"
        yield coverage_row(name, str(world), tally.share(name), remark=offered, **bounds)
    median = 100 * (float(np.nanmedian(widths)) - 1)
    most = WIDER if not world.taste else None
    yield coverage_row(
        "adjusted interval, % wider", str(world), median, least=None, most=most, remark="median"
    )


def refusals(world: StyleWorld, studies: int, rng: np.random.Generator) -> Row:
    """Return the row of studies that are refused as confounded."""
    refused = []
    for _ in range(studies):
        frame, style = draw(world, rng)
        try:
            check_style(MixedVotes.from_frame(frame, outcomes=OUTCOMES), style)
            refused.append(False)
        except CannotCompute as reason:
            refused.append(reason.code == "style_confounded")
    share, size = 100 * float(np.mean(refused)), f"{world.longer:g} sd longer, {world}"
    return coverage_row("refused as confounded", size, share, least=95.0, most=None)


ADJUSTED, PLAIN = "difference at equal style", "difference without style"


def covers(world: StyleWorld, rng: np.random.Generator) -> tuple[dict[str, float], float]:
    """Return whether the intervals hold 0, and the ratio of their widths."""
    frame, style = draw(world, rng)
    try:
        fit = adjust_for_style(MixedVotes.from_frame(frame, outcomes=OUTCOMES), style)
    except CannotCompute:
        return {ADJUSTED: float("nan"), PLAIN: float("nan")}, float("nan")
    _, low, high = fit.adjusted.difference("s1", "s0")
    _, plain_low, plain_high = fit.plain.difference("s1", "s0")
    hits = {ADJUSTED: holds(low, high, 0), PLAIN: holds(plain_low, plain_high, 0)}
    return hits, (high - low) / (plain_high - plain_low)


def draw(world: StyleWorld, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return votes as MixedVotes reads them, and the style of each text."""
    T, W = world.topics, world.workers
    style = rng.normal(size=(T, G, world.measures))
    if world.alike:
        shared = rng.normal(size=(T, G, 1))
        style = world.alike**0.5 * shared + (1 - world.alike) ** 0.5 * style
    style[:, 1, 0] += world.longer
    heavy = _heavy if world.foreign else _normal
    merit = 0.8 * heavy(rng, (T, G)) + world.taste * style[:, :, 0]
    lean, side = 0.32 * heavy(rng, (W, G)), -0.1 + 0.4 * rng.normal(size=W)
    own = world.taste * 0.5 * rng.normal(size=W) * world.foreign  # a taste of each worker's own
    tells = np.exp(0.35 * rng.normal(size=W))
    topic, pair = (each.ravel() for each in np.indices((T, G)))
    kept = rng.random(len(topic)) > (0.15 if world.foreign else 0)
    topic, pair = topic[kept], pair[kept]
    first, second = np.triu_indices(G, 1)
    loads = rng.dirichlet(np.full(W, 2.0)) if world.foreign else np.full(W, 1 / W)
    worker = np.array([rng.choice(W, VOTES, replace=False, p=loads) for _ in topic]).ravel()
    topic, a, b = (np.repeat(each, VOTES) for each in (topic, first[pair], second[pair]))
    left = rng.choice([-1, 1], len(topic))
    apart = style[topic, a, 0] - style[topic, b, 0]
    eta = tells[worker] * (merit[topic, a] - merit[topic, b] + own[worker] * apart)
    eta = eta + lean[worker, a] - lean[worker, b] + side[worker] * left
    frame = pd.DataFrame(
        {
            "topic": topic,
            "a": [f"{t}.{k}" for t, k in zip(topic, a, strict=True)],
            "b": [f"{t}.{k}" for t, k in zip(topic, b, strict=True)],
            "worker": worker,
            "outcome": _vote(eta, rng, probit=world.foreign),
            "system_a": [f"s{k}" for k in a],
            "system_b": [f"s{k}" for k in b],
            "left": np.where(left > 0, "a", "b"),
        }
    )
    keys = [f"{t}.{k}" for t in range(T) for k in range(G)]
    measures = ["words", "x", "y", "z"][: world.measures]
    return frame, pd.DataFrame(style.reshape(len(keys), -1), index=keys, columns=measures)


def _vote(eta: Floats, rng: np.random.Generator, *, probit: bool) -> Floats:
    if probit:
        noisy = eta / 1.7 + rng.normal(size=len(eta))
        return np.where(noisy > 0.3, 1, np.where(noisy < -0.3, -1, 0))
    u = rng.random(len(eta))
    win, loss = (1 / (1 + np.exp(0.5 - sign * eta)) for sign in (1, -1))
    return np.where(u < win, 1, np.where(u > 1 - loss, -1, 0))


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.normal(size=shape)


def _heavy(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return np.asarray(rng.standard_t(5, size=shape) / np.sqrt(5 / 3))
