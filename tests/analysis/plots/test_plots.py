"""Plots: what is drawn, what is told, and what is refused."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.plots import (
    NARROW,
    WIDE,
    ForestEstimate,
    Reference,
    empty,
    forest,
    standalone,
    stylesheet,
)
from analysis.plots.curves import Curve, CurvePoint, curves
from analysis.plots.scales import LinearScale, spanning
from analysis.plots.style import palettes
from analysis.plots.text_fitting import interval, probability
from tests.analysis.coded_errors import cannot_plot
from tests.analysis.plots.plotted import SVG, assert_sound, parsed, with_class, written
from tests.services.children import ROOT

anything = st.floats(allow_nan=False, allow_infinity=False)
widths = st.sampled_from([WIDE, NARROW])
few = settings(max_examples=30, deadline=None)


@st.composite
def estimates(draw):
    low, value, high = sorted(draw(st.tuples(anything, anything, anything)))
    bounds = draw(st.sampled_from([(None, None), (low, high)]))
    return ForestEstimate(
        draw(st.text(max_size=60)),
        value,
        *bounds,
        n=draw(st.none() | st.integers(0, 10**7)),
        group=draw(st.sampled_from(["", "Human", 'a,"b"\n<c>'])),
        null_low=bounds[0],
        null_high=bounds[1],
    )


@few
@given(st.lists(estimates(), max_size=6), widths, st.floats(-1e6, 1e6))
def test_a_forest_of_any_finite_numbers_stays_in_its_frame(rows, width, null):
    svg = forest(rows, title="T", axis="merit", references=[Reference(null, "chance")], width=width)
    assert_sound(svg)
    if rows:
        assert len(with_class(svg, "plot-hit")) == len(rows)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_forest_shows_interval_and_n_and_tells_them(width):
    rows = [
        ForestEstimate("Alice", 0.25, 0.125, 0.5, n=1352),
        ForestEstimate("Bob", -0.5, -1, 0, n=7),
    ]
    svg = forest(rows, title="Merits", axis="merit", references=[Reference(0, "mean")], width=width)
    text = written(svg)
    assert "0.25 [0.12, 0.50], 1,352" in text
    assert "−0.50 [−1.00, 0.00], 7" in text
    assert "mean 0" in text
    assert "Alice 0.25 [0.12, 0.50], 1,352" in parsed(svg)[1].text


def test_intervals_stand_where_the_axis_says():
    svg = forest([ForestEstimate("A", 1, 0, 2)], title="T", axis="m", domain=(0, 4))
    whisker, *_ = with_class(svg, "plot-interval")
    axis, *_ = with_class(svg, "plot-axis")
    start, end = float(axis.get("x1")), float(axis.get("x2"))
    assert float(whisker.get("x1")) == start
    assert float(whisker.get("x2")) == pytest.approx((start + end) / 2, abs=0.1)


def test_what_lies_beyond_a_fixed_axis_is_an_arrow():
    svg = forest([ForestEstimate("A", 0.5, -3, 9)], title="T", axis="m", domain=(0, 1))
    assert len(with_class(svg, "plot-arrow")) == 2
    assert_sound(svg)


@pytest.mark.parametrize(("values", "possible", "ends"), [
    ([1.0, 1.0], (-1, 1), (0.9, 1)),  # taus that are all 1: the axis went to 1.10
    ([0.93, 0.97], (0, 1), (0.93, 0.97)),
    ([0.0], (0, 1), (0, 0.6)),
    ([0.31, 1.0], (0, 1), (0.2, 1)),
    ([-0.07, 0.3], (0, 1), (0, 0.3)),
    ([3.0], (0, 1), (0, 1)),
    ([1.0, 1.0], None, (0.9, 1.1)),
])  # fmt: skip
def test_an_axis_ends_where_nothing_more_is_possible(values, possible, ends):
    scale = spanning(values, possible=possible)
    assert (scale.low, scale.high) == pytest.approx(ends)


@pytest.mark.parametrize("value", [5e-324, -5e-324, 3e-308, 1e-300])
def test_an_axis_of_the_smallest_numbers_has_ticks(value):
    for scale in (spanning([0.0, value]), spanning([value]), LinearScale(*sorted((0.0, value)))):
        assert -1 < scale.low < scale.high < 1
        assert all(scale.low <= tick <= scale.high for tick in scale.ticks())
        assert scale.labels()


def test_an_axis_of_shares_and_of_correlations_has_no_number_beyond_one():
    one = forest([ForestEstimate("A", 1.0, 0.99, 1.0)], title="T", axis="share", possible=(0, 1))
    drawn = [Curve("A", [CurvePoint(1, 1.0), CurvePoint(2, 1.0)])]
    other = curves(drawn, title="T", axis="votes", height_axis="tau", possible=(-1, 1))
    assert not {"1.05", "1.10", "1.005", "1.010"} & {*written(one), *written(other)}


def test_labels_that_come_back_in_every_group_have_signs_of_their_own():
    rows = [
        ForestEstimate(name, k, group=g) for g in ("x", "y") for k, name in enumerate(("A", "B"))
    ]
    svg = forest(rows, title="T", axis="m")
    assert [len(with_class(svg, f"plot-c{k}")) for k in (1, 2)] == [2, 2]
    tags = {shape.tag for name in ("plot-c1", "plot-c2") for shape in with_class(svg, name)}
    assert len(tags) == 2  # not by colour alone


def test_an_interval_is_named_in_words_only_where_one_is_drawn():
    named = "merit, with its 95% CI"
    assert named in forest(
        [ForestEstimate("A", 1, 0, 2), ForestEstimate("B", 1)], title="T", axis="merit"
    )
    without = forest([ForestEstimate("A", 1), ForestEstimate("B", 2)], title="T", axis="merit")
    assert "interval" not in without
    assert "merit: A 1" in without


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_long_names_that_differ_at_their_end_stay_apart(width):
    names = [f"A pipeline with a very long common beginning, variant {k}" for k in range(12)]
    svg = forest([ForestEstimate(name, 1) for name in names], title="T", axis="m", width=width)
    drawn = [text for text in written(svg) if "…" in text]
    assert len(set(drawn)) == 12
    assert [element.text for element in parsed(svg).iter(f"{SVG}title")].count(names[3]) == 1


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_is_refused(bad):
    with cannot_plot("not_finite", match="Alice"):
        forest([ForestEstimate("Alice", bad)], title="T", axis="m")
    with cannot_plot("not_finite"):
        forest([ForestEstimate("Alice", 0, 0, abs(bad))], title="T", axis="m")


@pytest.mark.parametrize("ends", [(1, 0), (None, 1), (0, None)])
def test_an_interval_that_is_none_is_refused(ends):
    with cannot_plot("bad_interval"):
        forest([ForestEstimate("Alice", 0.5, *ends)], title="T", axis="m")


@few
@given(st.text(max_size=300), widths)
def test_any_reason_can_stand_where_a_plot_would(reason, width):
    assert_sound(empty(reason, title=reason, width=width))


def test_without_data_the_reason_is_shown():
    svg = forest([], title="T", axis="m", reason="Alpha cannot be computed because nobody voted.")
    assert " ".join(written(svg)) == "Alpha cannot be computed because nobody voted."


def test_the_same_data_gives_the_same_bytes():
    rows = [ForestEstimate("A", 1 / 3, 0.1, 0.7, n=3)]
    assert forest(rows, title="T", axis="m") == forest(rows, title="T", axis="m")


def test_a_file_of_its_own_needs_nothing_from_the_page():
    svg = standalone(forest([ForestEstimate("A", 1)], title="T", axis="m"))
    parsed(svg.encode())
    assert "var(" not in svg
    assert 'viewBox="-16 -16 672 ' in svg
    assert "prefers-color-scheme: dark" in svg


def test_colours_of_a_file_are_those_of_the_design_system():
    """Each `var(--token, #fallback)` repeats the token, in light and in dark."""
    tokens = (ROOT / "static/css/tokens.css").read_text().split("prefers-color-scheme: dark")
    plots = (ROOT / "static/css/plots.css").read_text().split("prefers-color-scheme: dark")
    checked = 0
    for ours, theirs in zip(plots[:2], tokens[:2], strict=True):
        known = dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6})", theirs))
        for token, fallback in re.findall(r"var\((--[\w-]+), (#[0-9a-f]{6})\)", ours):
            if token in known:
                assert fallback == known[token], token
                checked += 1
    assert checked == 14


def test_paper_has_the_light_colours():
    light, _ = palettes()
    printed = (ROOT / "static/css/plots.css").read_text().split("@media print")[1]
    assert dict(re.findall(r"(--plot-\w+): (#[0-9a-f]{6});", printed)) == light


def luminance(colour):
    """Return the luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark"])
