"""Reuse of cited passages."""

import time

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics import BLEU

from analysis.stats.text.prose import read_prose
from analysis.stats.text.reuse import reuse
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.stats.text.conftest import QUICK, STYLES, tiny


@pytest.fixture(scope="session")
def reused(prose):
    began = time.process_time()
    result = reuse(prose, bootstrap=QUICK)
    return result, time.process_time() - began


@pytest.mark.corpus
def test_it_meets_the_published_shares(reused):
    # Gienapp et al. 2025: share of pairs under BLEU 25 in bullets, essays, news; the
    # paper counts an uncited statement as a pair with BLEU 0, which adds .003.
    shares = reused[0].shares.set_index(["origin", "statistic", "style"]).sort_index()
    people = [shares.value["human", "under", style] for style in STYLES]
    assert people == pytest.approx([0.457, 0.906, 0.663], abs=0.006)
    assert shares.value["llm", "under"].min() > 0.99
    assert shares.n.groupby("statistic").sum()["under"] == 22_980


@pytest.mark.corpus
def test_it_equals_sacrebleu_on_texts_of_the_corpus(reused, prose):
    oracle = BLEU(max_ngram_order=8, lowercase=True, effective_order=True)
    sample = reused[0].pairs.sample(60, random_state=1)
    told = prose.statements.set_index(["response", "statement"]).text
    passages = prose.passages.set_index(["topic", "rank"]).text
    for pair in sample.itertuples():
        lines = [line for line in passages[pair.topic, pair.rank].splitlines() if line.strip()]
        expected = oracle.sentence_score(told[pair.response, pair.statement], lines).score
        assert pair.bleu == pytest.approx(expected, abs=1e-9)


@pytest.mark.corpus
def test_the_whole_corpus_takes_seconds(reused):
    # 7 s of computing; sacrebleu pair by pair takes 110
    assert reused[1] < 25


@pytest.mark.corpus
def test_longer_sequences_are_reused_less(reused):
    curves = reused[0].curves
    for _, curve in curves.groupby(["origin", "style"]):
        assert curve.order.tolist() == list(range(1, 9))
        assert (np.diff(curve.value) < 0).all()


@pytest.mark.parametrize("between", ["\n\n", " "])
def test_a_copied_line_or_sentence_is_told_from_own_words(between):
    text = "It takes two to tango, as they say. [0] Nobody knows [0] and nobody cares."
    responses = pd.DataFrame([("r", "t", "news", "human", text)])
    responses.columns = ["response", "topic", "style", "origin", "text"]
    told = f"It takes two to tango, as they say.{between}A line that is not used by anybody at all."
    passages = pd.DataFrame([("t", 1, told)], columns=["topic", "rank", "text"])
    prose = read_prose(responses, passages, least_words=0)
    result = reuse(prose, by=[], sentences=True)
    assert result.pairs.bleu.tolist() == pytest.approx([100, 0])
    assert result.uncited == 1
    assert result.shares.set_index("statistic").value["under"] == 0.5
    assert result.distribution.value.tolist() == [0.5] * 100 + [1.0]


def test_it_says_that_nothing_is_cited():
    with cannot_compute("no_citations"):
        reuse(tiny([("t", "news", "human", "words alone")]))
