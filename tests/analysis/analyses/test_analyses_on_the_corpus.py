"""What the analyses of the catalogue say about the corpus, beside its paper and analysis notes."""

import pandas as pd
import pytest

from analysis.analyses.orders import unordered
from analysis.analyses.positions import sided
from analysis.pages.results.presentation.catalogue import figures_of
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings
from tests.analysis.plots.plotted import written

DIMENSIONS = (
    "correctness_topical", "coherence_logical", "coherence_stylistic", "coverage_broad",
    "coverage_deep", "consistency_internal", "quality_overall",
)  # fmt: skip


def votes(*rows):
    """Votes on pairs: a, b, value, shown."""
    frame = pd.DataFrame(rows, columns=["a", "b", "value", "shown"])
    return frame.assign(item=frame["a"] + "|" + frame["b"], topic="t")


def test_both_directions_of_a_pair_are_one_item():
    frame = unordered(votes(("x", "y", "a", "a,b"), ("y", "x", "a", "a,b"), ("y", "x", "n", "b,a")))
    assert list(frame["item"]) == ["x|y"] * 3
    assert list(frame["value"]) == ["a", "b", "n"]  # x, y, neither
    assert list(frame["shown"]) == ["a,b", "b,a", "a,b"]  # x on the left, right, left


def test_a_comparison_of_sides_knows_who_stood_left():
    frame = sided(votes(("x", "y", "a", "a,b"), ("x", "y", "a", "b,a"), ("x", "y", "n", "b,a")))
    assert list(frame["a"]) == ["x", "y", "y"]
    assert list(frame["outcome"]) == [1, -1, 0]


@pytest.fixture(scope="module")
def found(imported_corpus_study):
    run = imported_corpus_study.runs.newest_finished()

    def table(analysis, name):
        return findings.tables(run, analysis, name)

    return table


@pytest.mark.corpus
def test_agreement_by_direction_is_that_of_the_paper(found):
    parts = found("orders", "parts")
    printed = {
        "b,a": (0.180, 0.179, 0.080, 0.267, 0.270, 0.127, 0.159),
        "a,b": (0.194, 0.188, 0.142, 0.277, 0.266, 0.154, 0.171),
        "both": (0.171, 0.180, 0.105, 0.261, 0.265, 0.141, 0.151),
    }
    for part, values in printed.items():
        rows = parts[parts["part"].str.endswith(part)].set_index("question")["value"]
        assert list(rows.loc[list(DIMENSIONS)]) == pytest.approx(list(values), abs=0.006)


@pytest.mark.corpus
def test_items_that_can_be_told_apart_are_agreed_on_as_printed(found):
    split = found("differentiable", "split").iloc[0]
    assert (split["differentiable"], split["others"]) == (1062, 290)
    parts = found("differentiable", "parts")
    rows = parts[parts["part"] == "differentiable"].set_index("question")["value"]
    printed = [0.276, 0.227, 0.171, 0.372, 0.358, 0.222, 0.244]
    assert list(rows.loc[list(DIMENSIONS)]) == pytest.approx(printed, abs=0.006)


@pytest.mark.corpus
def test_competent_workers_agree_little_more_once_the_circle_is_cut(found):
    table = found("corrected", "corrected")
    mean = table.groupby("votes_kept")[["value", "null_mean"]].mean()
    assert mean.loc["cross-fitted", "value"] == pytest.approx(0.257, abs=0.01)
    # shuffled within workers, who keep their habits; over all votes it is .00 and .30
    assert mean.loc["cross-fitted", "null_mean"] == pytest.approx(0.03, abs=0.02)
    assert mean.loc["in sample", "null_mean"] == pytest.approx(0.32, abs=0.02)
    assert mean.loc["all", "value"] < mean.loc["cross-fitted", "value"]


@pytest.mark.corpus
def test_models_are_ahead_of_people_in_all_questions_together(found):
    over_all = found("origins", "over_all").set_index("test")
    assert (over_all.loc[list(DIMENSIONS), "w_q"] < 0.05).all()
    assert (over_all["difference"] > 0).all()
    by_style = found("origins", "by_style").set_index("test")
    # By merits in every style; by grades, which are ranks, four of the 21 are not sure.
    assert (by_style["w_q"] < 0.05).all()
    assert (by_style["difference"] > 0).all()
    # the mixed model of votes says .67 [.50, .84]
    assert over_all.loc["quality_overall", "difference"] == pytest.approx(0.75, abs=0.05)


@pytest.mark.corpus
def test_questions_are_answered_alike_as_measured(found):
    taus = found("associations", "associations").set_index(["first", "second"])["tau"]
    assert taus["coverage_broad", "coverage_deep"] == pytest.approx(0.575, abs=0.04)
    assert taus.mean() == pytest.approx(0.37, abs=0.02)


@pytest.mark.corpus
def test_position_term_detects_the_advantage_of_the_right_side(found):
    effect = found("position", "position").set_index("question")
    assert (effect.loc[list(DIMENSIONS), "effect"] < 0).all()
    assert (effect["low"] < effect["effect"]).all()


@pytest.mark.corpus
def test_more_votes_come_nearer_to_the_ranking_of_all(found):
    table = found("stability", "stability")
    for _, rows in table.groupby("question"):
        one, _, three, _, five = rows["tau"]
        assert one < three < five == pytest.approx(1)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("analysis", "plots", "drawn"),
    [("texts", 2, "bullet, human"), ("wording", 2, "bullet, human"), ("references", 1, "ROUGE-L")],
)
def test_results_about_texts_are_plotted(imported_corpus_study, analysis, plots, drawn):
    figures = figures_of(RunResults(imported_corpus_study.runs.newest_finished()), analysis)
    assert len(figures) == plots
    assert all("cannot be" not in figure.wide for figure in figures)
    assert all(any(drawn in text for text in written(figure.wide)) for figure in figures)
