"""Elo ratings: published vectors, a plain loop, and what must hold for any games."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.tournaments import elo as elo_module
from analysis.stats.tournaments.elo import elo
from analysis.stats.tournaments.games import Games, played, win_matrix, wins
from tests.analysis.coded_errors import cannot_compute

PLAYERS = "ABCD"


def games(*rows):
    return Games.from_frame(pd.DataFrame(rows, columns=["first", "second", "score"]))


TWICE = games(("A", "B", 1), ("A", "B", 1))


@pytest.mark.parametrize(
    ("truncated", "expected"), [(False, (1030.530, 969.470)), (True, (1030, 969))]
)
def test_two_wins_from_1000_with_k_32(truncated, expected):
    """The RAGElo package prints 1033/966 in its documentation, from an inverted expected score."""
    result = elo(TWICE, truncated=truncated, shuffled=False)
    assert result.mean == pytest.approx(expected, abs=5e-4)
    assert np.isnan(result.sd).all()


def by_loop(rows, k, start, truncated):
    ratings = dict.fromkeys(sorted({name for a, b, _ in rows for name in (a, b)}), start)
    for a, b, score in rows:
        expected = 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400))
        ratings[a], ratings[b] = (
            ratings[a] + k * (score - expected),
            ratings[b] - k * (score - expected),
        )
        if truncated:
            ratings[a], ratings[b] = int(ratings[a]), int(ratings[b])
    return list(ratings.values())


ROWS = st.lists(
    st.tuples(
        st.sampled_from(PLAYERS), st.sampled_from(PLAYERS), st.sampled_from((0, 0.5, 1))
    ).filter(lambda row: row[0] != row[1]),
    min_size=1,
    max_size=30,
)


@given(ROWS, st.booleans())
def test_it_is_the_plain_loop(rows, truncated):
    result = elo(games(*rows), k=24, start=1500, truncated=truncated, shuffled=False)
    assert result.mean == pytest.approx(by_loop(rows, 24, 1500, truncated), abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from((0, 0.5, 1))), min_size=1, max_size=50))
def test_games_of_two_players_are_the_plain_loop(ends):
    rows = [(*("AB" if first else "BA"), score) for first, score in ends]
    result = elo(games(*rows), k=24, start=1500, shuffled=False)
    assert result.mean == pytest.approx(by_loop(rows, 24, 1500, False), abs=1e-9)


@pytest.mark.parametrize(
    ("won", "k", "played"),
    [
        (0.5, 32, [2000]),
        (0.9, 32, [2000]),
        (0.99, 32, [2000, 50_000]),
        (1, 32, [2000, 50_000, 60_000]),
        (0.5, 400, [60_000]),
    ],
)
def test_the_last_games_of_two_players_give_the_ratings_of_all(won, k, played, monkeypatch):
    """A study with 100 % wins never settles, and with a large K the order is not kept."""
    rng = np.random.default_rng(5)
    score = rng.choice([0, 0.5, 1], size=60_000, p=[(1 - won) / 2, (1 - won) / 2, won])
    frame = pd.DataFrame({"first": "A", "second": "B", "score": score})
    lengths = []
    monkeypatch.setattr(elo_module, "_apart", noting(elo_module._apart, lengths))
    recent = elo(Games.from_frame(frame), k=k, tournaments=3)
    assert lengths == played
    monkeypatch.setattr(elo_module, "RECENT", ())
    whole = elo(Games.from_frame(frame), k=k, tournaments=3)
    assert recent.mean == pytest.approx(whole.mean, abs=1e-9)
    assert recent.sd == pytest.approx(whole.sd, abs=1e-9)


def noting(apart, lengths):
    def noted(games, orders, *rest):
        lengths.append(len(orders))
        return apart(games, orders, *rest)

    return noted


@given(ROWS)
def test_no_point_is_made_or_lost_and_who_is_first_does_not_matter(rows):
    result = elo(games(*rows), tournaments=5)
    assert result.mean.mean() == pytest.approx(1000)
    turned = games(*((b, a, 1 - score) for a, b, score in rows))
    assert elo(turned, tournaments=5).mean == pytest.approx(result.mean)


def test_truncation_loses_about_a_point_a_game():
    """RAGElo, table 6: 3,000 games of six agents from 1,000 points end at a mean of 501.8."""
    rng = np.random.default_rng(6)
    pairs = [(a, b) for a in range(6) for b in range(a)] * 200
    rows = [(a, b, rng.choice([0, 0.5, 1])) for a, b in pairs]
    result = elo(games(*rows), truncated=True, tournaments=20)
    assert result.games == 3000
    assert result.mean.mean() == pytest.approx(500, abs=10)
    assert (elo(games(*rows), tournaments=20).sd > 10).all()


def test_the_same_seed_plays_the_same_tournaments():
    rows = [("A", "B", 1), ("B", "C", 1), ("C", "A", 0.5), ("A", "C", 0)]
    first, again, other = (elo(games(*rows), tournaments=9, seed=seed) for seed in (1, 1, 2))
    assert list(first.mean) == list(again.mean) != list(other.mean)


def test_wins_and_the_win_matrix():
    result = games(("A", "B", 1), ("B", "A", 1), ("A", "B", 0.5), ("A", "C", 1))
    assert wins(result).tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert played(result).tolist() == [[0, 3, 1], [3, 0, 0], [1, 0, 0]]
    matrix = win_matrix(result)
    assert matrix.share[0] == pytest.approx([np.nan, 1 / 3, 1], nan_ok=True)
    assert matrix.average == pytest.approx([2 / 3, 1 / 3, 0])  # B and C never met


def test_bad_games_are_refused_with_a_sentence():
    with cannot_compute("no_games"):
        elo(games())
    with cannot_compute("no_games"):
        win_matrix(games())
    with cannot_compute("own_opponent", match="'A'"):
        games(("A", "A", 1))
    with cannot_compute("unknown_outcome", match="2"):
        games(("A", "B", 2))
    for setting in ({"k": 0}, {"tournaments": 0}):
        with pytest.raises(BadSetting):
            elo(TWICE, **setting)
