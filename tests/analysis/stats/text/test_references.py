"""Measures against the best response, with the grades of the others."""

import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import sentence_bleu as sacre

from analysis.stats.text.references import bleu_scores, reference_based
from analysis.stats.text.rouge import longest_common_subsequence, rouge_l, rouge_tokens
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.text.conftest import QUICK

TEXTS = pd.DataFrame(
    [
        ("best", "t", "the cat sat on the mat today"),
        ("near", "t", "the cat sat on the mat"),
        ("half", "t", "the cat sat in a hat"),
        ("far", "t", "nobody knows why"),
    ],
    columns=["response", "topic", "text"],
)


def graded(*grades):
    names = TEXTS.response[: len(grades)]
    return pd.DataFrame({"response": names, "dimension": "overall", "grade": grades})


# --- against the published numbers --------------------------------------------------------------


@pytest.fixture(scope="session")
def referenced(prose, grades):
    long = grades.melt("response", var_name="dimension", value_name="grade")
    texts = prose.responses[prose.responses.response.isin(grades.response)]
    names = ["dimension", "measure", "comparison"]
    published = reference_based(texts, long, swapped=True, bootstrap=QUICK)
    right = reference_based(texts, long, measures=["bleu"], bootstrap=QUICK)
    return {True: published.frame.set_index(names), False: right.frame.set_index(names)}


@pytest.mark.corpus
def test_it_meets_the_published_correlations(referenced):
    # Gienapp et al. 2025, overall quality. The published code hands sacrebleu the
    # reference as the text and the text as the reference.
    published = referenced[True].value["quality_overall"]
    assert published["bleu", "full"] == pytest.approx(0.268, abs=0.006)
    assert published["rouge_l", "full"] == pytest.approx(0.255, abs=0.006)
    assert set(referenced[True].n) == {65}


@pytest.mark.corpus
def test_the_right_way_round_bleu_tells_a_little_more(referenced):
    right = referenced[False].value["quality_overall"]
    assert right["bleu", "full"] == pytest.approx(0.282, abs=0.002)


# --- ROUGE-L ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "plain", "stemmed"),
    [
        # rouge-score 0.1.2, rougeL, fmeasure, without and with use_stemmer
        (
            "The runner was running through the forests, quickly and happily.",
            "A quick runner ran through a forest; it was happy running!",
            0.28571428571428564,
            0.28571428571428564,
        ),
        (
            "Naïve café-goers paid 3.50 in 2024, generally speaking.",
            "In 2024 the generous goers generally spoke of paying 3.50.",
            0.2727272727272727,
            0.2727272727272727,
        ),
        (
            "They were running happily and generously.",
            "He runs happy, and generous.",
            0.1818181818181818,
            0.5454545454545454,
        ),
    ],
)
def test_it_equals_rouge_score(one, other, plain, stemmed):
    for stems, expected in ((False, plain), (True, stemmed)):
        tokens = (rouge_tokens(text, stems=stems) for text in (one, other))
        assert rouge_l(*tokens) == pytest.approx(expected, abs=1e-12)


tokens = st.lists(st.sampled_from("abcd"), max_size=70)


@given(one=tokens, other=tokens)
@settings(max_examples=60, deadline=None)
def test_the_common_subsequence_is_that_of_the_plain_recurrence(one, other):
    row = [0] * (len(other) + 1)
    for a in one:
        before = 0
        for place, b in enumerate(other, start=1):
            before, row[place] = (
                row[place],
                before + 1 if a == b else max(row[place], row[place - 1]),
            )
    assert longest_common_subsequence(one, other) == row[-1]
    assert longest_common_subsequence(other, one) == row[-1]


# --- correlations -------------------------------------------------------------------------------


def test_bleu_is_sacrebleus_sentence_bleu():
    told = dict(zip(TEXTS.response, TEXTS.text, strict=True))
    pairs = [("best", "near"), ("half", "near"), ("near", "best")]
    expected = [sacre(told[text], [told[reference]]).score for reference, text in pairs]
    assert bleu_scores(told, pairs) == pytest.approx(expected)
    assert bleu_scores(told, pairs[:1], swapped=True) == pytest.approx(expected[2:])


def test_a_measure_that_knows_the_grades_correlates_fully():
    frame = reference_based(TEXTS, graded(4, 3, 2, 1)).frame
    assert frame.value.to_numpy() == pytest.approx(np.ones(4))
    assert np.isnan(frame.low).all()  # one topic
    frame = reference_based(TEXTS, graded(4, 1, 2, 3)).frame
    assert frame.value.to_numpy() == pytest.approx(-np.ones(4))


def test_each_of_several_best_responses_is_the_reference_once():
    frame = reference_based(TEXTS, graded(4, 4, 1, 0), measures=["rouge_l"]).frame
    assert frame.set_index("comparison").value["best_worst"] == 1


def test_topics_without_differences_are_counted():
    result = reference_based(TEXTS, graded(2, 2, 2, 2))
    assert result.undefined == 4
    assert result.frame.empty


# --- refusals -----------------------------------------------------------------------------------


def test_it_says_that_two_responses_are_too_few():
    with cannot_compute("no_comparable_topics"):
        reference_based(TEXTS, graded(2, 1))


def test_it_says_which_package_bertscore_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    with cannot_compute("not_installed", match="bert-score"):
        reference_based(TEXTS, graded(3, 2, 1), measures=["bertscore"])


def test_it_refuses_what_it_cannot_read():
    with bad_setting("measures"):
        reference_based(TEXTS, graded(3, 2, 1), measures=["meteor"])
    with cannot_compute("missing_columns"):
        reference_based(TEXTS, graded(3, 2, 1).drop(columns="grade"))
