"""Measures of style and the differences at equal style on the Crowd RAG Corpus 2025."""

import pytest

from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.style_adjustment import adjust_for_style
from analysis.stats.text.style_measures import style_measures
from benchmarks.mixed import votes_on

pytestmark = pytest.mark.corpus


def test_model_leads_people_at_equal_style_by_less_than_without(corpus, written):
    votes = MixedVotes.from_frame(votes_on(corpus, "quality_overall"))
    fit = adjust_for_style(votes, style_measures(written.responses))
    plain = fit.plain.difference("llm", "human")
    assert plain == pytest.approx((0.671, 0.498, 0.844), abs=2e-3)
    assert fit.adjusted.difference("llm", "human") == pytest.approx((0.536, 0.315, 0.757), abs=5e-3)
    assert next(iter(fit.inflation.values())) == pytest.approx(3.97, abs=0.02)
    assert fit.adjusted.adjusted([("llm", "human")]) < 0.001
