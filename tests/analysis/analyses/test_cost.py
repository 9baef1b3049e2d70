"""Cost and pay: which work costs, what it brought, and what a run says about it."""

import re
from datetime import timedelta

import pandas as pd
import pytest
from django.urls import reverse

from analysis.analyses.savings import savings
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.run_data import WORK, digests
from analysis.inputs.work_frames import work
from analysis.models import Result
from analysis.runs import findings
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.inputs.measured import measure
from tests.analysis.runs.polls import analysed, poll
from tests.cast import NOW, rita
from tests.hooks import element

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("cost")]


def decided(assignment, decision, state):
    """As a reviewer would leave it."""
    ReviewDecision.objects.create(
        assignment=assignment, decision=decision, reviewer="rita", decided_at=NOW
    )
    Assignment.objects.filter(pk=assignment.pk).update(state=state, ended_at=NOW)


@pytest.fixture
def study():
    return poll(analysis={"draws": 50}, pay="3.00", hourly_wage="12.00")


def test_work_costs_once_it_is_handed_in_and_labels_count_for_whoever_voted_first(study):
    frame = work(study=study)
    assert list(frame["pay"]) == [3.0] * 4
    assert list(frame["judgments"]) == [3] * 4
    assert list(frame["labels"]) == [3, 0, 0, 0]
    assert list(frame["responses"]) == [3, 0, 0, 0]
    assert (frame["seconds"] > 0).all()


def test_rejected_work_costs_only_if_it_is_paid_and_withdrawn_work_if_it_was_accepted(study):
    bob, dora, emil, fay = study.assignments.order_by("pk")
    decided(bob, "reject", "rejected")
    decided(dora, "reject_but_pay", "rejected")
    decided(emil, "accept", "accepted")
    assigning.withdraw(assignment=emil, now=NOW + timedelta(days=1))
    frame = work(study=study).set_index("assignment")
    assert set(frame.index) == {dora.pk, emil.pk, fay.pk}
    assert frame["judgments"].to_dict() == {dora.pk: 0, emil.pk: 0, fay.pk: 3}
    assert frame.loc[fay.pk, "labels"] == 3


def test_accepting_work_starts_no_run_anew_and_rejecting_it_does(study):
    def digest():
        return digests(study=study, batch=None, votes_per_item=None, frozen=FrozenWork.now(study))[
            WORK
        ]

    before = digest()
    decided(study.assignments.first(), "accept", "accepted")
    assert digest() == before
    decided(study.assignments.first(), "reject", "rejected")
    assert digest() != before


@pytest.mark.parametrize(("works", "shows"), [(29, False), (30, True)])
def test_an_interval_of_few_works_that_an_older_run_has_stored_is_not_shown(
    study, client, works, shows
):
    run = analysed(study)
    result = Result.objects.get(step__run=run, step__analysis="cost")
    for name, counted in (("units", "payments"), ("wage", "assignments")):
        columns, rows = result.data[name]["columns"], result.data[name]["rows"]
        for row in rows:
            for column, value in (("low", 0.11), ("high", 77.77), (counted, works)):
                row[columns.index(column)] = value
    result.save()
    client.force_login(rita())
    for page, also in (("results", []), ("results_part", ["cost"])):
        answer = client.get(reverse(page, args=[study.slug, study.version, *also]))
        text = answer.content.decode()
        assert ("77.7" in text) is shows
        # The part says how many works an interval takes; the summary gives the mean alone.
        assert shows or not also or 30 in element(text, "id", "cost").numbers
    stored = findings.tables(run, "cost", "wage")
    assert stored["high"].tolist() == [77.77]  # the file says what was computed


def test_a_run_says_what_a_judgment_costs_and_what_an_hour_pays(study):
    run = analysed(study)
    units = findings.tables(run, "cost", "units").set_index("unit")
    assert units["value"].to_dict() == {"response": 4.0, "judgment": 1.0, "gold label": 4.0}
    assert units["total"].unique() == [12.0]
    (wage,) = findings.records(findings.tables(run, "cost", "wage"))
    frame = work(study=study)
    assert wage["value"] == pytest.approx(12.0 / (frame["seconds"].sum() / 3600))
    assert wage["target"] == 12.0


def test_a_page_counts_what_was_bought_and_puts_a_number_that_heads_its_row_below_its_head(
    study, client
):
    analysed(study)
    client.force_login(rita())
    page = client.get(reverse("results_part", args=[study.slug, study.version, "cost"])).text
    assert 'data-value="12.0">12</td>' in page
    assert re.search(r'<th scope="row" class="num" data-value="[\d.]+">[\d.,]+</th>', page)


def test_a_study_that_pays_nothing_says_so():
    run = analysed(poll(analysis={"draws": 50}))
    missing = [(analysis, question) for analysis, question, _ in findings.missing(run)]
    assert ("cost", "") in missing


def votes(items, each, options="abn"):
    rows = [
        (f"i{i}", f"w{w}", options[(i * w) % len(options)])
        for i in range(items)
        for w in range(each)
    ]
    frame = pd.DataFrame(rows, columns=["item", "worker", "value"]).assign(counted=True)
    return AnalysisInput(frame, [measure(*options)], parameters={"draws": 20}, seed=1)


def test_half_of_the_votes_is_half_of_the_money():
    frame = frame_of(savings(votes(6, 4))["savings"]).set_index("votes_per_item")
    assert frame["share_saved"].to_dict() == {1: 0.75, 2: 0.5, 3: 0.25}
    assert frame["kept"].between(0, 1).all()


def test_it_does_not_try_ways_without_end():
    with cannot_compute("too_many_votes"):
        savings(votes(2, 120, options="abcdefg"))
