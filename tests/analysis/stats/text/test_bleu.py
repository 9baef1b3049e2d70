"""Sentence BLEU against sacrebleu."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from analysis.stats.text.bleu import sentence_bleu
from tests.analysis.coded_errors import bad_setting, cannot_compute

lines = st.lists(
    st.sampled_from(["a", "A", "b", "cd", "e.", "3,5", "1-2", "(b", "-\n", "a&amp;b", "\t", "..,"]),
    max_size=12,
).map(" ".join)


def one(text, references, **settings):
    zero = np.zeros(1, dtype=int)
    return sentence_bleu([text], [references], text=zero, reference=zero, **settings)


@pytest.mark.parametrize(("order", "lowercase"), [(8, True), (4, False), (1, True)])
@given(
    texts=st.lists(lines, min_size=1, max_size=4),
    references=st.lists(st.lists(lines, min_size=1, max_size=3), min_size=1, max_size=3),
)
@settings(max_examples=60, deadline=None)
def test_it_equals_sacrebleu(order, lowercase, texts, references):
    text, reference = (axis.ravel() for axis in np.indices((len(texts), len(references))))
    result = sentence_bleu(
        texts, references, text=text, reference=reference, order=order, lowercase=lowercase
    )
    oracle = BLEU(max_ngram_order=order, lowercase=lowercase, effective_order=True)
    for pair, (t, r) in enumerate(zip(text, reference, strict=True)):
        expected = oracle.sentence_score(texts[t], references[r])
        assert result.score[pair] == pytest.approx(expected.score, abs=1e-9)
        assert result.matched[pair].tolist() == expected.counts
        assert result.offered[pair].tolist() == expected.totals


def test_a_copy_scores_a_hundred_and_a_stranger_nothing():
    text = "It takes two, as they say."
    assert one(text, ["Something else altogether.", text], order=8).score[0] == pytest.approx(100)
    assert one(text, ["Nobody knows why"], order=8).score[0] == 0


def test_words_of_any_script_are_compared():
    assert one("مرحبا 🍁 naïve", ["مرحبا 🍁 naïve"]).score[0] == pytest.approx(100)


def test_a_text_or_reference_without_words_scores_nothing():
    assert one("", ["a b"]).score[0] == 0
    assert one("a b", [""]).score[0] == 0
    assert one("a b", []).score[0] == 0


def test_it_says_that_there_is_nothing_to_compare():
    none = np.zeros(0, dtype=int)
    with cannot_compute("no_references"):
        sentence_bleu([], [], text=none, reference=none)
    with bad_setting("order"):
        one("a", ["a"], order=0)
