"""Points of a player against another, with an interval over topics and workers.

A game is worth 1, a tie 1/2. Games on one topic, and games judged by one worker, are alike, so the
error is that of `crossed_errors.py`: topics and workers are left out one by one. With few workers
the interval is for these workers: topics alone are left out.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_about
from analysis.stats.design_checks import about_raters, few_clusters
from analysis.stats.resampling import check_confidence
from analysis.stats.sequential import look_confidence
from analysis.stats.tournaments.games import LOST, TIED, WON, Games, no_games

COLUMNS = (
    "first", "second", "points", "low", "high", "won", "tied", "lost", "games", "topics",
    "workers", "about", "why",
)  # fmt: skip


def points(
    games: pd.DataFrame, *, confidence: float = 0.95, sequential: bool = False
) -> pd.DataFrame:
    """Return one row a player and opponent, in both directions, by name.

    games: topic, worker, first, second, score (of the first: 1, .5 or 0). points: the mean score of
    the first; low, high: its interval, NaN where none is offered (`why`);
    about: the raters it is about (design_checks.About). The interval may reach
    beyond 0 or 1. sequential: it holds at every look at a study that still grows.

    Raises CannotCompute (no_games, own_opponent, unknown_outcome), BadSetting.
    """
    check_confidence(confidence)
    level = look_confidence(confidence) if sequential else confidence
    if games.empty:
        raise no_games("The win matrix")
    Games.from_frame(games)  # checks players and outcomes
    turned = games.rename(columns={"first": "second", "second": "first"})
    turned = turned.assign(score=1 - turned["score"])
    both = pd.concat([games, turned], ignore_index=True)
    groups = both.groupby(["first", "second"], sort=True)
    rows = [
        {"first": first, "second": second} | _pair(part, level) for (first, second), part in groups
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _pair(part: pd.DataFrame, confidence: float) -> dict[str, object]:
    score = part["score"].to_numpy(np.float64)
    topic, worker = (_codes(part[name]) for name in ("topic", "worker"))
    low = high = float("nan")
    about = about_raters(worker.size)
    why = few_clusters("the points", units=topic.size, workers=None, called="topics")
    if not why and np.ptp(score) < 1e-9:
        why = "No interval for points: all games ended the same way."
    if not why:
        error = error_about(
            about,
            units=_changes(score, topic),
            workers=_changes(score, worker),
            cells=_changes(score, _cells(topic, worker)),
        )
        low, high = (float(end[0]) for end in error.interval(score.mean()[None], confidence))
    ends = {"won": WON, "tied": TIED, "lost": LOST}
    return {
        "points": float(score.mean()),
        "low": low,
        "high": high,
        **{name: int((score == outcome).sum()) for name, outcome in ends.items()},
        "games": len(score),
        "topics": topic.size,
        "workers": worker.size,
        "about": about,
        "why": why,
    }


@dataclass(frozen=True)
class _Clusters:
    of: Ints
    size: int


def _codes(column: "pd.Series[str]") -> _Clusters:
    codes, names = pd.factorize(column)
    return _Clusters(codes.astype(np.int64), len(names))


def _cells(topic: _Clusters, worker: _Clusters) -> _Clusters:
    keys, cell = np.unique(topic.of * worker.size + worker.of, return_inverse=True)
    return _Clusters(cell, len(keys))


def _changes(score: Floats, clusters: _Clusters) -> Floats:
    """Return the change of the mean without each cluster: (G, 1)."""
    n, sums = (total(clusters.of, weight, clusters.size) for weight in (np.ones_like(score), score))
    left = len(score) - n
    mean = np.divide(score.sum() - sums, left, out=np.full_like(sums, score.mean()), where=left > 0)
    return np.asarray(mean - score.mean())[:, None]
