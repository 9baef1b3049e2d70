"""Elo ratings of systems by a judge's games and by people's games of the same items.

An item is one game of either: its score is the mean of people's votes, or that of the judge's
answers (two, where it was asked in both orders). So both have played as often, and in the same
orders; Elo ratings after more games are farther apart (elo.py).

Their error is that over topics and, of ten people or more, workers; fewer are taken as given. Elo's
mean over orders follows its expected drift closely,

    R_i <- R_i + K sum_j (s_ij - m_ij E_ij(R)),  as often as there are games,

with m_ij the share of games of i and j, and s_ij the points of i in them. Its derivative by s and m
gives the change of the ratings without a topic or worker; without it as many games are played of
the others. Differences between orders, on which a single tournament depends, are not in it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_about, error_over_units
from analysis.stats.design_checks import About, about_raters, few_clusters
from analysis.stats.resampling import check_confidence
from analysis.stats.tournaments.elo import SCALE, START, TOURNAMENTS, K, elo
from analysis.stats.tournaments.games import Games, no_games

MOST_PLAYERS = 40  # with more, derivatives take longer than they are worth
MOST_AT_ONCE = 2_000_000  # numbers in a table of clusters and pairs
MOST_STEPS = 1000  # of the drift; a step then stands for several games
COLUMNS = (
    "system", "rating", "low", "high", "sd", "people_rating", "people_rating_low",
    "people_rating_high", "people_sd", "difference", "difference_low", "difference_high", "games",
)  # fmt: skip
TOO_MANY = "No interval for Elo ratings: there are more than {most} systems."


@dataclass(frozen=True, eq=False, kw_only=True)
class EloBeside:
    """Ratings of judge and people, columns COLUMNS, the best by people first.

    games: of the system. why: reason for no interval of people's ratings and of the difference;
    why_alone: of the judge's. about: the people that intervals of their ratings are about.
    """

    frame: pd.DataFrame
    games: int
    topics: int
    workers: int
    tournaments: int
    why: str
    why_alone: str
    about: About


def elo_beside(
    games: pd.DataFrame,
    votes: pd.DataFrame,
    *,
    confidence: float = 0.95,
    tournaments: int = TOURNAMENTS,
    seed: int = 0,
) -> EloBeside:
    """Rate systems by the judge's and by people's games.

    games: item, topic, first, second, score (of the first, by the judge, 0 to 1); one row an item.
    votes: item, worker, score: people's votes on these items; an item without any is left out.
    Raises CannotCompute (no_games), BadSetting.
    """
    check_confidence(confidence)
    people = votes.groupby("item")["score"].mean()
    played = games[games["item"].isin(people.index)].reset_index(drop=True)
    if played.empty:
        raise no_games("The Elo rating")
    both = _Played.of(played, votes)
    n, P = len(played), len(both.players)
    columns = {
        name: elo(
            Games(both.first, both.second, score, both.players), tournaments=tournaments, seed=seed
        )
        for name, score in (("", both.judge), ("people_", both.people))
    }
    frame = pd.DataFrame({"system": list(both.players)})
    for name, values in columns.items():
        frame[f"{name}rating"], frame[f"{name}sd"] = values.mean, values.sd
    frame["difference"] = frame["rating"] - frame["people_rating"]
    frame["games"] = np.bincount(np.concatenate([both.first, both.second]), minlength=P)
    topics, workers = len(both.topics), len(both.workers)
    why_alone = few_clusters(
        "the Elo ratings by the judge", units=topics, workers=None, called="topics"
    )
    why = few_clusters("the Elo ratings by people", units=topics, workers=None, called="topics")
    about = about_raters(workers)
    if P > MOST_PLAYERS:
        why = why_alone = TOO_MANY.format(most=MOST_PLAYERS)
    ends = _ends(both, frame, confidence, about=None if why else about, alone=not why_alone)
    for name in ("", "people_rating_", "difference_"):
        low, high = ends.get(name, (np.nan, np.nan))
        frame[f"{name}low"], frame[f"{name}high"] = low, high
    order = frame.sort_values(["people_rating", "system"], ascending=[False, True])
    return EloBeside(
        frame=order[list(COLUMNS)].reset_index(drop=True),
        games=n,
        topics=topics,
        workers=workers,
        tournaments=columns[""].tournaments,
        why=why,
        why_alone=why_alone,
        about=about,
    )


@dataclass(frozen=True, eq=False)
class _Played:
    """n games and v votes on them.

    first, second, topic (n,): indices; judge, people (n,): scores of the first; game, worker (v,):
    indices; score (v,).
    """

    players: Sequence[Hashable]
    topics: Sequence[Hashable]
    workers: Sequence[Hashable]
    first: Ints
    second: Ints
    topic: Ints
    judge: Floats
    people: Floats
    game: Ints
    worker: Ints
    score: Floats

    @classmethod
    def of(cls, played: pd.DataFrame, votes: pd.DataFrame) -> "_Played":
        n = len(played)
        sides = pd.concat([played["first"], played["second"]])
        codes, players = pd.factorize(sides, sort=True)
        topic, topics = pd.factorize(played["topic"])
        game_votes = votes[votes["item"].isin(played["item"])]
        game = (
            played.reset_index().set_index("item")["index"].reindex(game_votes["item"]).to_numpy()
        )
        worker, workers = pd.factorize(game_votes["worker"])
        score = game_votes["score"].to_numpy(np.float64)
        people = total(game, score, n) / np.bincount(game, minlength=n)
        return cls(
            players=tuple(players.tolist()), topics=tuple(topics), workers=tuple(workers),
            first=codes[:n].astype(np.int64), second=codes[n:].astype(np.int64),
            topic=topic.astype(np.int64), judge=played["score"].to_numpy(np.float64),
            people=people, game=game.astype(np.int64), worker=worker.astype(np.int64), score=score,
        )  # fmt: skip

    def sums(self, of: Ints, size: int, weight: Floats) -> Floats:
        """Return the weights of games by cluster and ordered pair of players: (size, P, P)."""
        P = len(self.players)
        return _table((of, self.first, self.second), weight, (size, P, P))


def _ends(
    both: _Played, frame: pd.DataFrame, confidence: float, *, about: About | None, alone: bool
) -> dict[str, tuple[Floats, Floats]]:
    """Return low and high ends by the prefix of their columns; about: None without people's."""
    if not alone and about is None:
        return {}
    T = len(both.topics)
    ones = np.ones(len(both.judge))
    met = both.sums(both.topic, T, ones)
    scores_by_prefix = {"": both.judge, "people_": both.people}
    drifts, topics = {}, {}
    for name, score in scores_by_prefix.items():
        scored = both.sums(both.topic, T, score)
        drifts[name] = drift(met.sum(axis=0), scored.sum(axis=0))
        topics[name] = drifts[name].without(met, scored)
    ends: dict[str, tuple[Floats, Floats]] = {}
    if alone:
        error = error_over_units(topics[""])
        ends[""] = error.interval(frame["rating"].to_numpy(), confidence)
    if about is not None:
        workers, cells = _of_workers(both, drifts)
        for column in ("people_rating", "difference"):
            apart = column == "difference"
            units, people, votes = (
                _moved(change, apart=apart) for change in (topics, workers, cells)
            )
            error = error_about(about, units=units, workers=people, cells=votes)
            ends[f"{column}_"] = error.interval(frame[column].to_numpy(), confidence)
    return ends


