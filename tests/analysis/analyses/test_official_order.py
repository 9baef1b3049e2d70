"""Agreement of boards with official orders, in a run."""

import pytest
from django.urls import reverse

from analysis.inputs.run_data import DataChanged
from analysis.inputs.step_input import input_of
from analysis.models import AnalysisStep
from analysis.runs.findings import tables
from annotation.corpora.importing_orders import delete_order, import_order
from tests.analysis.analyses.test_retrieval import grade, relevance, study_of
from tests.analysis.runs.polls import analysed
from tests.cast import rita

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.analyses("retrieval", "means", "official_order"),
]

# Relevance: p1 0, p2 1, p3 2.
RUNS = {
    "good": {"q1": ["p3", "p2", "p1"]},
    "middle": {"q1": ["p2", "p3", "p1"]},
    "poor": {"q1": ["p1", "p2", "p3"]},
}


@pytest.fixture
def study():
    study = study_of("retrieval-relevance", RUNS)
    grade(study, "bob", relevance)
    return study


def agreement(run, **wanted):
    rows = tables(run, "official_order", "agreement")
    for name, value in wanted.items():
        rows = rows[rows[name] == value]
    return rows


def test_the_same_order_has_a_correlation_of_one_and_the_reverse_minus_one(study):
    import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "poor": 3}', name="ranks")
    import_order(
        corpus=study.corpus, text='{"good": 0.1, "middle": 0.2, "POOR": 0.3}', name="worst"
    )
    run = analysed(study)
    (row,) = agreement(run, order="ranks", measure="MRR@5", level=2).to_dict("records")
    assert row["systems"] == 3
    assert (row["rho"], row["tau"], row["tau_ap"]) == pytest.approx((1, 1, 1))
    assert row["top1"] == 1
    (row,) = agreement(run, order="worst", measure="MRR@5", level=2).to_dict("records")
    assert (row["rho"], row["tau"], row["tau_ap"]) == pytest.approx((-1, -1, -1))
    assert row["top1"] == 0


def test_boards_without_an_interval_name_the_reason(study):
    import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "poor": 3}')
    run = analysed(study)
    undefined = tables(run, "official_order", "undefined")
    assert "" in set(undefined["order"])
    assert not {"low", "high"} & set(agreement(run))


def test_too_few_matched_systems_have_a_reason(study):
    import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "gone": 3}', name="few")
    run = analysed(study)
    assert agreement(run).empty
    assert set(tables(run, "official_order", "undefined")["order"]) == {"few"}


def test_a_corpus_without_an_order_has_no_such_step(study):
    steps = AnalysisStep.objects.filter(run=analysed(study))
    assert not steps.filter(analysis="official_order").exists()


def test_another_order_makes_another_run(study):
    import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "poor": 3}', name="order")
    first = analysed(study)
    assert analysed(study) == first
    import_order(corpus=study.corpus, text='{"good": 2, "middle": 1, "poor": 3}', name="order")
    assert analysed(study) != first


def test_a_step_does_not_read_an_order_that_changed_meanwhile(study):
    order = import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "poor": 3}')
    step = analysed(study).steps.get(analysis="official_order")
    delete_order(corpus=study.corpus, pk=order.pk)
    with pytest.raises(DataChanged):
        input_of(step)


def test_the_page_of_systems_shows_the_agreement(study, client):
    import_order(corpus=study.corpus, text='{"good": 1, "middle": 2, "poor": 3}', name="DL20")
    analysed(study)
    client.force_login(rita())
    where = reverse("results_part", args=[study.slug, study.version, "systems"])
    page = client.get(f"{where}?section=all").content.decode()
    assert "DL20" in page
    assert "Tau-AP" in page
