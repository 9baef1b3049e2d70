"""Elo ratings from games, over many tournaments: the same games in other orders.

Elo, The Rating of Chessplayers (1978); RAGElo (Rackauckas, Camara and Zavrel 2024). After a game
R_A grows by K (S_A - E_A), E_A = 1 / (1 + 10^((R_B - R_A) / 400)), and R_B shrinks by the same. The
rating depends on the order of the games, so the games are shuffled and the tournaments averaged;
one tournament alone may be far off (a standard deviation of some 40 points over 3,000 games).

Between two players the difference D of their ratings becomes D + 2 K (S - E(D)), which grows with D
as long as K ln(10) / 800 is at most 1: two tournaments with the same last games stay in the order
in which they were before. So if the last games, played from the least and from the greatest
possible D, end at the same D, the games before them do not matter and are not played.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting
from analysis.stats.tournaments.games import Games, no_games

K, START, TOURNAMENTS = 32.0, 1000.0, 500
SCALE = 400.0  # points of difference that make the odds ten to one
STEP = np.log(10) / SCALE
MOST = 25_000_000  # places in orders held at a time; games are played side by side
RECENT = (2_000, 50_000)  # last games of two players that may settle their ratings
SETTLED = 1e-9  # points


@dataclass(frozen=True, eq=False, kw_only=True)
class EloResult:
    """Ratings of P players: mean (P,) and sd (P,) at the end of each tournament.

    sd is the spread between orders of the same games, not an interval of a player's strength: other
    topics or raters are not in it. It is NaN for a single tournament.
    """

    players: Sequence[Hashable]
    mean: Floats
    sd: Floats
    games: int
    tournaments: int
    k: float
    start: float
    truncated: bool
    seed: int


def elo(
    games: Games,
    *,
    k: float = K,
    start: float = START,
    tournaments: int = TOURNAMENTS,
    truncated: bool = False,
    shuffled: bool = True,
    seed: int = 0,
) -> EloResult:
    """Compute ratings over shuffled tournaments, or once in the order of games (`shuffled=False`).

    truncated: each update is cut down to a whole number, as the published tool did. That loses
    about half a point of either player in each game, so the ratings drift down; it is there to
    compare with published numbers. Raises CannotCompute (no_games), BadSetting.
    """
    if not len(games):
        raise no_games("The Elo rating")
    if k <= 0:
        raise BadSetting("k", k, "above 0")
    if tournaments < 1:
        raise BadSetting("tournaments", tournaments, "1 or more")
    count = tournaments if shuffled else 1
    last_games = partial(_last_games, len(games), count, shuffled, seed)
    ratings = None
    if len(games.players) == 2 and not truncated:
        ratings = _recent_between_two(games, last_games, k, start)
    if ratings is None:
        portions = last_games(len(games))
        ratings = np.concatenate([_played(games, some, k, start, truncated) for some in portions])
    spread = ratings.std(axis=0, ddof=1) if count > 1 else np.full(len(games.players), np.nan)
    return EloResult(
        players=games.players,
        mean=ratings.mean(axis=0),
        sd=spread,
        games=len(games),
        tournaments=count,
        k=k,
        start=start,
        truncated=truncated,
        seed=seed,
    )


def _last_games(n: int, count: int, shuffled: bool, seed: int, length: int) -> "Iterator[Ints]":
    """Yield the last games of orders of n, (length, T) at a time; portions change nothing."""
    if not shuffled:
        yield np.arange(n)[-length:, None]
        return
    rng = np.random.default_rng(seed)
    size = max(1, MOST // length)
    for begun in range(0, count, size):
        orders = np.empty((length, min(size, count - begun)), dtype=np.int32)
        for tournament in range(orders.shape[1]):
            orders[:, tournament] = rng.permutation(n)[-length:]
        yield orders


def _played(games: Games, orders: Ints, k: float, start: float, truncated: bool) -> Floats:
    """Return the ratings (T, P) after T tournaments (n, T), side by side, game by game."""
    T = orders.shape[1]
    if len(games.players) == 2 and not truncated:
        return _of_two(_apart(games, orders, k, np.zeros((1, T)))[0], start)
    ratings = np.full(len(games.players) * T, start, dtype=np.float64)  # player by player
    everyone = np.arange(T)
    first, second = games.first * T, games.second * T
    for game in orders:
        a, b = first[game] + everyone, second[game] + everyone
        of_a, of_b = ratings[a], ratings[b]
        expected = 1 / (1 + np.exp((of_b - of_a) * STEP))
        gain = k * (games.score[game] - expected)
        of_a += gain
        of_b -= gain
        ratings[a] = np.trunc(of_a) if truncated else of_a
        ratings[b] = np.trunc(of_b) if truncated else of_b
    return ratings.reshape(-1, T).T


def _recent_between_two(
    games: Games, last_games: "Callable[[int], Iterator[Ints]]", k: float, start: float
) -> Floats | None:
    """Return the ratings (T, 2) if the last games settle them (see the module), else None."""
    if k * STEP > 2:
        return None
    # n wins in a row raise exp(D ln(10) / 400) by at most exp(2 K ln(10) / 400) - 1 each
    most = np.log1p(len(games) * np.expm1(2 * k * STEP)) / STEP
    for length in RECENT:
        if length >= len(games):
            return None
        ends = np.concatenate(
            [
                _apart(games, orders, k, np.full((2, orders.shape[1]), [[-most], [most]]))
                for orders in last_games(length)
            ],
            axis=1,
        )
        if np.ptp(ends, axis=0).max() <= SETTLED:
            return _of_two(ends.mean(axis=0), start)
    return None


def _apart(games: Games, orders: Ints, k: float, apart: Floats) -> Floats:
    """Play T tournaments (n, T) of two players from each row of apart (S, T); return it.

    apart: the first player's rating less the second's, which is all that changes.
    """
    gain = 2 * k * np.where(games.first == 0, games.score, 1 - games.score)
    own, expected = np.empty(orders.shape[1]), np.empty_like(apart)
    for game in orders:
        np.multiply(apart, -STEP, out=expected)
        np.exp(expected, out=expected)
        expected += 1
        np.divide(2 * k, expected, out=expected)
        gain.take(game, out=own, mode="clip")
        np.subtract(own, expected, out=expected)
        apart += expected
    return apart


def _of_two(apart: Floats, start: float) -> Floats:
    """Return the ratings (T, 2) of two players with these differences (T,)."""
    return np.asarray(start + np.outer(apart, [0.5, -0.5]))
