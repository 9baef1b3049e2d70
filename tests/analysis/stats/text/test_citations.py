"""Which passages are cited, against the published numbers and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.stats.text.citations import (
    citation_by_rank,
    citation_density,
    citation_order,
    overlaps,
    ranks_of_citations,
)
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.text.conftest import QUICK, STYLES, tiny

BY_ORIGIN = {"by": ["origin"], "bootstrap": QUICK}


def one_text(text, **settings):
    return tiny([("t", "news", "human", text)], **settings)


# --- against the published numbers --------------------------------------------------------------

# Gienapp et al. 2025: mean Jaccard in bullets, essays, news.
JACCARD = {
    ("human", "retrieved"): (0.224, 0.430, 0.287),
    ("llm", "retrieved"): (0.543, 0.406, 0.432),
    ("human", "llm"): (0.305, 0.375, 0.306),
}


@pytest.mark.corpus
def test_it_meets_the_published_overlaps(all_prose):
    frame = overlaps(all_prose, bootstrap=QUICK).frame.set_index(["one", "other", "style"])
    for pair, expected in JACCARD.items():
        values = [frame.value[(*pair, style)] for style in STYLES]
        assert values == pytest.approx(expected, abs=0.002)
    assert set(frame.n) == {301}
    # The paper's +- is a standard deviation, which says nothing about the mean.
    assert (frame.high - frame.low < frame.sd / 3).all()


@pytest.mark.corpus
def test_without_non_responses_people_overlap_a_little_more(prose):
    frame = overlaps(prose, bootstrap=QUICK).frame.set_index(["one", "other", "style"])
    for pair, expected in JACCARD.items():
        values = [frame.value[(*pair, style)] for style in STYLES]
        assert values == pytest.approx(expected, abs=0.0065)


@pytest.mark.corpus
def test_responses_follow_the_ranking_as_published(prose):
    # about .56 and .61 once ranks are correlated; the paper correlates the ids of passages
    frame = citation_order(prose, **BY_ORIGIN).frame.set_index("origin")
    assert frame.value["human"] == pytest.approx(0.56, abs=0.006)
    assert frame.value["llm"] == pytest.approx(0.61, abs=0.006)
    assert (frame.n["human"], frame.n["llm"]) == (868, 897)


@pytest.mark.corpus
def test_the_best_passages_are_cited_most(prose):
    frame = citation_by_rank(prose, **BY_ORIGIN).frame.set_index(["origin", "rank"])
    for origin in ("human", "llm"):
        share = frame.value[origin]
        assert share[1] > 2 * share[20]
        assert share.sum() == pytest.approx({"human": 6.34, "llm": 9.20}[origin], abs=0.01)
    ranks = ranks_of_citations(prose, **BY_ORIGIN).frame
    ranks = ranks.set_index(["origin", "statistic", "cited"]).value
    for origin in ("human", "llm"):
        for statistic in ("mean", "median", "mean_of_medians"):
            assert ranks[origin, statistic, True] < ranks[origin, statistic, False]


# --- laws ---------------------------------------------------------------------------------------


@given(order=st.lists(st.integers(0, 5), min_size=2, max_size=12))
@settings(max_examples=20, deadline=None)
def test_the_order_is_scipys_spearman_of_first_citations(order):
    first = list(dict.fromkeys(order))
    prose = one_text(" and ".join(f"so [{number}]" for number in order), passages=6)
    if len(first) < 2:
        with cannot_compute("no_citations"):
            citation_order(prose)
    else:
        value = citation_order(prose).frame.value[0]
        assert value == pytest.approx(spearmanr(range(len(first)), first).statistic)


def test_overlaps_by_hand():
    prose = tiny(
        [
            ("t", "news", "human", "a [0, 1]"),
            ("t", "news", "human", "b [1]"),
            ("t", "news", "llm", "c [1, 2]"),
            ("t", "essay", "llm", "cites nothing"),
        ]
    )
    frame = overlaps(prose, by=["style"]).frame.set_index(["style", "one", "other"])
    news = frame.value["news"]
    assert news["human", "llm"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert news["human", "human"] == 1 / 2
    assert news["human", "retrieved"] == pytest.approx((2 / 4 + 1 / 4) / 2)
    assert frame.value["essay", "llm", "retrieved"] == 0


def test_ranks_by_hand():
    prose = one_text("a [0], b [3], again [0]")
    frame = ranks_of_citations(prose, by=["origin"]).frame.set_index(["statistic", "cited"])
    assert frame.value["mean", True] == 2.5
    assert frame.value["median", False] == 2.5
    assert frame.n["mean", True] == 2
    assert frame.n["mean_of_medians", True] == 1
    assert citation_by_rank(prose).frame.value.tolist() == [1, 0, 0, 1]


@given(places=st.lists(st.booleans(), min_size=1, max_size=10).filter(any))
@settings(max_examples=20, deadline=None)
def test_densities_average_to_one(places):
    prose = one_text("".join("words [0]. " if here else "more words. " for here in places))
    frame = citation_density(prose, bins=7).frame
    assert frame.value.mean() == pytest.approx(1)
    assert (frame.end - frame.start).to_numpy() == pytest.approx(np.full(7, 1 / 7))


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "measure",
    [citation_by_rank, citation_density, citation_order, overlaps, ranks_of_citations],
)
def test_it_says_that_nothing_is_cited(measure):
    with cannot_compute("no_citations"):
        measure(one_text("words alone"))


def test_it_refuses_no_bins():
    with bad_setting("bins"):
        citation_density(one_text("words [0]"), bins=0)
