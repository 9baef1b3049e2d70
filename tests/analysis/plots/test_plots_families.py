"""The families of plots: any finite data has a place, and the numbers are where they belong."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.plots import (
    NARROW,
    WIDE,
    BoxSample,
    Curve,
    CurvePoint,
    Reference,
    Spot,
    boxes,
    curves,
    histogram,
    matrix,
    scatter,
)
from analysis.plots.distribution import bin_edges, binned, five_numbers
from tests.analysis.coded_errors import cannot_plot
from tests.analysis.plots.plotted import assert_sound, parsed, with_class, written

anything = st.floats(allow_nan=False, allow_infinity=False)
widths = st.sampled_from([WIDE, NARROW])
few = settings(max_examples=25, deadline=None)
BAD = [float("nan"), float("inf"), -float("inf")]


@few
@given(st.lists(anything, max_size=30), st.none() | anything, widths)
def test_a_histogram_of_anything_stays_in_its_frame(values, cut, width):
    line = None if cut is None else Reference(cut, "cut")
    assert_sound(histogram(values, title="T", axis="x", cut=line, width=width))


@few
@given(st.lists(st.floats(-2, 2), min_size=1, max_size=40))
def test_every_value_is_in_one_bin(values):
    assert sum(binned(values, (0, 1))) == len(values)


def test_bins_hold_their_lower_edge():
    assert bin_edges((0, 1))[3] == 0.15
    counts = binned([0, 0.15, 0.3, 1], (0, 1))
    assert [k for k, count in enumerate(counts) if count] == [0, 3, 6, 19]


def test_what_lies_below_the_cut_is_shaded_counted_and_told():
    svg = histogram(
        [0.1, 0.2, 0.3, 0.9], title="T", axis="competence", counted="workers",
        cut=Reference(0.3, "cut"), domain=(0, 1),
    )  # fmt: skip
    sentence = "Workers: 4, median 0.25, below the cut of 0.30: 2"
    assert sentence in written(svg)
    assert sentence in parsed(svg)[1].text
    (band,) = with_class(svg, "plot-band")
    (cut,) = with_class(svg, "plot-reference")
    assert float(band.get("x")) + float(band.get("width")) == pytest.approx(
        float(cut.get("x1")), abs=0.11
    )
    assert "cut 0.30" in written(svg)


def test_without_a_cut_none_is_drawn():
    svg = histogram([0.1, 0.9], title="T", axis="x")
    assert with_class(svg, "plot-reference") == with_class(svg, "plot-band") == []


some_samples = st.builds(BoxSample, st.text(), st.lists(anything, max_size=5), st.text(max_size=9))


@few
@example(
    [BoxSample("A", [1.5e308, -1e308]), BoxSample("B", [0.0])], WIDE
)  # no round step is finite
@given(st.lists(some_samples, max_size=5), widths)
def test_boxes_of_anything_stay_in_their_frame(samples, width):
    assert_sound(boxes(samples, title="T", axis="x", width=width))


@few
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_quartiles_are_those_of_numpy(values):
    expected = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    assert five_numbers(values) == pytest.approx(expected, rel=1e-9, abs=1e-6)


@few
@given(st.integers(0, 12), st.data(), widths)
def test_a_matrix_of_anything_stays_in_its_frame(size, data, width):
    cells = [[data.draw(st.none() | anything) for _ in range(size)] for _ in range(size)]
    names = [data.draw(st.text(max_size=40)) for _ in range(size)]
    assert_sound(matrix(names, cells, title="T", meaning="row beats column", width=width))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_matrix_of_a_hundred_systems_stays_small_and_covers_every_cell(width):
    cells = [[None if i == j else (i + 1) / (i + j + 2) for j in range(100)] for i in range(100)]
    svg = matrix([f"S, {k}" for k in range(100)], cells, title="T", meaning="wins", width=width)
    assert_sound(svg)
    assert len(svg) < 400_000
    covered = sum(float(shape.get("width")) for shape in with_class(svg, "plot-cell"))
    across = width - 2 - min(float(shape.get("x")) for shape in with_class(svg, "plot-cell"))
    assert covered == pytest.approx(99 * across, rel=0.02)


def test_sides_of_the_middle_differ_by_more_than_colour():
    svg = matrix(["A", "B"], [[None, 0.75], [0.25, None]], title="T", meaning="row beats column.")
    assert [text for text in written(svg) if text in ("0.75", "0.25")] == ["0.75", "0.25"]
    (under,) = with_class(svg, "plot-under")
    _, low = with_class(svg, "plot-cell")  # 0.75, then 0.25
    assert float(under.get("y1")) > float(low.get("y"))
    assert "Highest 0.75 (A, B), lowest 0.25 (B, A)." in parsed(svg)[1].text


def test_cells_that_are_not_a_matrix_are_refused():
    with cannot_plot("not_square"):
        matrix(["A", "B"], [[1, 0]], title="T", meaning="m")


@st.composite
def points(draw):
    low, y, high = sorted(draw(st.tuples(anything, anything, anything)))
    return CurvePoint(draw(anything), y, *draw(st.sampled_from([(), (low, high)])))


some_curves = st.builds(
    Curve, st.text(), st.lists(points(), max_size=6), st.none() | st.integers(0)
)


@few
@given(st.lists(some_curves, max_size=8), anything, widths)
def test_curves_through_anything_stay_in_their_frame(drawn, null, width):
    references = [Reference(null, "chance")]
    svg = curves(
        drawn, title="T", axis="x", height_axis="y", references=references, width=width
    )  # fmt: skip
    assert_sound(svg)


def test_curves_differ_by_dash_and_sign_and_show_n():
    drawn = [
        Curve(name, [CurvePoint(1, k), CurvePoint(2, 1)], n=455) for k, name in enumerate("AB")
    ]
    svg = curves(drawn, title="T", axis="rank", height_axis="share")
    dashes = {shape.get("stroke-dasharray") for shape in with_class(svg, "plot-line")}
    assert len(dashes) == 2
    signs = {shape.tag for shape in with_class(svg, "plot-fill")}
    assert len(signs) == 2
    assert {"A (n 455)", "B (n 455)", "rank", "share"} <= set(written(svg))


@few
@given(
    st.lists(st.builds(Spot, anything, anything, st.integers(1, 10**6)), max_size=8),
    anything,
    widths,
)
def test_a_scatter_of_anything_stays_in_its_frame(spots, mean, width):
    lines = [Reference(mean, "mean")]
    assert_sound(
        scatter(spots, title="T", axis="x", height_axis="y", references=lines, width=width)
    )


def test_a_scatter_tells_how_many_things_and_its_lines():
    spots = [Spot(1, -0.5, 3), Spot(2, 1)]
    svg = scatter(
        spots, title="T", axis="mean", height_axis="difference",
        references=[Reference(0.25, "mean difference")],
    )  # fmt: skip
    told = parsed(svg)[1].text
    assert told == "difference over mean, 4 in all, from −0.50 to 1.00. mean difference is 0.25."
    assert len(with_class(svg, "plot-fill")) == 2


def test_no_two_of_many_curves_look_the_same():
    drawn = [Curve(f"C{k}", [CurvePoint(1, k), CurvePoint(2, 1)]) for k in range(14)]
    svg = curves(drawn, title="T", axis="x", height_axis="y")
    looks = {
        (shape.get("class"), shape.get("stroke-dasharray"))
        for shape in with_class(svg, "plot-line")
    }
    assert len(looks) == 14


def test_points_are_joined_in_the_order_of_x():
    forward = [CurvePoint(1, 3), CurvePoint(2, 5), CurvePoint(4, 1)]
    drawn = [
        curves([Curve("A", order)], title="T", axis="x", height_axis="y")
        for order in (forward, forward[::-1])
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("bad", BAD)
def test_no_family_takes_what_is_not_finite(bad):
    with cannot_plot("not_finite"):
        histogram([0, bad], title="T", axis="x")
    with cannot_plot("not_finite"):
        boxes([BoxSample("A", [bad])], title="T", axis="x")
    with cannot_plot("not_finite"):
        matrix(["A"], [[bad]], title="T", meaning="m")
    with cannot_plot("not_finite"):
        curves([Curve("A", [CurvePoint(0, bad)])], title="T", axis="x", height_axis="y")


def test_what_does_not_belong_together_is_refused():
    with cannot_plot("bad_interval"):
        curves([Curve("A", [CurvePoint(0, 1, 2, None)])], title="T", axis="x", height_axis="y")
