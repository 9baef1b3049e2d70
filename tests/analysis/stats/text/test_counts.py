"""Words, statements, documents and citations of responses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, ttest_1samp

from analysis.stats.text.counts import count_responses
from analysis.stats.text.prose import read_prose
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise
from annotation.texts.words import count_pieces
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.text.conftest import QUICK, tiny

TEXTS = [
    ("t1", "news", "human", "One thing [0]. Another [0, 2]. And an end."),
    ("t1", "news", "human", "Nothing is cited here"),
    ("t2", "essay", "llm", "All at once [1][3] and [9]"),
]


def table(result, *by):
    return result.summary.set_index([*by, "measure"])


# --- against the published numbers --------------------------------------------------------------


@pytest.mark.corpus
def test_the_twelve_non_responses_are_left_out_and_counted(prose):
    assert (len(prose.responses), prose.non_responses) == (1794, 12)
    assert prose.unknown_citations == 1


@pytest.mark.corpus
def test_it_meets_the_published_documents(all_prose):
    # Gienapp et al. 2025: people cite 6.3 documents a response, the LLM 9.2
    result = table(count_responses(all_prose, by=["origin"], bootstrap=QUICK), "origin").value
    assert result["human", "documents"] == pytest.approx(6.3, abs=0.05)
    assert result["llm", "documents"] == pytest.approx(9.2, abs=0.05)


@pytest.mark.corpus
def test_it_meets_the_published_citations(all_prose):
    # ibid.: 2.10 / 1.35 citations a document, 1.62 / 1.93 a statement, each the mean of the three
    # styles. For people we find 2.087, or 2.094 if malformed brackets such as [0,1,] count.
    result = count_responses(all_prose, bootstrap=QUICK).summary
    mean = result.groupby(["origin", "measure"]).value.mean()
    assert mean["human", "citations_per_document"] == pytest.approx(2.10, abs=0.015)
    assert mean["llm", "citations_per_document"] == pytest.approx(1.35, abs=0.006)
    assert mean["human", "citations_per_statement"] == pytest.approx(1.62, abs=0.006)
    assert mean["llm", "citations_per_statement"] == pytest.approx(1.93, abs=0.006)
    assert (result.low < result.value).all()
    assert (result.value < result.high).all()


# --- laws ---------------------------------------------------------------------------------------


def test_it_counts_what_is_there():
    result = count_responses(tiny(TEXTS))
    counts = result.responses[["words", "statements", "documents", "citations"]]
    assert counts.to_numpy().tolist() == [[6, 3, 2, 3], [4, 1, 0, 0], [4, 2, 2, 2]]
    assert result.unknown_citations == 1
    pooled = table(result, "origin", "style").value
    assert pooled["human", "news", "citations_per_document"] == 3 / 2
    assert pooled["human", "news", "citations_per_statement"] == 3 / 4


def test_words_are_counted_as_pages_count_them_or_as_a_paper_did():
    assert list(tiny(TEXTS).responses.words) == [6, 4, 4]
    assert list(tiny(TEXTS, count=count_pieces).responses.words) == [9, 4, 6]


def test_without_groups_everything_is_one():
    result = count_responses(tiny(TEXTS), by=[]).summary.set_index("measure")
    assert (result.n["words"], result.topics["words"]) == (3, 2)
    assert result["median"]["documents"] == 2


values = st.lists(st.floats(-9, 9), min_size=10, max_size=30)


@given(x=values, topics=st.integers(1, 15))
@settings(max_examples=30, deadline=None)
def test_estimates_are_those_of_numpy_and_lie_among_the_values(x, topics):
    frame = pd.DataFrame({"topic": np.arange(len(x)) % topics, "x": x})
    for statistic in ("mean", "median"):
        row = summarise(frame, "x", [], bootstrap=QUICK, statistic=statistic).iloc[0]
        assert row.value == pytest.approx(getattr(np, statistic)(x), abs=1e-9)
        offered = row.topics >= 10 and min(x) < max(x)
        assert offered != np.isnan(row.low)
        if offered:
            assert min(x) - 1e-9 <= row.low <= row.high <= max(x) + 1e-9


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_intervals_vary_as_topics_drawn_one_by_one_do(statistic):
    rng = np.random.default_rng(3)
    topic = np.repeat(np.arange(40), 3)
    frame = pd.DataFrame({"topic": topic, "x": rng.normal(size=40)[topic] + rng.normal(size=120)})
    parts = [part.to_numpy() for _, part in frame.groupby("topic").x]
    plain = [
        getattr(np, statistic)(np.concatenate([parts[t] for t in rng.integers(0, 40, 40)]))
        for _ in range(2000)
    ]
    row = summarise(frame, "x", [], bootstrap=Bootstrap(draws=4000), statistic=statistic).iloc[0]
    # t of 40 topics ends at 2.0227, and its bootstrap is too narrow by sqrt(39 / 40)
    tail = norm.sf(2.0227 * np.sqrt(40 / 39))
    assert (row.low, row.high) == pytest.approx(np.quantile(plain, [tail, 1 - tail]), abs=0.04)


def test_the_interval_of_few_topics_is_about_that_of_t():
    """Oracle: scipy's t interval of the means of topics."""
    x = norm.ppf(np.linspace(0.05, 0.95, 12))
    frame = pd.DataFrame({"topic": range(12), "x": x})
    row = summarise(frame, "x", [], bootstrap=Bootstrap(draws=20_000)).iloc[0]
    ends = ttest_1samp(x, 0).confidence_interval()
    assert (row.low, row.high) == pytest.approx((ends.low, ends.high), abs=0.03)


@pytest.mark.parametrize(
    ("topics", "x"),
    [(1, [1.0, 2.0, 6.0]), (9, range(27)), (20, [1.0] * 20)],
    ids=["one topic", "nine topics", "all alike"],
)
def test_what_says_nothing_of_other_topics_has_no_interval(topics, x):
    frame = pd.DataFrame({"topic": np.arange(len(x)) % topics, "x": x, "m": 2.0})
    for weight in (None, "m"):
        row = summarise(frame, "x", [], bootstrap=QUICK, weight=weight).iloc[0]
        assert row.value == pytest.approx(np.mean(x) / (2 if weight else 1))
        assert np.isnan([row.low, row.high]).all()


# --- refusals -----------------------------------------------------------------------------------


def test_it_says_which_columns_are_missing():
    with cannot_compute("missing_columns", match="origin.*text"):
        read_prose(pd.DataFrame(columns=["response", "topic", "style"]), pd.DataFrame())


def test_it_says_that_no_text_is_long_enough():
    with cannot_compute("no_responses", match="50"):
        tiny(TEXTS[:1], least_words=50)
    with cannot_compute("no_responses", match="3.*50"):
        tiny(TEXTS, least_words=50)


def test_it_refuses_a_bad_setting():
    with bad_setting("confidence"):
        Bootstrap(confidence=1.0)
    with bad_setting("least_words"):
        tiny(TEXTS, least_words=-1)
