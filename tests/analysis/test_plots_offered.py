"""The plots by name: each has its axis, its reference, and the numbers that it was given."""

import pytest

from analysis.plots import Curve, Estimate, Point, Sample
from analysis.plots import offered as plots
from tests.analysis.plotted import assert_sound, written

ROWS = [Estimate("Overall", 0.25, 0.125, 0.5, n=1352)]
LINES = [Curve("Human", [Point(1, 0.6, 0.5, 0.7), Point(5, 0.9, 0.8, 1)], n=455)]
NULL = [Estimate("Overall", 0.25, 0.125, 0.5, null_low=-0.02, null_high=0.02)]
NAMES, CELLS = ["Top", "Log"], [[None, 0.75], [0.25, None]]
TEXTS = [Sample("Human", [40, 46, 60]), Sample("LLM", [15, 20, 30])]


@pytest.mark.parametrize(
    ("svg", "said"),
    [
        (plots.merits(ROWS), ["merit (log scale)", "Overall", "0.25 [0.12, 0.50], 1,352"]),
        (plots.agreement(ROWS), ["Krippendorff’s alpha", "chance 0", "0.250 [0.125, 0.500]"]),
        (plots.agreement(NULL), ["permuted at random", "chance 0"]),
        (plots.competence([0.2, 0.7, 0.9], cut=0.3), ["competence", "cut 0.30"]),
        (plots.order_effects(ROWS), ["share for the right-hand side", "no side preferred 0.500"]),
        (plots.position_effects(ROWS), ["effect of the left side, in merits", "no effect 0 "]),
        (plots.wins(NAMES, CELLS), ["Top", "Log", "0.75", "0.25"]),
        (plots.correlations(NAMES, CELLS), ["Kendall’s tau-b", "Top", "0.75"]),
        (plots.citation_by_rank(LINES), ["rank of the passage", "share that cite it", "Human"]),
        (plots.citation_density(LINES), ["density of citations", "evenly spread", "Human"]),
        (plots.reuse(LINES), ["sentence BLEU", "share of statements up to it", "Human"]),
        (plots.readability(TEXTS, sources=49), ["Flesch reading ease", "cited documents", "LLM"]),
        (plots.stability(LINES), ["votes an item", "Kendall’s tau", "same ranking", "Human"]),
    ],
    ids=lambda value: "" if isinstance(value, str) else value[0],
)
def test_a_plot_says_what_it_measures_and_what_it_was_given(svg, said):
    assert_sound(svg)
    text = " ".join(written(svg))
    for words in said:
        assert words in text
