"""The order of merits foretells votes that it has not seen."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.errors import BadSetting
from benchmarks.held_out import predict_held_out
from benchmarks.prediction import votes_of_ratings
from tests.analysis.coded_errors import cannot_compute


def poll(*, noise: float, topics: int = 12, responses: int = 5, votes: int = 5, seed: int = 1):
    """Responses 0 < 1 < 2 ... of each topic; a vote is for the better one but for the noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(topics):
        for a in range(responses):
            for b in range(a):
                for voter in range(votes):
                    wrong = rng.random() < noise
                    rows.append((f"t{topic}", f"{topic}/{a}", f"{topic}/{b}", voter, "ab"[wrong]))
    frame = pd.DataFrame(rows, columns=["topic", "a", "b", "worker", "value"])
    return frame.assign(question="overall", item=frame["a"] + "|" + frame["b"])


@pytest.mark.parametrize("ranking", ["votes", "weighted votes", "majority labels", "MACE labels"])
def test_an_order_without_noise_is_foretold_whole(ranking):
    # four pairs of ten are neighbours: left out, nothing else tells them apart, and half is right
    share = predict_held_out(poll(noise=0), ranking=ranking).share
    assert share == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("ranking", ["votes", "MACE labels"])
def test_noise_is_foretold_by_half(ranking):
    assert predict_held_out(poll(noise=0.5), ranking=ranking).share == pytest.approx(0.5, abs=0.06)


def test_turning_items_round_changes_nothing():
    votes = poll(noise=0.3)
    turned = votes.rename(columns={"a": "b", "b": "a"}).assign(
        value=votes["value"].map({"a": "b", "b": "a"})
    )
    first, second = (predict_held_out(each, ranking="votes") for each in (votes, turned))
    assert first.share == pytest.approx(second.share, abs=1e-12)


def test_all_votes_are_foretold_from_fewer():
    votes = poll(noise=0.3)
    three = predict_held_out(votes, ranking="votes", votes_per_item=3)
    assert three.votes.sum() == len(votes)
    gap, error = predict_held_out(votes, ranking="votes").ahead_of(three)
    assert gap > -2 * error


def test_neutral_votes_are_not_foretold():
    votes = poll(noise=0.2)
    votes.loc[votes.index % 3 == 0, "value"] = "n"
    assert predict_held_out(votes, ranking="votes").votes.sum() == (votes["value"] != "n").sum()
    with cannot_compute("no_preferences"):
        predict_held_out(votes.assign(value="n"), ranking="majority labels")


def test_it_refuses_what_cannot_be_foretold():
    votes = poll(noise=0.2)
    with cannot_compute("too_few_pairs", match="8 folds"):
        predict_held_out(votes[votes["topic"] == "t0"].head(15), ranking="votes")
    with cannot_compute("missing_columns"):
        predict_held_out(votes.drop(columns="topic"), ranking="votes")
    for broken in ({"ranking": "dice"}, {"folds": 1}, {"votes_per_item": 0}):
        with pytest.raises(BadSetting):
            predict_held_out(votes, **({"ranking": "votes"} | broken))
    with pytest.raises(BadSetting, match="'c'"):
        predict_held_out(votes.assign(value="c"), ranking="votes")


def test_votes_foretell_the_corpus_as_the_review_found(ratings):
    """An independent review: .664 from votes, .656 from majority labels."""
    votes = votes_of_ratings(ratings)
    assert len(votes) == 7 * 6_760
    result = predict_held_out(votes, ranking="votes")
    assert result.share == pytest.approx(0.664, abs=0.004)
    assert result.votes.sum() == 33_955
    labels = predict_held_out(votes, ranking="majority labels")
    gap, error = result.ahead_of(labels)
    assert gap > 2 * error
