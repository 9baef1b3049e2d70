"""Pages give no letters, and speak of no interval, where none was computed; they say why."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from django.template.loader import render_to_string

from analysis.exports.readable_tables import Words
from analysis.pages.results import figures, sections
from analysis.pages.results.pages.responses import compared_rows
from analysis.pages.results.presentation import groups
from analysis.pages.results.presentation.definition import Display
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate
from tests.analysis.plots.plotted import written
from tests.hooks import element, elements, numbers

WHY = "An interval for means needs at least 10 participants (you have 2)."
NAMES = ("colbert", "bm25", "human writers")


def found(*known):
    """Return a run of three systems, of which these have an interval and were compared."""
    means = [
        {
            "group": name, "by": "system", "question": "overall", "mean": 1.0 - k,
            "low": 0.5 - k if name in known else None, "high": 1.5 - k if name in known else None,
            "letters": "a", "topics": 4, "workers": 2, "over": "topics and workers",
            "why": "" if name in known else WHY,
        }
        for k, name in enumerate(NAMES)
    ]  # fmt: skip
    pairs = [
        {
            "by": "system", "question": "overall", "group": name, "other": other,
            "ahead": 0.75 if {name, other} <= set(known) else None, "over": "topics and workers",
            "why": "" if {name, other} <= set(known) else WHY,
        }
        for name in NAMES
        for other in NAMES
        if name != other
    ]  # fmt: skip
    tables = {"means": means, "ahead": pairs}

    def records(analysis, name, **where):
        return [r for r in tables[name] if all(r[key] == value for key, value in where.items())]

    return SimpleNamespace(
        headline="overall",
        records=records,
        words=SimpleNamespace(of=str, of_group=str),
        called=lambda question: "merit",
        possible=lambda question: None,
        scored=[SimpleNamespace(key="overall", title="Overall")],
        confidence=0.95,
        run=SimpleNamespace(is_sequential=False),
    )


def drawn(*known):
    return list(groups.figures(found(*known)))


def test_uncompared_systems_have_no_letters_and_a_reason():
    means, ahead = drawn()
    assert not any("(a)" in text for text in written(str(means.wide)))
    assert WHY not in means.caption  # the section says why, once
    assert numbers(means.caption) == []
    assert ahead.caption == WHY
    assert ahead.is_empty
    assert not means.is_empty
    shown = render_to_string("console/_plot.html", {"figure": replace(ahead, name="groups-3")})
    assert ahead.title in element(shown, "class", "drawing").text
    assert elements(shown, "data-caption") == []  # the drawing has the reason itself
    assert elements(shown, "download") == []


def test_those_that_were_compared_have_letters_and_the_others_none():
    means, ahead = drawn("colbert", "bm25")
    labels = written(str(means.wide))
    assert {"colbert (a)", "bm25 (a)", "human writers"} <= set(labels)
    assert figures.resampled_units("topics and workers") in means.caption  # as the rows have it
    rows = found("colbert", "bm25").records("groups", "means")
    without_letters = groups._caption([row | {"letters": ""} for row in rows])
    assert means.caption.startswith(without_letters)
    assert means.caption != without_letters
    assert "0.75" in written(str(ahead.wide))


@pytest.mark.parametrize(("known", "letters"), [((), ["", "", ""]), (NAMES, ["a", "a", "a"])])
def test_the_table_of_groups_has_letters_only_beside_intervals(known, letters):
    rows = compared_rows(found(*known), by="system")
    assert [row.cells[0]["letters"] for row in rows] == letters


def test_a_plot_of_means_without_intervals_does_not_speak_of_them():
    alone, sure = ForestEstimate("A", 1.0, n=4), ForestEstimate("A", 1.0, 0.5, 1.5, 4)
    assert numbers(figures._means([alone], "T", 0.95, None).caption) == []
    assert numbers(figures._means([sure], "T", 0.95, None).caption) == [95]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ([None, None], ""),
        (["", ""], ""),
        ([WHY, None], ""),
        ([WHY, "Another."], ""),
        ([WHY, WHY], WHY),
        ([], ""),
    ],
)
def test_a_reason_joins_the_sentences_only_where_all_rows_have_it(why, said):
    rows = pd.DataFrame({"why": pd.Series(why, dtype=object)})
    assert sections._reason_of_all(rows, Display("Pairs")) == said


def test_a_reason_names_the_questions_only_where_it_is_not_said_of_all() -> None:
    asked = {"logic": "Logic", "overall": "Overall"}
    run = object.__new__(RunResults)
    run.words, run.missing = Words(questions=asked), []
    run.measures = [SimpleNamespace(key=key) for key in asked]
    run._undefined = {
        "groups": [
            ("", {"by": "system", "question": "logic", "topics": "", "reason": WHY}),
            ("", {"by": "system", "question": "overall", "topics": "", "reason": WHY}),
            ("", {"family": "by_style", "test": "overall, bullet", "reason": WHY}),
        ],
    }
    assert run.sentences("groups") == [f"system; Overall, by style, bullet: {WHY}"]
