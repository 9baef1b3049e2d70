"""Kappa of grades and judgments: Table 5, the tables of exam_pp 0.1.2, and simulated coverage."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.grade_agreement import (
    binary_kappa,
    jackknifed,
    kappa_tables,
    passage_labels,
)
from tests.analysis.coded_errors import cannot_compute

# Judgment and the grades of five entries, a passage each.
TEXT = """
0:00100 0:00021 0:45102 0:00000 0:30042 1:10200 1:54031 1:00300 1:21200 2:55420
2:43100 2:32210 2:00010 3:55544 3:54500 3:44432 3:10000 1:00050 0:22222 2:04444
"""
PASSAGES = TEXT.split()
GRADES = pd.DataFrame(
    [
        ("t", f"p{place}", f"e{entry}", int(grade))
        for place, text in enumerate(PASSAGES)
        for entry, grade in enumerate(text.partition(":")[2])
    ],
    columns=["topic", "passage", "entry", "grade"],
)
JUDGED = {"t": {f"p{place}": int(text[0]) for place, text in enumerate(PASSAGES)}}
# Relevant from, answers: kappas of merged labels, lenient, strict by
# confusion_predicted_judgments_correlation of exam_pp 0.1.2.
EXAM_PP = [
    (1, 1, [0.3, 0.157895, 0.21875], 0.21875, 0.2),
    (1, 2, [0.381443, 0.058824, 0.047619], 0.047619, 0.196429),
    (1, 5, [0.120879, -0.166667, -0.015625], -0.015625, 0.044118),
    (2, 1, [0.2, -0.052632, 0.082569], 0.082569, 0.3),
    (2, 2, [0.390244, 0.058824, 0.134615], 0.134615, 0.381443),
    (2, 5, [0.347826, -0.166667, 0.139785], 0.139785, 0.120879),
]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((998, 2377, 668, 7343), 0.249), ((1211, 4095, 455, 5625), 0.160)],
)
def test_kappa_of_the_published_counts(counts, expected):
    """Dietz (2024), Table 5: questions and nuggets."""
    assert binary_kappa(*counts) == pytest.approx(expected, abs=5e-4)


def test_kappa_without_variation_is_missing():
    assert np.isnan(binary_kappa(5, 0, 0, 0))
    assert np.isnan(binary_kappa(0, 0, 0, 0))


@pytest.mark.parametrize(("relevant", "answers", "merged", "lenient", "strict"), EXAM_PP)
def test_kappas_equal_those_of_exam_pp(relevant, answers, merged, lenient, strict):
    rows = kappa_tables(GRADES, JUDGED, relevant=relevant, answers=[answers])
    kappas = rows.groupby("scheme")["kappa"].apply(list)
    assert kappas["merged"] == pytest.approx(merged, abs=1e-6)
    assert kappas["lenient"] == pytest.approx([lenient], abs=1e-6)
    assert kappas["strict"] == pytest.approx([strict], abs=1e-6)


def test_graded_labels_meet_the_lowest_judgment_of_their_class():
    rows = kappa_tables(GRADES, JUDGED, answers=[1])
    graded = rows[rows["scheme"] == "graded"]
    pairs = dict(zip(graded["label"], graded["judgment"], strict=True))
    assert pairs == {"5": "3", "4": "3", "3": "2", "2": "2", "1": "2", "0": "0"}


def test_the_hand_vector_has_a_kappa_of_minus_a_half():
    """Seed systems, R10: p1 5 2 0 0, p2 4 4 1 0, p3 3 1; judged 3, 0, 2."""
    cells = {"p1": (5, 2, 0, 0), "p2": (4, 4, 1, 0), "p3": (3, 1)}
    rows = [
        ("t", p, str(e), grade) for p, grades in cells.items() for e, grade in enumerate(grades)
    ]
    grades = pd.DataFrame(rows, columns=GRADES.columns)
    tables = kappa_tables(grades, {"t": {"p1": 3, "p2": 0, "p3": 2}}, answers=[1])
    (strict,) = tables[tables["scheme"] == "strict"].to_dict("records")
    assert strict["kappa"] == pytest.approx(-0.5)


def test_labels_are_the_kth_highest_grade():
    labels = passage_labels(GRADES, answers=2).set_index("passage")["label"]
    assert labels["p2"] == 4
    assert labels["p17"] == 0
    few = GRADES[GRADES["entry"] == "e0"]
    assert set(passage_labels(few, answers=2)["label"]) == {0}  # two of one cannot be answered
    with pytest.raises(BadSetting):
        passage_labels(GRADES, answers=0)


def test_grades_need_judgments_of_their_topics():
    with cannot_compute("no_common_passages"):
        kappa_tables(GRADES, {"u": {"p1": 0}})


def test_few_topics_have_no_interval():
    assert kappa_tables(GRADES, JUDGED)["low"].isna().all()


def simulated(rng, topics, passages):
    """Return tp, fp, fn, tn of each topic: two raters who share topics' and passages' effects."""
    effects = rng.normal(0, 0.5, (topics, 1, 1)) + rng.normal(0, 0.4, (topics, 1, 2))
    latent = effects + 0.7 * rng.normal(size=(topics, passages, 1))
    ours, theirs = np.moveaxis(latent + rng.normal(size=(topics, passages, 2)) > [0.5, 1], -1, 0)
    cells = [ours & theirs, ours & ~theirs, ~ours & theirs, ~ours & ~theirs]
    return np.stack([cell.sum(axis=1) for cell in cells], axis=1).astype(float)


@pytest.mark.parametrize("topics", [10, 54])
def test_the_interval_over_topics_covers(topics):
    rng = np.random.default_rng(20261126)
    truth = binary_kappa(*simulated(rng, 20_000, 40).sum(axis=0))
    hits = 0
    for _ in range(500):
        low, high = jackknifed(simulated(rng, topics, 40), lambda t: binary_kappa(*t), 0.95)
        hits += low <= truth <= high
    assert 0.92 <= hits / 500 <= 0.98
