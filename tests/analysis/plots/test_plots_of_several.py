"""The plots that several draw: each has its axis, its reference, and the numbers it was given."""

import pytest

from analysis.plots import Curve, CurvePoint, ForestEstimate, citations
from analysis.plots.agreement import agreement
from tests.analysis.plots.plotted import assert_sound, written

ROWS = [ForestEstimate("Overall", 0.25, 0.125, 0.5, n=1352)]
LINES = [Curve("Human", [CurvePoint(1, 0.6, 0.5, 0.7), CurvePoint(5, 0.9, 0.8, 1)], n=455)]
NULL = [ForestEstimate("Overall", 0.25, 0.125, 0.5, null_low=-0.02, null_high=0.02)]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (agreement(ROWS, title="A"), ["Krippendorff's alpha", "chance 0", "0.250 [0.125, 0.500]"]),
        (agreement(NULL, title="A"), ["shuffled votes", "chance 0"]),
        (citations.by_rank(LINES, title="R"), ["rank of the passage", "share of texts citing it"]),
        (citations.density(LINES, title="D"), ["density of citations", "evenly spread", "Human"]),
        (citations.reuse(LINES, title="B"), ["sentence BLEU", "share of statements"]),
    ],
    ids=lambda value: "" if isinstance(value, str) else value[0],
)
def test_a_plot_says_what_it_measures_and_what_it_was_given(drawn, said):
    assert_sound(drawn)
    text = " ".join(written(drawn))
    for words in said:
        assert words in text