def _moved(changes: dict[str, Floats], *, apart: bool) -> Floats:
    """Return the changes of people's ratings, or of the difference."""
    return changes[""] - changes["people_"] if apart else changes["people_"]


def _of_workers(
    both: _Played, drifts: dict[str, "Drift"]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return changes of ratings without each worker, and without each worker in each topic.

    An item that nobody else has judged goes with the worker, for the judge too.
    """
    n, W = len(both.judge), len(both.workers)
    votes = np.bincount(both.game, minlength=n)
    sums = total(both.game, both.score, n)
    left = votes[both.game] - 1
    lone = left == 0
    mean = np.divide(sums[both.game] - both.score, left, out=np.zeros(len(left)), where=~lone)
    gone = lone.astype(np.float64)  # games that are not played without this vote
    was = both.people[both.game]
    lost = {"": gone * both.judge[both.game], "people_": np.where(lone, was, was - mean)}
    topic_of = both.topic[both.game]
    _, cell = np.unique(topic_of * W + both.worker, return_inverse=True)
    return (
        _without_votes(both, drifts, both.worker, W, gone, lost),
        _without_votes(both, drifts, cell, int(cell.max()) + 1, gone, lost),
    )


def _without_votes(
    both: _Played,
    drifts: dict[str, "Drift"],
    of: Ints,
    size: int,
    gone: Floats,
    lost: dict[str, Floats],
) -> dict[str, Floats]:
    """Return changes of ratings without each cluster of votes, in portions to save memory."""
    P = len(both.players)
    changes = {name: np.empty((size, P)) for name in lost}
    at_once = max(1, MOST_AT_ONCE // P**2)
    for start in range(0, size, at_once):
        end = min(start + at_once, size)
        in_portion = np.flatnonzero((of >= start) & (of < end))
        played = both.game[in_portion]
        at = (of[in_portion] - start, both.first[played], both.second[played])
        met = _table(at, gone[in_portion], (end - start, P, P))
        for name, less in lost.items():
            moved = drifts[name].without(met, _table(at, less[in_portion], met.shape))
            changes[name][start:end] = moved
    return changes


def _table(at: tuple[Ints, Ints, Ints], weight: Floats, shape: tuple[int, ...]) -> Floats:
    table = np.zeros(shape)
    np.add.at(table, at, weight)
    return table


@dataclass(frozen=True, eq=False)
class Drift:
    """Expected drift of Elo ratings.

    met, scored (P, P): games of an ordered pair, and the points of its first. rating (P,): the end
    of the drift; by_met, by_scored (P, P, P): its derivative by the share of games and of points of
    a pair.
    """

    met: Floats
    scored: Floats
    rating: Floats
    by_met: Floats
    by_scored: Floats

    def without(self, met: Floats, scored: Floats) -> Floats:
        """Return changes of the ratings without each of G clusters of games (G, P, P): (G, P)."""
        n = self.met.sum()
        rest = (n - met.sum(axis=(1, 2)))[:, None, None]
        less_met = (self.met - met) / rest - self.met / n
        less_scored = (self.scored - scored) / rest - self.scored / n
        return np.asarray(
            np.einsum("gij,pij->gp", less_met, self.by_met)
            + np.einsum("gij,pij->gp", less_scored, self.by_scored)
        )


def drift(met: Floats, scored: Floats, *, k: float = K, start: float = START) -> Drift:
    """Play the expected games of these pairs, as many as there are."""
    P, n = len(met), met.sum()
    steps = int(min(max(n, 1), MOST_STEPS))
    gain = k * n / steps
    m, s = met / n, scored / n
    pairs = np.argwhere(met > 0)
    i, j = pairs[:, 0], pairs[:, 1]
    lane = np.arange(len(pairs))
    rating = np.full(P, start)
    slopes = np.zeros((P, 2 * len(pairs)))  # by the share of games, then by that of points
    force = np.zeros((P, 2 * len(pairs)))
    force[i, len(pairs) + lane], force[j, len(pairs) + lane] = 1.0, -1.0
    for _ in range(steps):
        expected = 1 / (1 + np.exp((rating[None, :] - rating[:, None]) * (np.log(10) / SCALE)))
        flow = s - m * expected
        steep = m * expected * (1 - expected) * (np.log(10) / SCALE)
        steep = steep + steep.T
        pull = np.diag(steep.sum(axis=1)) - steep
        force[i, lane], force[j, lane] = -expected[i, j], expected[i, j]
        slopes = slopes + gain * (force - pull @ slopes)
        rating = rating + gain * (flow.sum(axis=1) - flow.sum(axis=0))
    by_met, by_scored = np.zeros((P, P, P)), np.zeros((P, P, P))
    by_met[:, i, j], by_scored[:, i, j] = slopes[:, : len(pairs)], slopes[:, len(pairs) :]
    return Drift(met, scored, rating, by_met, by_scored)
