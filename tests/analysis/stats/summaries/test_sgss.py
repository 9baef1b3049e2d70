"""SGSS: the printed vectors of Sakai et al., and what holds for any summary."""

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.summaries.comprehensiveness import comprehensiveness
from analysis.stats.summaries.user_experience import (
    CHARACTERS_A_MINUTE,
    PARTS,
    RatedSection,
    RatedSummary,
    Weights,
    mean_gains,
    most_lines,
    xux,
    xux_by_section,
)
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.summaries.by_line import (
    top_heavy_parts,
    without_first_section,
    without_headings,
    xux_by_chance,
)

THIRD = Weights(os=1 / 3, of=1 / 3, or_=1 / 3, hr=1, srel=1 / 2, sf=1 / 2)
UNIT = st.floats(0, 1)


def section(*labels, heading=None):
    heading = [1.0] * len(labels) if heading is None else heading
    return RatedSection(relevance=list(labels), faithfulness=list(labels), heading=heading)


def summary(*sections, **of_overview):
    return RatedSummary(
        sufficiency=1, faithfulness=1, representativeness=1, sections=sections, **of_overview
    )


LAST_IS_WORTH_NOTHING = summary(section(1, 1), section(1, 0, heading=[1, 0]))


def test_figure_3_where_the_last_lines_are_worth_nothing():
    """Seven lines of a section each; X = 1 1 1 1 1 .8333 .7143, XUX .9354, XUX_F .9286."""
    last = RatedSection(relevance=[0], faithfulness=[0], heading=[0])
    shown = summary(section(1), section(1), last)
    assert mean_gains(shown, THIRD) == pytest.approx([1, 1, 1, 1, 1, 5 / 6, 5 / 7])
    assert xux(shown, THIRD) == pytest.approx(0.9354, abs=5e-5)
    assert xux_by_section(shown, THIRD) == pytest.approx(0.9286, abs=5e-5)


def test_a_deleted_heading_stays_a_line():
    """Without the line XUX would rise: .865 -> 1.0 instead of falling."""
    with_headings = summary(section(1, 1, heading=[0.5, 0.5]))
    kept = summary(section(1, 1, heading=[0, 0]))
    assert len(kept.gains(THIRD)) == len(with_headings.gains(THIRD))
    assert xux(kept, THIRD) < xux(with_headings, THIRD)


def test_xux_is_linear_in_its_weights():
    weights = Weights(os=0.2, of=0.5, or_=0.1, hr=0.7, srel=0.4, sf=0.3)
    shown = RatedSummary(
        sufficiency=0.5,
        faithfulness=1,
        representativeness=0.5,
        sections=[RatedSection([1, 0.5], [0, 1], [1, 0.5]), RatedSection([0.5], [1], [0])],
    )
    for limit in (None, 4):
        phi = top_heavy_parts(shown, most_lines=limit)
        w = np.array([getattr(weights, part) for part in PARTS])
        assert w @ phi == pytest.approx(xux(shown, weights, most_lines=limit))


def test_degraded_copies():
    shown = summary(section(1, 1), section(0.5))
    bare = without_headings(shown)
    assert len(bare.gains(THIRD)) == len(shown.gains(THIRD))
    assert xux(bare, THIRD) < xux(shown, THIRD)
    cut = without_first_section(shown)
    assert cut.sections == shown.sections[1:]


def test_lines_beyond_the_limit_are_not_read():
    shown = LAST_IS_WORTH_NOTHING
    assert xux(shown, THIRD, most_lines=4) == pytest.approx(mean_gains(shown, THIRD)[:4].mean())
    assert xux(shown, THIRD, most_lines=99) == xux(shown, THIRD)
    assert most_lines(characters_a_line=100) == 5
    assert most_lines(characters_a_line=100, characters_a_minute=CHARACTERS_A_MINUTE["en"]) == 9
    with cannot_compute("no_lines_read"):
        xux(shown, THIRD, most_lines=0)
    with pytest.raises(BadSetting):
        most_lines(characters_a_line=0)


def test_readers_who_stop_anywhere_alike_have_the_plain_measure():
    shown = LAST_IS_WORTH_NOTHING
    lines = len(shown.gains(THIRD))
    assert xux_by_chance(shown, THIRD, [1 / lines] * lines) == pytest.approx(xux(shown, THIRD))
    ends = [1 if line in (1, 4, 7) else 0 for line in range(1, lines + 1)]
    chances = [end / 3 for end in ends]
    assert xux_by_chance(shown, THIRD, chances) == pytest.approx(xux_by_section(shown, THIRD))


def test_the_overview_may_come_last():
    shown = summary(section(0), overview_first=False)
    assert mean_gains(shown, THIRD) == pytest.approx([1, 1 / 2, 2 / 3])
    assert shown.section_ends == [2, 3]


@given(st.lists(st.lists(st.tuples(UNIT, UNIT, UNIT), min_size=1, max_size=4), max_size=4))
def test_with_weights_that_add_up_to_one_it_stays_within_one(labels):
    sections = [RatedSection(*map(list, zip(*label, strict=True))) for label in labels]
    shown = summary(*sections)
    assert 0 <= xux(shown, THIRD) <= 1 + 1e-12
    assert 0 <= xux_by_section(shown, THIRD) <= 1 + 1e-12


def test_a_section_has_statements():
    with bad_setting("a section"):
        summary(RatedSection([], [], []))
    with pytest.raises(BadSetting):
        summary(RatedSection([1], [1, 1], [1]))


@pytest.mark.parametrize(
    ("gains", "expected"), [((1, 1, 0.5), 0.983471), ((0, 0.5, 1), 0.792481), ((1, 1, 1), 1)]
)
def test_figure_4_and_its_like(gains, expected):
    assert comprehensiveness(gains) == pytest.approx(expected, abs=5e-7)


@given(st.lists(UNIT, min_size=1, max_size=9).filter(any))
def test_it_is_the_entropy_of_the_middle_less_the_mean_of_both(gains):
    F = np.array(gains) / sum(gains)
    U = np.full(len(gains), 1 / len(gains))
    entropy = [scipy.stats.entropy(p, base=2) for p in ((F + U) / 2, F, U)]
    reference = 1 - (entropy[0] - (entropy[1] + entropy[2]) / 2)
    assert comprehensiveness(gains) == pytest.approx(reference, abs=1e-9)


def test_what_cannot_be_computed():
    with cannot_compute("no_sections_covered"):
        comprehensiveness([0, 0])
    for gains in ([], [2], [-1]):
        with pytest.raises(BadSetting):
            comprehensiveness(gains)


def test_reading_speeds_have_the_mean_that_their_authors_give():
    speeds = [speed for language, speed in CHARACTERS_A_MINUTE.items() if language != "ko"]
    assert len(speeds) == 17
    assert round(np.mean(speeds)) == 863
    assert np.std(speeds, ddof=1) == pytest.approx(234, abs=1)
