"""The tables of Gienapp et al. (SIGIR 2025), from the real corpus as the session imported it.

Not the command: its imports are tested where they are at home, and would take too long twice.
"""

import pytest

from analysis.replication import (
    agreement_tables,
    grade_tables,
    judging_study,
    prose_tables,
    study_replication,
    writing_study,
)
from analysis.replication.cells import TableCells
from analysis.replication.comparison import columns
from analysis.replication.corpus_files import DIMENSIONS
from analysis.replication.sections_judging import TABLE_4, TABLE_5, TABLE_6, TABLE_7, TABLE_8
from analysis.replication.sections_writing import TABLE_3

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def filled(imported_corpus_study, corpus_dir):
    """Tables 3 to 9; few draws, since no interval is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement_tables, "DRAWS", 20)
        patch.setattr(prose_tables, "BOOTSTRAP", prose_tables.Bootstrap(draws=0))
        cells, published = TableCells(), judging_study.PublishedFiles(corpus_dir)
        study = judging_study.read()
        agreement_tables.fill_table_4(cells, study, published)
        agreement_tables.fill_table_5(cells, study)
        study_replication.gold_tables(cells, study, published)
        texts = writing_study.texts_of(imported_corpus_study.corpus)
        prose_tables.fill_table_3(cells, texts.every, texts.keys)
        prose_tables.figure_2(cells, texts.every)
    return cells


def compared(section, cells):
    every = [cell for column in columns(section, cells) for cell in column.cells]
    return [c for c in every if not c.corrects and None not in (c.printed, c.computed)]


@pytest.mark.parametrize(
    ("section", "cells", "beyond"),
    [
        (TABLE_4, 28, 0),  # the other 21 need files that are not there
        (TABLE_5, 35, 0),
        (TABLE_6, 49, 0),
        (TABLE_7, 77, 2),  # equal merits share a grade here
        (TABLE_3, 24, 2),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_table_comes_out_as_printed(filled, section, cells, beyond):
    comparison = compared(section, filled)
    assert len(comparison) == cells
    assert sum(cell.beyond for cell in comparison) == beyond
    near = 0.06 if section is TABLE_7 else 0.008
    assert all(cell.difference == pytest.approx(0, abs=near) for cell in comparison)


def test_table_8_comes_out_once_its_rows_have_their_right_names(filled):
    comparison = compared(TABLE_8, filled)
    assert len(comparison) == 28
    assert all(cell.difference == pytest.approx(0, abs=0.016) for cell in comparison)
    wrong_rows = [
        abs(row.computed - other.printed)
        for row, other in zip(comparison, [*comparison[1:], comparison[0]], strict=True)
    ]
    assert max(wrong_rows) > 0.1


def test_cross_fitted_agreement_is_honest_and_the_one_in_sample_is_not(filled):
    """Means over the dimensions, measured with another program: .257 and .00, and .30."""
    mean = {
        column: sum(filled.values["table4"][column].values()) / len(DIMENSIONS)
        for column in ("C_star_cross_fitted", "C_star_cross_fitted_null", "C_star_null")
    }
    assert mean["C_star_cross_fitted"] == pytest.approx(0.257, abs=0.015)
    assert mean["C_star_cross_fitted_null"] == pytest.approx(0, abs=0.03)
    assert mean["C_star_null"] == pytest.approx(0.30, abs=0.04)


def test_c_star_leaves_far_more_out_than_the_text_says(filled):
    left_out = filled.values["counts"]["C_star_votes_left_out"].values()
    assert min(left_out) == pytest.approx(0.35, abs=0.005)
    assert max(left_out) == pytest.approx(0.55, abs=0.005)
    few = filled.values["counts"]["C_star_pairs_under_three_votes"].values()
    assert (min(few), max(few)) == (296, 802)


def test_people_differ_from_the_model_in_every_dimension_over_all_styles(filled):
    """Not so in logical coherence of essays, coverage of news, and deep coverage of lists."""
    q = filled.values["table7_significance"]
    assert all(q[name]["all"] < 0.05 for name in DIMENSIONS)
    alike = {
        (name, style)
        for name in DIMENSIONS
        for style in grade_tables.STYLES
        if q[name][style] >= 0.05
    }
    assert alike == {
        ("coherence_logical", "essay"),
        ("coverage_broad", "news"),
        ("coverage_deep", "news"),
        ("coverage_deep", "bullet"),
    }
    as_printed = {name for name in DIMENSIONS if q[name]["all_as_printed"] >= 0.05}
    assert as_printed == {"coverage_broad", "coverage_deep"}


def test_gold_labels_of_both_directions_agree_as_analysed_before(filled):
    values = [filled.values["table9"][name]["human_two_directions"] for name in DIMENSIONS]
    assert sum(values) / len(values) == pytest.approx(0.307, abs=0.001)


def test_printed_ranks_are_means_from_0_and_not_medians(filled):
    ranks = filled.values["figures"]["figure2"]["rank_as_printed"]
    assert ranks["cited"]["human"]["bullet"] == pytest.approx(3.7, abs=0.05)
    assert ranks["uncited"]["llm"]["news"] == pytest.approx(11.5, abs=0.05)


def test_citations_follow_the_ranking_more_closely_than_printed(filled):
    order = filled.values["table3"]["spearman"]
    assert order["human_retrieved"]["all"] == pytest.approx(0.56, abs=0.01)
    assert order["llm_retrieved"]["all"] == pytest.approx(0.61, abs=0.01)
