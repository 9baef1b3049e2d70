"""Verdicts on figures: one rule each, at their limits."""

import pytest

from analysis.stats.choices import rater_jackknife
from analysis.stats.design_checks import (
    LEAST_UNITS,
    LEAST_WORKERS,
    LEAST_WORKERS_OF_POSITION,
    About,
    about_raters,
)
from analysis.stats.effects import linear_scores
from analysis.stats.verdicts import (
    LEAST_RATERS_ALONE,
    SMALL_EFFECT,
    TYPICAL_ALPHA,
    AgreementVerdict,
    BiasVerdict,
    LeadVerdict,
    SampleVerdict,
    agreement_of,
    bias_of,
    lead_of,
    raters_verdict,
    topics_verdict,
)


def test_raters_are_enough_where_an_interval_is_about_raters_like_them():
    for raters in range(1, 30):
        assert (raters_verdict(raters) == SampleVerdict.ENOUGH) == (
            about_raters(raters) is About.LIKE_THESE
        )
    assert raters_verdict(LEAST_WORKERS - 1) == SampleVerdict.TOO_FEW
    assert [topics_verdict(LEAST_UNITS + n) for n in (-1, 0)] == [
        SampleVerdict.TOO_FEW,
        SampleVerdict.ENOUGH,
    ]
    assert about_raters(None) is About.THESE


@pytest.mark.parametrize(
    ("compared", "best", "about", "lead"),
    [
        (6, 1, About.LIKE_THESE, LeadVerdict.WINS),
        (6, 1, About.THESE, LeadVerdict.LEADS),
        (6, 6, About.LIKE_THESE, LeadVerdict.NO_CLEAR_WINNER),
        (6, 2, About.LIKE_THESE, LeadVerdict.NO_CLEAR_WINNER),
        (6, 6, About.THESE, LeadVerdict.NO_CLEAR_WINNER),
        (1, 1, About.LIKE_THESE, LeadVerdict.NOT_ENOUGH_DATA),
        (0, 2, About.THESE, LeadVerdict.NOT_ENOUGH_DATA),
    ],
)
def test_overlap_and_lack_of_data_are_different_claims(compared, best, about, lead):
    assert lead_of(compared=compared, best=best, about=about) == lead


@pytest.mark.parametrize(
    ("alpha", "low", "high", "verdict"),
    [
        (0.2, None, None, AgreementVerdict.UNCLEAR),
        (0.2, -0.02, 0.5, AgreementVerdict.UNCLEAR),
        (0.1, 0.0, 0.2, AgreementVerdict.UNCLEAR),
        (0.05, 0.01, TYPICAL_ALPHA[0] - 0.01, AgreementVerdict.LOW),
        (0.05, 0.01, TYPICAL_ALPHA[0], AgreementVerdict.LOW_OR_TYPICAL),
        (TYPICAL_ALPHA[0], 0.01, 0.2, AgreementVerdict.TYPICAL),
        (TYPICAL_ALPHA[1], 0.2, 0.6, AgreementVerdict.TYPICAL),
        (0.45, TYPICAL_ALPHA[1], 0.6, AgreementVerdict.TYPICAL_OR_HIGH),
        (0.45, TYPICAL_ALPHA[1] + 0.01, 0.6, AgreementVerdict.HIGH),
    ],
)
def test_agreement_is_compared_with_published_crowds(alpha, low, high, verdict):
    assert agreement_of(alpha, low, high) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (None, None, BiasVerdict.UNCLEAR),
        (0.01, 0.9, BiasVerdict.FOUND),
        (-0.9, -0.01, BiasVerdict.FOUND),
        (-SMALL_EFFECT, SMALL_EFFECT, BiasVerdict.NONE_FOUND),
        (-0.01, SMALL_EFFECT + 0.01, BiasVerdict.UNCLEAR),
        (-SMALL_EFFECT - 0.01, 0.01, BiasVerdict.UNCLEAR),
    ],
)
def test_no_bias_is_found_only_by_a_narrow_interval(low, high, verdict):
    assert bias_of(low, high) == verdict
    turned = (None, None) if low is None else (-high, -low)
    assert bias_of(*turned) == verdict


@pytest.mark.parametrize("module", [linear_scores, rater_jackknife])
def test_intervals_over_raters_alone_take_one_number_of_raters(module):
    assert module.LEAST_RATERS == LEAST_WORKERS_OF_POSITION == LEAST_RATERS_ALONE < LEAST_WORKERS
