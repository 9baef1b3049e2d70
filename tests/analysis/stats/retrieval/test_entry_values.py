"""Scores by entries as matrices: nuggetizer's values, plain loops, leads, unknown cells."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.retrieval import entry_values
from analysis.stats.retrieval.entry_values import COVER, EntryValues, lead_of, means_of
from analysis.stats.retrieval.nugget_scores import NUGGET_SCORES, WEIGHTS

TOPICS = {"a": "t", "b": "t", "c": "t", "d": "u"}
KINDS = st.sampled_from(["vital", "okay", "avoid", ""])
CELLS = st.dictionaries(
    st.tuples(st.sampled_from(["x", "y"]), st.sampled_from([*TOPICS])),
    st.sampled_from([0.0, 0.5, 1.0]),
)


def values_of(cells):
    frame = pd.DataFrame(
        [(*pair, v) for pair, v in cells.items()], columns=["system", "entry", "value"]
    )
    return EntryValues.of(frame, ["x", "y"], TOPICS)


def test_scores_are_those_that_nuggetizer_publishes():
    """Vital supported, vital partial, okay not: .5, 1/3, .75, .5 (calculate_nugget_scores)."""
    values = values_of({("x", "a"): 1.0, ("x", "b"): 0.5, ("x", "c"): 0.0})
    importance = {"a": "vital", "b": "vital", "c": "okay"}
    names = ("strict vital", "strict all", "vital", "all")
    scores = [means_of(values, importance, name)[0] for name in names]
    assert scores == pytest.approx([0.5, 1 / 3, 0.75, 0.5])


def plain(labels, kinds, weight_of, *, strict):
    """Return the weighted mean support of a topic, by a loop over its entries."""
    total = weights = 0
    for label, kind in zip(labels, kinds, strict=True):
        weight = weight_of.get(kind or "okay", 0)
        weights += weight
        total += weight * (int(label == 1) if strict else label)
    return total / weights if weights else 0


@given(CELLS, st.dictionaries(st.sampled_from([*TOPICS]), KINDS, min_size=1))
def test_scores_equal_a_plain_loop(cells, importance):
    values, topics = values_of(cells), sorted({TOPICS[key] for key in importance})
    for name in NUGGET_SCORES:
        weights = WEIGHTS[name.removeprefix("strict ")]
        if weights.keys().isdisjoint(kind or "okay" for kind in importance.values()):
            continue
        wanted = []
        for system in ("x", "y"):
            scores = []
            for topic in topics:
                keys = [key for key in importance if TOPICS[key] == topic]
                labels = [cells.get((system, key), 0) for key in keys]
                kinds = [importance[key] for key in keys]
                scores.append(plain(labels, kinds, weights, strict=name.startswith("strict")))
            wanted.append(np.mean(scores))
        assert means_of(values, importance, name) == pytest.approx(wanted)


def test_cover_leaves_out_avoided_entries_and_their_topics():
    values = values_of({("x", "a"): 1.0, ("x", "d"): 1.0})
    importance = {"a": "", "b": "okay", "d": "avoid"}
    assert means_of(values, importance, COVER).tolist() == [0.5, 0]
    assert values.by_topic(importance, "okay")[0] == ["t", "u"]


def test_an_entry_without_grades_counts_as_zero_and_no_entries_as_nothing():
    values = values_of({("x", "a"): 1.0, ("x", "b"): 1.0})
    bank = {"a": "vital", "b": "vital"}
    assert means_of(values.without("a"), bank, "vital").tolist() == [0.5, 0]
    assert np.isnan(means_of(values, {}, "vital")).all()


def test_the_lead_is_claimed_where_it_is_clear():
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.05, (3, 20))
    clear = lead_of(["x", "y", "z"], noise + np.array([[0.9], [0.5], [0.1]]))
    assert (clear.first, clear.second, clear.close, clear.why) == ("x", "y", (), "")
    assert clear.low < clear.difference < clear.high
    close = lead_of(["x", "y", "z"], noise + np.array([[0.5], [0.5], [0.1]]))
    assert len(close.close) == 1
    assert close.low < 0 < close.high


def test_few_topics_have_no_interval_and_one_system_no_lead():
    lead = lead_of(["x", "y"], np.array([[1.0, 1.0], [0.0, 0.5]]))
    assert (lead.close, lead.why, math.isnan(lead.low)) == (("y",), "topics", True)
    assert lead_of(["x"], np.ones((1, 20))) is None
    same = lead_of(["y", "x"], np.ones((2, 20)))
    assert (same.first, same.close, same.why) == ("x", ("y",), "differences")


def boards_without_an_equal_leader(*, seeds):
    """Return how many boards of 8 equal systems call one clearly worse than the first."""
    scores = (np.random.default_rng(seed).normal(0, 1, (8, 20)) for seed in range(seeds))
    return sum(len(lead_of(list("abcdefgh"), of_board).close) < 7 for of_board in scores)


def test_equal_systems_are_seldom_called_worse_than_the_first(monkeypatch):
    """Family-wise error at most 5%, with 2.7 standard errors; without the family it is 52%."""
    assert boards_without_an_equal_leader(seeds=100) <= 11
    monkeypatch.setattr(entry_values, "max_t", lambda p, centred: p)
    assert boards_without_an_equal_leader(seeds=100) > 40
