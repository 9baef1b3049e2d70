"""What waits in a study and for whom; how fast it goes on and when it is done."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import F

from analysis.models import AnalysisRun
from annotation.console.overview import overview_of, state_of
from annotation.models import Assignment, Batch, Corpus
from annotation.people.access import Act
from annotation.studies.forecasts import forecast
from annotation.studies.progress import Funnel, batches_in, batches_of, funnel_of
from annotation.studies.waiting_notices import waiting_in
from judging.models import Examination
from tests.cast import (
    HOUR,
    NOW,
    alice,
    begun,
    bob,
    handed_in,
    small_study,
    submitted,
    writing_study,
)
from tests.hooks import numbers

DAY = timedelta(days=1)


def notices(study, now=NOW):
    return waiting_in([study], batches_in([study]), now=now)[study.pk]


def waits(study, now=NOW):
    return [notice.code for notice in notices(study, now)]


@pytest.mark.django_db
def test_marked_questionnaires_and_texts_wait_for_reviewers():
    judged = small_study(quota=2)
    handed_in(begun(judged, bob()))
    Examination.objects.create(
        assignment=Assignment.objects.get(), version=1, answers=98, seconds=17, is_marked=True
    )
    Corpus.objects.update(slug="other")
    written = writing_study(topics=2)
    handed_in(begun(written, alice()))
    studies = [judged, written]
    found = waiting_in(studies, batches_in(studies), now=NOW)
    assert [(each.code, each.act, each.whom) for each in found[judged.pk]] == [
        ("held_work", Act.REVIEW, "reviewers")
    ]
    assert found[written.pk][0].code == "texts_to_review"
    assert [numbers(found[study.pk][0].short) for study in studies] == [[1], [1]]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("batch", "code"),
    [
        ({"state": "draft", "opened_at": None}, "batch_ready"),
        ({"state": "paused"}, "batch_paused"),
    ],
)
def test_a_batch_that_waits_for_somebody_says_so(batch, code):
    study = small_study()
    Batch.objects.update(**batch)
    assert waits(study) == [code]


@pytest.mark.django_db
def test_a_batch_to_which_nobody_comes_is_stalled_after_a_day():
    study = small_study(quota=3)
    assert waits(study, NOW + DAY - HOUR) == []
    handed_in(begun(study, bob()), now=NOW + HOUR)
    Assignment.objects.update(arrived_at=NOW + HOUR)
    assert waits(study, NOW + DAY) == []
    [notice] = notices(study, NOW + 2 * DAY + HOUR)
    assert notice.code == "batch_quiet"
    assert numbers(notice.sentence) == [2, 2, 3]  # days, free places, places


@pytest.mark.django_db
def test_a_full_batch_that_stays_open_waits_to_be_closed():
    study = small_study(batch={"closes_when_full": False})
    handed_in(begun(study, bob()))
    assert waits(study) == ["batch_full"]


@pytest.mark.django_db
def test_only_the_newest_analysis_is_said_to_have_failed():
    study = small_study(quota=2)
    made = {"study": study, "seed": 1, "version": "1", "digest": "", "asked_at": NOW}
    ended = {"state": "failed", "finished_at": NOW}
    AnalysisRun.objects.create(key="a", asked=1, **made, **ended)
    assert waits(study) == ["analysis_failed"]
    AnalysisRun.objects.create(key="b", asked=2, **made)
    assert waits(study) == []


@pytest.mark.django_db
def test_the_overview_adds_up_money_and_places():
    study = small_study(quota=4, pay=Decimal("3.00"), minutes=15)
    handed_in(begun(study, bob()), now=NOW + HOUR)
    Assignment.objects.update(started_at=NOW, submitted_at=F("started_at") + HOUR)
    overview = overview_of(study, now=NOW + 2 * HOUR)
    assert (overview["done"], overview["places"]) == (1, 4)
    assert [(batch.tasks, batch.places) for batch in overview["batches"]] == [(1, 4)]
    assert (overview["sums"].spent, overview["to_come"]) == (Decimal("3.00"), Decimal("9.00"))
    assert (overview["pace"].n, overview["pace"].hours, overview["pace"].when) == (1, 2, "")
    assert overview["state"] == "running"


@pytest.mark.django_db
def test_wages_under_the_target_are_an_alert():
    study = small_study(pay=Decimal("1.00"), hourly_wage=Decimal("12.00"))
    handed_in(begun(study, bob()), now=NOW + HOUR)
    Assignment.objects.update(started_at=NOW, submitted_at=NOW + HOUR)
    assert "12.00" in overview_of(study, now=NOW)["waits"][-1].sentence


@pytest.mark.django_db
def test_a_study_is_finished_when_all_its_batches_are_closed():
    study = small_study()
    assert state_of(study, batches_in([study])[study.pk]) == "running"
    Batch.objects.update(state="closed", closed_at=NOW)
    assert state_of(study, batches_in([study])[study.pk]) == "finished"


def test_the_forecast_is_an_interval_for_a_poisson_rate():
    # The exact 95 % interval of a Poisson mean of which 100 were seen is 81.4 to 121.6
    # (Garwood 1936); the root gives 81.4 to 120.6.
    result = forecast(n=100, hours=24, left=100)
    assert result.low == pytest.approx(100 * 24 / 121.6, rel=0.01)
    assert result.high == pytest.approx(100 * 24 / 81.4, rel=0.01)
    assert result.when == "20 to 29 h"
    assert forecast(n=100, hours=24, left=1000).when == "8 to 12 days"


@pytest.mark.parametrize(("n", "left"), [(4, 10), (0, 10), (20, 0)])
def test_too_few_or_nothing_left_is_no_forecast(n, left):
    assert forecast(n=n, hours=24, left=left).low is None


def test_who_waits_for_a_decision_is_not_lost():
    steps = Funnel(10, 8, 6, 0, 0, 1, 1, 0).steps
    assert [(step.n, step.percent_lost) for step in steps] == [(10, 0), (8, 20), (6, 25), (0, 0)]


@pytest.mark.django_db
def test_who_is_at_work_is_not_lost():
    study = small_study(quota=3)
    begun(study, alice())
    submitted(study, bob())
    assert funnel_of(study).at_work == batches_of(study)[0].working == 1
    assert [(step.name, step.n, step.percent_lost) for step in funnel_of(study).steps][:2] == [
        ("Agreed", 2, 0), ("Saved work", 1, 0),
    ]  # fmt: skip
    Assignment.objects.filter(worker=alice()).update(worked_at=NOW)
    assert [(step.n, step.percent_lost) for step in funnel_of(study).steps] == [
        (2, 0), (2, 0), (1, 0), (0, 0),
    ]  # fmt: skip
    Assignment.objects.filter(worker=alice()).update(state="returned", ended_at=NOW)
    assert [step.percent_lost for step in funnel_of(study).steps] == [0, 0, 50, 0]
