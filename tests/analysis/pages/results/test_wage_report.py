"""What an hour earned: the median with an exact interval, beside what the paper prints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.pages.results.wage_report import sentences, wages_of
from analysis.stats.effects.medians import exact_median


def test_the_interval_is_that_of_the_books():
    # Conover (1999), 3.2: of n = 16 the 95 % interval of the median is from the 4th to the 13th.
    found = exact_median(range(1, 17))
    assert (found.value, found.low, found.high, found.n) == (8.5, 4, 13, 16)


def test_median_interval_needs_six_values():
    assert exact_median([1, 2, 3, 4, 5]).low is None
    assert (exact_median([1, 2, 3, 4, 5, 6]).low, exact_median([1, 2, 3, 4, 5, 6]).high) == (1, 6)


@given(st.lists(st.floats(0, 1e6), min_size=6, max_size=80))
def test_the_median_lies_in_its_interval(values):
    found = exact_median(values)
    assert found.low <= found.value <= found.high


@pytest.mark.corpus
def test_the_judging_of_the_corpus_meets_the_paper_by_the_median_and_not_by_the_sum(
    imported_corpus_study,
):
    wages = wages_of(imported_corpus_study)
    assert wages.printed == 13.20
    assert wages.by_median.low < 13.20 < wages.by_median.high
    assert wages.by_sum == pytest.approx(11.75, abs=0.01)
    text = " ".join(sentences(wages))
    assert "within the interval of the median" in text
    assert "All pay divided by all hours is 1.45 less" in text
    assert "25.0 minutes per submission; the mean here is 28.1, the median 24.9" in text
    assert (wages.minutes.n, wages.untimed) == (359, 91)
