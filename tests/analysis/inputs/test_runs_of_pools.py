"""Runs of a pool of raters, with commits; test_pools.py shares one study without them."""

import pytest
from django.utils import timezone

from analysis.exports.catalogue import named
from analysis.inputs.run_data import DataChanged
from analysis.pages.results import findings_json
from analysis.runs import findings, renewing, running
from annotation.fieldwork.work import assigning
from judging.models import Judgment
from tests.analysis.inputs.test_pools import labelled
from tests.analysis.runs.polls import analysed
from tests.analysis.runs.started import start

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_analyses")]


@pytest.fixture
def study():
    return labelled()


def test_a_run_of_people_is_the_same_run_as_ever(study):
    run = analysed(study)
    assert (run.pool, "pool" in run.parameters) == ("people", False)
    assert analysed(study, pool="people") == run
    assert len(findings.tables(run, "competence", "competence")) == 4


def test_a_run_of_another_pool_says_so_and_reads_nobody_else(study):
    people, models = analysed(study), analysed(study, pool="models")
    assert models != people
    assert (models.pool, models.parameters["pool"]) == ("models", "models")
    table = findings.tables(models, "competence", "competence")
    assert set(table["worker"]) == {"model-gpt", "model-llama"}
    assert findings_json.as_json(models)["run"]["pool"] == "models"
    assert named(study, "gold.csv", run=models) == f"lamps-v1-run{models.pk}-models-gold.csv"
    assert named(study, "gold.csv", run=people) == f"lamps-v1-run{people.pk}-gold.csv"
    assert not models.steps.filter(analysis="cost").exists()


def test_a_label_that_changes_under_a_run_ends_it(study):
    _, steps = start(study, pool="models")
    gpt = Judgment.objects.filter(rater__name="gpt")
    gpt.update(raw="n", value="n")
    with pytest.raises(DataChanged):
        running.perform(pk=steps[0], enqueue=lambda pk: None)


def test_a_withdrawal_renews_each_pool(study):
    people, crowd = analysed(study), analysed(study, pool="crowd")
    work = study.assignments.get(worker__pseudonym="bob")
    assigning.withdraw(assignment=work, now=timezone.now())
    assert renewing.overtake(assignment=work) in (0, 2)  # the receiver may have been first
    queue = []
    renewing.renew(study=study, enqueue=queue.append)
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    renewing.renew(study=study, enqueue=queue.append)
    left = study.runs.all()
    assert sorted(run.pool for run in left) == ["crowd", "people"]
    assert not {people, crowd} & set(left)
