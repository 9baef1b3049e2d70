"""Elo beside Elo: derivatives against leaving out by hand, what must hold, and coverage."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.design_checks import About
from analysis.stats.tournaments import elo_comparison as beside
from analysis.stats.tournaments.elo import elo
from analysis.stats.tournaments.elo_comparison import drift, elo_beside
from analysis.stats.tournaments.games import Games
from tests.analysis.coded_errors import cannot_compute

SYSTEMS = "ABC"
PAIRS = ("AB", "BC", "AC")


def drawn(rng, *, topics=12, workers=12, votes=3):
    """Games of three systems, of which A is best, and votes of workers on them."""
    rows, said = [], []
    for topic in range(topics):
        for first, second in PAIRS:
            item, lead = len(rows), rng.normal(0.5, 0.5)
            rows.append((item, topic, first, second, rng.choice([0, 0.5, 1], p=[0.3, 0.2, 0.5])))
            for worker in rng.choice(workers, votes, replace=False):
                said.append((item, int(worker), float(rng.logistic() < lead)))
    return (
        pd.DataFrame(rows, columns=["item", "topic", "first", "second", "score"]),
        pd.DataFrame(said, columns=["item", "worker", "score"]),
    )


def ends(found, name):
    return found.frame[[f"{name}low", f"{name}high"]].to_numpy()


def test_a_judge_who_says_what_people_say_has_their_ratings():
    games, votes = drawn(np.random.default_rng(1), votes=1)
    games = games.assign(score=votes.set_index("item")["score"].reindex(games["item"]).to_numpy())
    result = elo_beside(games, votes, tournaments=20)
    assert (result.frame["difference"] == 0).all()
    assert result.frame["rating"].to_numpy() == pytest.approx(result.frame["people_rating"])
    oracle = elo(Games.from_frame(games), tournaments=20)
    assert list(result.frame.sort_values("system")["rating"]) == pytest.approx(list(oracle.mean))
    assert ends(result, "difference_") == pytest.approx(np.zeros((3, 2)), abs=1e-9)


def test_several_votes_are_one_game_of_their_mean():
    games, votes = drawn(np.random.default_rng(2), votes=4)
    result = elo_beside(games, votes, tournaments=10, seed=3)
    assert result.games == len(games) == 36
    means = games.assign(score=votes.groupby("item")["score"].mean().to_numpy())
    again = elo_beside(means, votes, tournaments=10, seed=3)
    assert again.frame["rating"].to_numpy() == pytest.approx(again.frame["people_rating"])


def test_the_drift_goes_where_tournaments_go_on_average():
    games, _ = drawn(np.random.default_rng(3), topics=60)
    met, scored = np.zeros((3, 3)), np.zeros((3, 3))
    for row in games.itertuples():
        at = SYSTEMS.index(row.first), SYSTEMS.index(row.second)
        met[at] += 1
        scored[at] += row.score
    expected = elo(Games.from_frame(games), tournaments=2000).mean
    assert drift(met, scored).rating == pytest.approx(expected, abs=6)


def test_derivatives_say_what_leaving_out_does():
    """Oracle: the drift itself without some games, with as many of the others in their place."""
    rng = np.random.default_rng(4)
    met = np.triu(rng.integers(20, 60, (4, 4)).astype(float), 1)
    scored = met * rng.uniform(0.2, 0.8, (4, 4))
    less_met, less_scored = np.zeros((4, 4)), np.zeros((4, 4))
    less_met[0, 2], less_scored[0, 2] = 1, 1
    less_met[1, 3], less_scored[1, 3] = 2, 0.5
    whole = drift(met, scored)
    n, left = met.sum(), met.sum() - 3
    oracle = drift((met - less_met) * n / left, (scored - less_scored) * n / left)
    moved = whole.without(less_met[None], less_scored[None])[0]
    assert np.abs(moved).max() > 0.5
    assert moved == pytest.approx(oracle.rating - whole.rating, rel=0.05, abs=0.05)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000))
def test_no_point_is_lost_and_names_mean_nothing(seed):
    games, votes = drawn(np.random.default_rng(seed), topics=4, workers=4)
    frame = elo_beside(games, votes, tournaments=3).frame
    for name in ("rating", "people_rating"):
        assert frame[name].sum() == pytest.approx(3000)
    turned = games.assign(first=games["second"], second=games["first"], score=1 - games["score"])
    again = elo_beside(turned, votes.assign(score=1 - votes["score"]), tournaments=3).frame
    assert again["rating"].to_numpy() == pytest.approx(frame["rating"].to_numpy())
    assert again["people_rating"].to_numpy() == pytest.approx(frame["people_rating"].to_numpy())


def test_an_interval_wants_topics():
    rng = np.random.default_rng(5)
    found = elo_beside(*drawn(rng, topics=9), tournaments=2)
    assert np.isnan(ends(found, "")).all()
    assert "10 topics" in found.why_alone
    assert np.isnan(ends(found, "difference_")).all()
    assert "10 topics" in found.why


@pytest.mark.parametrize(("workers", "about"), [(5, About.THESE), (12, About.LIKE_THESE)])
def test_of_few_people_intervals_do_not_depend_on_who_gave_which_vote(workers, about):
    games, votes = drawn(np.random.default_rng(5), workers=workers)
    found = elo_beside(games, votes, tournaments=2)
    assert (found.about, found.why) == (about, "")
    turned = votes.groupby("item")["worker"].transform(lambda who: np.roll(who, 1))
    dealt = votes.assign(worker=turned.where(votes["item"] % 2 == 0, votes["worker"]))
    again = elo_beside(games, dealt, tournaments=2)
    for name in ("people_rating_", "difference_"):
        same = ends(again, name) == pytest.approx(ends(found, name), abs=1e-6)
        assert same == (about == About.THESE)


def test_without_a_game_of_both_there_is_no_rating():
    games, votes = drawn(np.random.default_rng(6))
    with cannot_compute("no_games"):
        elo_beside(games.head(0), votes)


def test_a_worker_who_judged_an_item_alone_takes_its_game_along():
    """Oracle: the drift of people and judge without the games of that worker."""
    games, votes = drawn(np.random.default_rng(7), votes=1)
    result = elo_beside(games, votes, tournaments=2)
    assert result.workers == 12
    assert (ends(result, "people_rating_")[:, 1] > ends(result, "people_rating_")[:, 0]).all()


def test_intervals_cover_other_topics_and_people():
    """40 studies of 12 topics and 12 people; what more have shown stands in the documentation."""
    found = []
    for seed in range(40):
        games, votes = drawn(np.random.default_rng(seed))
        frame = elo_beside(games, votes, tournaments=30, seed=seed).frame
        found.append(frame.set_index("system").sort_index())
    for name, low, high in (
        ("rating", "low", "high"),
        ("people_rating", "people_rating_low", "people_rating_high"),
        ("difference", "difference_low", "difference_high"),
    ):
        true = sum(each[name] for each in found) / len(found)
        held = [((each[low] <= true) & (true <= each[high])).mean() for each in found]
        assert np.mean(held) > 0.88


def test_clusters_that_are_computed_one_by_one_have_the_same_intervals(monkeypatch):
    games, votes = drawn(np.random.default_rng(4), topics=20, workers=20)
    whole = elo_beside(games, votes, tournaments=5).frame
    monkeypatch.setattr(beside, "MOST_AT_ONCE", 9)  # a table of three systems
    assert whole["low"].notna().all()
    pd.testing.assert_frame_equal(elo_beside(games, votes, tournaments=5).frame, whole)
