"""Verdicts on figures: one rule each, at their limits."""

import pytest

from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, About, about_raters
from analysis.stats.verdicts import (
    AgreementLevel,
    Lead,
    PositionBias,
    Sample,
    alpha_verdict,
    lead_of,
    raters_verdict,
    side_verdict,
    topics_verdict,
)

NAN = float("nan")


def test_raters_are_enough_where_an_interval_is_about_raters_like_them():
    for raters in range(1, 30):
        assert (raters_verdict(raters) == Sample.ENOUGH) == (
            about_raters(raters) is About.LIKE_THESE
        )
    assert raters_verdict(LEAST_WORKERS - 1) == Sample.TOO_FEW
    assert [topics_verdict(LEAST_UNITS + n) for n in (-1, 0)] == [Sample.TOO_FEW, Sample.ENOUGH]
    assert about_raters(None) is About.THESE


@pytest.mark.parametrize(
    ("compared", "best", "about", "lead"),
    [
        (6, 1, About.LIKE_THESE, Lead.WINS),
        (6, 1, About.THESE, Lead.LEADS),
        (6, 6, About.LIKE_THESE, Lead.NO_CLEAR_WINNER),
        (6, 2, About.LIKE_THESE, Lead.NO_CLEAR_WINNER),
        (6, 6, About.THESE, Lead.NO_CLEAR_WINNER),
        (1, 1, About.LIKE_THESE, Lead.NOT_ENOUGH_DATA),
        (0, 2, About.THESE, Lead.NOT_ENOUGH_DATA),
    ],
)
def test_overlap_and_lack_of_data_are_different_claims(compared, best, about, lead):
    assert lead_of(compared=compared, best=best, about=about) == lead


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.48, 0.54, PositionBias.NONE_FOUND),
        (0.38, 0.53, PositionBias.UNCLEAR),
        (NAN, NAN, PositionBias.UNCLEAR),
        (0.505, 0.7, PositionBias.FOUND),
        (0.3, 0.49, PositionBias.FOUND),
    ],
)
def test_wide_interval_does_not_say_that_there_is_no_bias(low, high, verdict):
    assert side_verdict(low, high) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.2, 0.35, AgreementLevel.TYPICAL),
        (-0.02, 0.4, AgreementLevel.CHANCE),
        (0.01, 0.08, AgreementLevel.LOW),
        (0.5, 0.7, AgreementLevel.HIGH),
        (NAN, NAN, AgreementLevel.UNCLEAR),
    ],
)
def test_alpha_is_typical_where_its_interval_meets_that_of_published_studies(low, high, verdict):
    assert alpha_verdict(low, high) == verdict
