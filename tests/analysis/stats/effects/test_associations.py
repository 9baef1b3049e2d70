"""tau-b between questions against scipy, and the published gold labels."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from analysis.stats.effects.associations import associations, question_clusters
from analysis.stats.effects.rank_correlations import tau_b
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS

SCALE = ("a", "n", "b")


@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=30),
)
@settings(deadline=None, max_examples=40)
def test_tau_b_of_a_table_is_that_of_its_rows(rows):
    x, y = np.array(rows).T
    table = np.zeros((4, 3))
    np.add.at(table, (x, y), 1)
    expected = kendalltau(x, y).statistic if min(len(set(x)), len(set(y))) > 1 else np.nan
    assert tau_b(table) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert tau_b(table.T) == pytest.approx(tau_b(table), abs=1e-12, nan_ok=True)
    assert tau_b(table[::-1]) == pytest.approx(-tau_b(table), abs=1e-12, nan_ok=True)


def labelled(n=300, seed=0):
    rng = np.random.default_rng(seed)
    depth = rng.normal(size=n)
    near = {name: depth + 0.5 * rng.normal(size=n) for name in ("deep", "broad")}
    columns = near | {"topical": rng.normal(size=n)}
    return pd.DataFrame(
        {name: np.array(SCALE)[np.digitize(x, [-0.4, 0.4])] for name, x in columns.items()}
    )


def test_every_pair_of_questions_has_the_tau_of_scipy():
    frame = labelled()
    result = associations(frame, options=SCALE, draws=200)
    codes = frame.map(SCALE.index)
    for row in result.frame().itertuples():
        expected = kendalltau(codes[row.first], codes[row.second]).statistic
        assert row.tau == pytest.approx(expected, abs=1e-12)
        assert row.low < row.tau < row.high
    assert result.others[0] == pytest.approx(result.tau[0, 1:].mean())
    assert result.mean == pytest.approx(result.frame().tau.mean())
    assert (result.items, result.undefined_draws) == (300, 0)


def test_the_intervals_are_those_of_drawing_rows():
    frame = labelled(n=80)
    codes = frame[["deep", "topical"]].map(SCALE.index).to_numpy()
    rng = np.random.default_rng(4)
    drawn = [kendalltau(*codes[rng.integers(0, 80, 80)].T).statistic for _ in range(1500)]
    result = associations(frame[["deep", "topical"]], options=SCALE, draws=4000)
    expected = np.quantile(drawn, [0.025, 0.975])
    assert (result.low[0, 1], result.high[0, 1]) == pytest.approx(expected, abs=0.03)


def test_questions_that_are_answered_alike_are_one_cluster():
    result = associations(labelled(), options=SCALE, draws=10)
    clusters = question_clusters(result)
    cluster = dict(zip(clusters.questions, clusters.members, strict=True))
    assert cluster["deep"] == cluster["broad"] != cluster["topical"]
    assert set(clusters.order) == {"deep", "broad", "topical"}
    assert clusters.merges.shape == (2, 4)
    assert len(set(question_clusters(result, threshold=0.01).members)) == 3


def test_items_without_a_label_are_left_out():
    frame = labelled()
    frame.loc[:9, "deep"] = None
    assert associations(frame, options=SCALE, draws=1).items == 290


@pytest.mark.parametrize(
    ("frame", "shown"),
    [
        (labelled()[["deep"]], r"\b1\b"),
        (labelled().iloc[:1], r"\b1\b"),
        (labelled().assign(deep=None), r"\b0\b"),
        (labelled().assign(deep="a"), "'deep'"),
        (labelled().assign(deep="A"), "'A'"),
        (labelled(), "'n'"),
    ],
)
def test_it_refuses_labels_without_a_correlation(frame, shown):
    options = SCALE if "'n'" not in shown else ("a", "b")
    with cannot_compute("labels_not_comparable", match=shown):
        associations(frame, options=options, draws=1)


def test_it_refuses_bad_settings():
    result = associations(labelled(), options=SCALE, draws=1)
    for setting in ({"draws": 0}, {"confidence": 1.0}):
        with bad_setting(next(iter(setting))):
            associations(labelled(), options=SCALE, **setting)
    for setting in ({"linkage": "ward"}, {"threshold": 0.0}):
        with bad_setting(next(iter(setting))):
            question_clusters(result, **setting)


@pytest.mark.corpus
def test_it_meets_the_correlations_of_the_published_gold_labels(ratings):
    # Gienapp et al. (SIGIR 2025), Table 6, over the 1,352 directed pairs
    gold = pd.DataFrame({dimension: ratings[f"{dimension}_gold"] for dimension in DIMENSIONS})
    start = time.process_time()
    result = associations(gold, options=SCALE, draws=1000)
    seconds = time.process_time() - start
    tau = pd.DataFrame(result.tau, index=DIMENSIONS, columns=DIMENSIONS)
    assert tau.loc["correctness_topical", "coherence_logical"] == pytest.approx(0.296, abs=0.0006)
    assert tau.loc["correctness_topical", "quality_overall"] == pytest.approx(0.525, abs=0.0006)
    assert tau.loc["coverage_broad", "coverage_deep"] == pytest.approx(0.575, abs=0.0006)
    assert tau.loc["coherence_logical", "coverage_broad"] == pytest.approx(0.181, abs=0.0006)
    assert result.mean == pytest.approx(0.37, abs=0.005)
    assert (result.items, len(result.frame())) == (1352, 21)
    # promised: about a second
    assert seconds < 3
    clusters = question_clusters(result, threshold=0.6)
    cluster = dict(zip(clusters.questions, clusters.members, strict=True))
    assert cluster["coverage_broad"] == cluster["coverage_deep"] != cluster["coherence_stylistic"]