def test_words_and_marks_have_the_contrast_of_wcag_aa(palette):
    paper = palette["--plot-paper"]
    assert all(contrast(palette[f"--plot-{name}"], paper) >= 4.5 for name in ("ink", "soft"))
    assert all(contrast(palette[f"--plot-{k}"], paper) >= 4.5 for k in range(1, 7))
    assert contrast(palette["--plot-edge"], paper) >= 3


def test_every_class_that_is_drawn_has_a_look():
    drawn = set()
    for module in (ROOT / "analysis/plots").glob("*.py"):
        drawn |= set(re.findall(r"\bplot-[a-z]+\b", module.read_text()))
    known = set(re.findall(r"\.(plot-[\w-]+)", stylesheet()))
    assert drawn - {"plot-c"} <= known  # plot-c1 to plot-c6


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (-0.6977, -1.3999, 0.00448, "−0.698 [−1.400, 0.004]"),
        (0.19, 0.17, 0.21, "0.19 [0.17, 0.21]"),
        (0.5, 0.0, 1.0, "0.50 [0.00, 1.00]"),
        (0.5, -1e-9, 1.0, "0.50 [0.00, 1.00]"),
        (0.19, None, None, "0.19"),
        (1.2e-9, 1e-9, 2e-9, "1.2e−09 [1e−09, 2e−09]"),
        (0.0, 0.0, 0.0, "0.00 [0.00, 0.00]"),
        (-0.0002, -0.2948, 0.2944, "0.00 [−0.29, 0.29]"),
    ],
)
def test_an_estimate_and_the_ends_of_its_interval_have_the_same_decimals(value, low, high, said):
    assert interval(value, low, high) == said


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.5, "0.50"), (0.994, "0.99"), (0.9999, ">0.99"), (1.0, ">0.99"), (3e-7, "<0.01")],
)
def test_a_probability_is_never_written_as_certain(value, written):
    assert probability(value) == written
