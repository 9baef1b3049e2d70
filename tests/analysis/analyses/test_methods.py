"""Agreement of methods of one study with each other and with an imported score."""

from itertools import combinations

import pytest
import scipy
from msgspec.structs import replace

from analysis.exports.table_files import table_files
from analysis.inputs.method_scores import method_scores
from analysis.models import AnalysisStep
from analysis.pages.results.presentation.catalogue import figures_of
from analysis.pages.results.run_results import RunResults
from analysis.runs.findings import tables
from annotation.corpora.importing_orders import CannotImportOrder, import_order
from judging.instruments.files import load
from tests.analysis.analyses.test_totals import study_of
from tests.analysis.runs.polls import analysed

METHODS = ("direct-quality", "quality-agreement", "ab-comparison", "best-worst-two")
NEEDED = ("totals", "means", "grades", "competence", "best_worst", "methods")
pytestmark = [pytest.mark.django_db, pytest.mark.analyses(*NEEDED)]
COSINES = "response,cosine\nt1a,0.9\nt1b,0.7\nt1c,0.8\nt1d,0.1\n"


def agreement(run, table="texts", **wanted):
    rows = tables(run, "methods", table)
    for name, value in wanted.items():
        rows = rows[rows[name] == value]
    return rows.to_dict("records")


def test_methods_that_rank_alike_have_a_tau_of_one():
    run = study_of(*METHODS)
    rows = agreement(run, scale="total")
    assert {(row["first"], row["second"]) for row in rows} == set(combinations(METHODS, 2))
    # Two texts in the middle of a block are never chosen, so best-worst values tie there.
    assert [row["tau"] for row in rows if row["second"] != "best-worst-two"] == [1, 1, 1]
    assert all(0 < row["tau"] <= 1 and row["units"] == 4 for row in rows)
    assert not [row for row in rows if row["low"] is not None and row["low"] == row["low"]]
    whys = {row["why"] for row in rows}
    assert "" not in whys
    told = [row for row in agreement(run, "undefined") if row["reason"] in whys]
    assert [row["scale"] for row in told] == [""]  # one sentence for all scales


def test_a_head_alone_is_compared_with_the_scale_of_a_head():
    run = study_of("direct-quality", "best-worst-two")
    frame = method_scores(run)
    scale = frame[(frame["by"] == "text") & (frame["scale"] == "scale_honesty")]
    head = frame[(frame["method"] == "best-worst-two") & (frame["scale"] == "honesty")]
    x, y = (part[part["by"] == "text"].set_index("unit")["value"] for part in (scale, head))
    (row,) = agreement(run, scale="scale_honesty")
    assert row["tau"] == pytest.approx(scipy.stats.kendalltau(x, y[x.index]).statistic)


def test_an_imported_score_of_texts_is_a_method_like_the_others():
    study = study_of("direct-quality").study
    assert not AnalysisStep.objects.filter(analysis="methods").exists()
    order = import_order(corpus=study.corpus, text=COSINES, file="cosine.csv")
    run = analysed(study, pool="experts")
    (row,) = agreement(run, scale="total")
    assert (row["first"], row["second"]) == ("direct-quality", order.name)
    assert row["tau"] == pytest.approx(2 / 3)  # a, c, b, d in place of a, b, c, d


def test_another_score_makes_another_run():
    study = study_of("direct-quality", "quality-agreement").study
    first = analysed(study, pool="experts")
    import_order(corpus=study.corpus, text=COSINES, file="cosine.csv")
    assert analysed(study, pool="experts") != first


def test_methods_without_totals_are_compared_by_criterion():
    pairs = load("crowdrag-pairwise")
    tied = [question for question in pairs.questions if question.scale == "preference"]
    defaults = replace(pairs.defaults, reversed_share=0.0)
    pairs = replace(pairs, questions=tied, defaults=defaults)
    run = study_of(pairs, "crowdrag-pointwise")
    assert {row["scale"] for row in agreement(run)} == {question.criterion for question in tied}
    assert all(row["tau"] > 0 for row in agreement(run))


def test_each_scale_and_the_total_have_a_figure():
    run = study_of("direct-quality", "quality-agreement")
    scales = figures_of(RunResults(run), "methods")  # of two systems there is no tau
    assert [figure.wide.count('class="plot-cell') for figure in scales] == [2, 2, 2]


def test_the_totals_of_another_study_are_a_method():
    """The file of its table, imported as it is."""
    run = study_of("direct-quality", "quality-agreement")
    files = {name: b"".join(blocks) for name, _, blocks in table_files(run)}
    text = files["totals-texts.csv"].decode()
    corpus = run.study.corpus
    with pytest.raises(CannotImportOrder) as asked:
        import_order(corpus=corpus, text=text)
    (measure,) = (m for m in asked.value.choices if m == "direct-quality: mean, total")
    order = import_order(corpus=corpus, text=text, measure=measure)
    totals = tables(run, "totals", "texts").set_index(["method", "unit"])["total"]
    method = measure.removesuffix(", total")
    assert order.values == pytest.approx(dict(totals[method]))
