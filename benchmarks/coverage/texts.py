"""Intervals of counts in texts.

Three texts a topic, of which one half of the variance is between topics. What is true is that of
very many topics.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.resampling import Bootstrap
from analysis.stats.text.topic_bootstrap import Statistic, summarise
from benchmarks.coverage.intervals import LEAST, Tally, coverage_row, holds
from benchmarks.reporting import Row

TEXTS, LARGE = 3, 200_000
STUDIES = 1000
TOPICS = (LEAST_UNITS, 20, 65)
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated sets of topics (standard error "
    ".7). At ten topics and for what is rare nothing is promised: counts are skewed, and of ten "
    "topics several may have none. A median of counts may cover more than 97 %: it comes in steps."
)
Draw = Callable[[Floats, Floats, np.random.Generator], tuple[Floats, Floats]]

# x and m from what belongs to the topic and to the text, both normal
KINDS: dict[str, Draw] = {
    "words, mean": lambda b, w, rng: (np.exp(0.6 * (b + w) / 2**0.5), np.ones(len(b))),
    "words, median": lambda b, w, rng: (np.exp(0.6 * (b + w) / 2**0.5), np.ones(len(b))),
    "citations, mean": lambda b, w, rng: (
        rng.poisson(np.exp(0.35 * (b + w) + 1)).astype(float),
        np.ones(len(b)),
    ),
    "citations, median": lambda b, w, rng: (
        rng.poisson(np.exp(0.35 * (b + w) + 1)).astype(float),
        np.ones(len(b)),
    ),
    "citations a statement": lambda b, w, rng: (
        rng.poisson(np.exp(0.5 * w + 5 + 0.4 * b) / 40).astype(float),
        np.exp(0.5 * w + 5),
    ),
    "cited, one in ten": lambda b, w, rng: ((b + w > 1.8).astype(float), np.ones(len(b))),
}


def rows(studies: int) -> Iterator[Row]:
    for kind in KINDS:
        yield from of_kind(kind, studies)


def of_kind(kind: str, studies: int) -> Iterator[Row]:
    rng = np.random.default_rng(len(kind))
    statistic: Statistic = "median" if "median" in kind else "mean"
    very_many = drawn(kind, LARGE, rng)
    true = float(summarised(very_many, statistic, draws=0)["value"])
    for topics in TOPICS:
        tally = Tally()
        for _ in range(studies):
            summary = summarised(drawn(kind, topics, rng), statistic)
            tally.add({kind: holds(float(summary["low"]), float(summary["high"]), true)})
        promised = topics > LEAST_UNITS and "one in" not in kind
        yield coverage_row(
            kind,
            f"{topics} topics",
            tally.share(kind),
            least=LEAST if promised else None,
            most=None,
            remark=f"truth {true:.3f}; offered in {tally.offered(kind):.0f} %",
        )


def drawn(kind: str, topics: int, rng: np.random.Generator) -> pd.DataFrame:
    topic = np.repeat(np.arange(topics), TEXTS)
    x, m = KINDS[kind](rng.normal(size=topics)[topic], rng.normal(size=len(topic)), rng)
    return pd.DataFrame({"topic": topic, "x": x, "m": m})


def summarised(frame: pd.DataFrame, statistic: Statistic, draws: int = 500) -> pd.Series:
    weight = "m" if statistic == "mean" and frame["m"].nunique() > 1 else None
    found = summarise(
        frame, "x", [], bootstrap=Bootstrap(draws=draws), statistic=statistic, weight=weight
    )
    return found.iloc[0]
