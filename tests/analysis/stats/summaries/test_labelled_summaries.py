"""Scores from labels: the same values as from the lines, and intervals that cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.summaries.comprehensiveness import comprehensiveness
from analysis.stats.summaries.labelled_summaries import (
    LabelledSection,
    LabelledSummary,
    even_weights,
    geometric_stops,
)
from analysis.stats.summaries.user_experience import (
    PARTS,
    RatedSection,
    RatedSummary,
    Weights,
    xux,
    xux_by_section,
)
from tests.analysis.stats.summaries.by_line import (
    top_heavy_parts,
    without_first_section,
    without_headings,
    xux_by_chance,
)

THIRD = Weights(os=1 / 3, of=1 / 3, or_=1 / 3, hr=1, srel=1 / 2, sf=1 / 2)
UNIT = st.sampled_from([0.0, 0.5, 1.0])
STATEMENT = st.tuples(UNIT, UNIT, UNIT)
SECTIONS = st.lists(st.lists(STATEMENT, min_size=1, max_size=3), min_size=1, max_size=3)


def labelled(overview, sections, *, covered=None, every=None, first=True):
    """Labels that everybody gives alike, as numbers."""
    return LabelledSummary(
        key="s",
        topic="t",
        overview=dict(zip(("os", "of", "or_"), overview, strict=True)),
        sections=[
            LabelledSection(f"s:{k}", *map(list, zip(*section, strict=True)))
            for k, section in enumerate(sections)
        ],
        covered=covered or {},
        every=every or [f"s:{k}" for k in range(len(sections))],
        overview_first=first,
    )


def plain(overview, sections, *, first=True):
    made = [
        RatedSection(relevance=r, faithfulness=s, heading=h)
        for section in sections
        for h, r, s in [map(list, zip(*section, strict=True))]
    ]
    return RatedSummary(*overview, sections=made, overview_first=first)


@given(st.tuples(UNIT, UNIT, UNIT), SECTIONS, st.booleans(), st.none() | st.integers(1, 9))
def test_they_are_the_measures_of_the_lines(overview, sections, first, most):
    mine, theirs = (make(overview, sections, first=first) for make in (labelled, plain))
    size = len(theirs.gains(THIRD))

    def scored(read, of=mine):
        return of.user_experience(THIRD, read).value()

    assert scored(mine.reading(most)) == pytest.approx(xux(theirs, THIRD, most_lines=most))
    assert scored(mine.reading_sections()) == pytest.approx(xux_by_section(theirs, THIRD))
    stops = geometric_stops(size, 0.3)
    assert stops.sum() == pytest.approx(1)
    assert scored(stops) == pytest.approx(xux_by_chance(theirs, THIRD, list(stops)))
    assert mine.parts(most) == pytest.approx(top_heavy_parts(theirs, most_lines=most))
    for degrade, theirs_too in (
        (LabelledSummary.without_headings, without_headings),
        (LabelledSummary.without_first_section, without_first_section),
    ):
        copy = degrade(mine)
        expected = xux(theirs_too(theirs), THIRD)
        assert copy.user_experience(THIRD, copy.reading()).value() == pytest.approx(expected)


def test_comprehensiveness_of_figure_4():
    """Sakai et al., figure 4: gains 0, .5, 1 give .792481; 1, 1, .5 give .983471."""
    every = ["s:0", "o:1", "o:2"]
    one = [[(1.0, 1.0, 1.0)]]
    low = labelled((1, 1, 1), one, every=every, covered={"o:1": {"r": 0.5}, "o:2": {"r": 0.0}})
    high = labelled((1, 1, 1), one, every=every, covered={"o:1": {"r": 1.0}, "o:2": {"r": 0.5}})
    assert low.comprehensiveness().value() == pytest.approx(0.792481, abs=5e-7)
    assert high.comprehensiveness().value() == pytest.approx(0.983471, abs=5e-7)
    cut = low.without_first_section()
    assert cut.gains[0] == 0
    assert labelled((1, 1, 1), one, every=every).gains == [1, None, None]


def test_the_change_of_comprehensiveness_is_that_of_its_formula():
    every = ["s:0", "o:1", "o:2"]
    covered = {"o:1": {"a": 1.0, "b": 0.0}, "o:2": {"a": 1.0, "b": 0.5}}
    linear = labelled((1, 1, 1), [[(1.0,) * 3]], every=every, covered=covered).comprehensiveness()
    assert linear.value() == pytest.approx(comprehensiveness([1, 0.5, 0.75]))
    slopes = [slope for slope, _ in linear.terms]
    for slope, step in zip(slopes, ([0, 1e-3, 0], [0, 0, 1e-3]), strict=True):
        up, down = (comprehensiveness([1 + a, b, c]) for a, b, c in _moved(step))
        assert slope == pytest.approx((up - down) / 2e-3, rel=1e-3)


def _moved(step):
    middle = np.array([0, 0.5, 0.75])
    return middle + step, middle - step


def test_what_was_asked_shares_a_line():
    assert even_weights(("os", "or_", "srel", "sf")) == Weights(
        os=0.5, of=0, or_=0.5, hr=0, srel=0.5, sf=0.5
    )
    assert even_weights(PARTS) == THIRD


def test_a_label_that_is_missing_is_counted_and_needed():
    shown = labelled((1, None, 1), [[(1, None, 1)]])
    assert shown.lacks(THIRD) == 2
    assert shown.lacks(Weights(of=0, srel=0)) == 0
    with pytest.raises(BadSetting):
        shown.user_experience(THIRD, shown.reading())


def test_one_vote_has_no_interval():
    shown = labelled(({"a": 1.0}, 1, 1), [[(1.0, 1.0, 1.0)]])
    score = shown.user_experience(THIRD, shown.reading()).scored(confidence=0.95)
    assert (score.value, score.low, score.n, score.raters) == (pytest.approx(1), None, 1, 1)
    with pytest.raises(BadSetting):
        geometric_stops(3, 2)


def test_intervals_cover_what_other_raters_would_say():
    """Raters with leanings of their own, five of them on every part: 95 % within 2 points."""
    rng = np.random.default_rng(7)
    held, tries, raters = 0, 1500, 5
    truth = rng.uniform(0.2, 0.8, 9)
    for _ in range(tries):
        leaning = rng.normal(0, 0.1, raters)
        votes = truth[:, None] + leaning + rng.normal(0, 0.2, (9, raters))
        labels = [dict(enumerate(row)) for row in votes.tolist()]
        shown = labelled(labels[:3], [[tuple(labels[3:6]), tuple(labels[6:9])]])
        exact = labelled(list(truth[:3]), [[tuple(truth[3:6]), tuple(truth[6:9])]])
        score = shown.user_experience(THIRD, shown.reading()).scored(confidence=0.95)
        held += score.low <= exact.user_experience(THIRD, exact.reading()).value() <= score.high
    assert held / tries == pytest.approx(0.95, abs=0.02)
