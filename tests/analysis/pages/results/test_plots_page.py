"""Plots on the page of results: which are drawn, in two widths, from the rows beside them."""

import re

import pytest
from django.template.loader import render_to_string

from analysis.pages.results.figures import (
    ROWS_IN_ONE,
    agreement_figure,
    competence_figure,
    mean_figures,
)
from analysis.pages.results.pages import AgreementRow, GroupRow, WorkerCompetence
from tests.analysis.plots.plotted import assert_sound, parsed, with_class, written
from tests.analysis.runs.polls import analysed, poll
from tests.analysis.whole_parts import whole_part
from tests.cast import rita

ALPHA = {
    "value": 0.169, "low": 0.14, "high": 0.2, "items": 1352, "votes": 6760, "resampled": "items",
}  # fmt: skip


def agreement(question, alpha):
    return AgreementRow(question, "", alpha, None, None, None, "" if alpha else "Nobody voted.")


def worker(name, competence):
    return WorkerCompetence(name, competence, competence, competence, 5, [competence])


def group(name, *values):
    cells = [{"value": v, "low": v - 0.5, "high": v + 0.5, "n": 5} for v in values]
    return GroupRow(name, 5, cells)


def test_questions_without_alpha_have_no_row():
    figure = agreement_figure([agreement("Overall", ALPHA), agreement("Depth", None)])
    assert len(with_class(figure.wide, "plot-hit")) == 1
    assert "0.169 [0.140, 0.200], 1,352" in written(figure.wide)
    assert "chance 0" in written(figure.wide)


def test_unknown_values_are_not_plotted():
    assert agreement_figure([agreement("Depth", None)]) is None
    assert competence_figure([]) is None
    assert mean_figures([], ["Overall"]) == []
    assert mean_figures([GroupRow("A", 5, [None])], ["Overall"]) == []


def test_competence_has_its_numbers_beside_it_and_a_cut_where_one_is_given():
    workers = [worker(f"w{k}", value) for k, value in enumerate((0.1, 0.12, 0.97))]
    figure = competence_figure(workers, cut=0.3)
    assert list(figure.rows) == [("0.10 to 0.15", "2"), ("0.95 to 1.00", "1")]
    assert "Participants: 3, median 0.12, below the cut of 0.30: 2" in written(figure.wide)
    assert not with_class(competence_figure(workers).wide, "plot-reference")


def test_many_systems_are_drawn_question_by_question():
    few = [group("A", 3, 4), group("B", 2, 5)]
    (one,) = mean_figures(few, ["Logic", "Overall"])
    assert {"Logic", "Overall"} <= set(written(one.wide))
    many = [group(f"System {k}", 3, 4) for k in range(ROWS_IN_ONE)]
    titles = [figure.title for figure in mean_figures(many, ["Logic", "Overall"])]
    assert [title.rpartition(": ")[2] for title in titles] == ["Logic", "Overall"]
    assert len(set(titles)) == 2


def test_a_hostile_name_stays_text_in_both_widths():
    figure = agreement_figure([agreement('</svg><script>"x",\n\x00', ALPHA)])
    page = render_to_string("console/_plot.html", {"figure": figure})
    assert "<script" not in page
    for svg in (figure.wide, figure.narrow):
        assert_sound(svg)


@pytest.mark.django_db(transaction=True)
def test_the_page_draws_what_its_run_knows(client):
    study = poll(analysis={"draws": 50})
    analysed(study)
    client.force_login(rita())
    plots = []
    for part, title in (
        ("agreement", "Agreement by question"),
        ("workers", "Distribution of competence"),
    ):
        where = whole_part(study.slug, study.version, part)
        page = client.get(where).content.decode()
        plots += (matches := re.findall(r"<svg [^>]*class=\"plot .*?</svg>", page, re.DOTALL))
        assert [parsed(plot)[0].text for plot in matches[:2]] == [title] * 2  # wide and narrow
    for plot in plots:
        assert_sound(plot)
    assert "css/plots" in page
    assert "<style" not in page
