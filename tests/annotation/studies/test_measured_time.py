"""Participants are told an estimate until ten of them were timed, then what was measured."""

from datetime import timedelta

import pytest

from annotation.fieldwork.pages.worker_views import study_wage
from annotation.fieldwork.work.placeholders import filled, time_told
from annotation.models import Assignment, Batch
from annotation.studies import measured_time
from annotation.studies.act_effects import terms_of
from annotation.studies.active_time import earnings_of
from annotation.studies.measured_time import LEAST_TIMED, measured_minutes
from annotation.texts.task_times import MeasuredMinutes, time_sentence
from judging.models import Judgment
from tests.cast import begun, small_study, submitted, worker

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _measured_now(monkeypatch):
    monkeypatch.setattr(measured_time, "KEPT_SECONDS", -1)


def timed(study, workers):
    """Let so many workers submit: the first takes a minute, the second two, ..."""
    for minutes in range(1, workers + 1):
        work = submitted(study, worker(f"timed-{minutes}"))
        start = work.submitted_at - timedelta(minutes=minutes)
        Assignment.objects.filter(pk=work.pk).update(started_at=start)
        Judgment.objects.filter(assignment=work).update(answered_at=start)


def test_nine_participants_are_too_few_and_ten_give_the_middle_half():
    study = small_study(quota=20, minutes=12)
    timed(study, LEAST_TIMED - 1)
    assert measured_minutes(study) is None
    estimate = filled("{time}", study)
    assert "12" in estimate
    assert time_told(study) == estimate.replace("**", "")
    work = submitted(study, worker("tenth"))
    start = work.submitted_at - timedelta(minutes=10)
    Assignment.objects.filter(pk=work.pk).update(started_at=start)
    Judgment.objects.filter(assignment=work).update(answered_at=start)
    assert measured_minutes(study) == MeasuredMinutes(low=3, high=8, n=10, mean=5.5)
    assert filled("{time}", study) == time_sentence(12, measured_minutes(study), language="en")
    assert filled("{time}", begun(study, worker("eleventh"))) == filled("{time}", study) != estimate
    assert time_told(study) == filled("{time}", study).replace("**", "")


def test_the_sentence_speaks_the_language_of_the_study_and_names_the_minutes():
    measured = MeasuredMinutes(low=12, high=19, n=30, mean=16)
    for language in ("en", "de"):
        sentence = time_sentence(15, measured, language=language)
        assert "12" in sentence
        assert "19" in sentence
        assert "15" in time_sentence(15, None, language=language)
    assert time_sentence(15, None, language="de") != time_sentence(15, None, language="en")


def test_only_the_newest_submissions_are_measured(monkeypatch):
    study = small_study(quota=20)
    timed(study, LEAST_TIMED + 2)
    monkeypatch.setattr(measured_time, "MOST_TIMED", LEAST_TIMED)
    assert measured_minutes(study) == MeasuredMinutes(low=5, high=10, n=LEAST_TIMED, mean=7.5)


def test_the_wage_of_a_batch_is_the_measured_one_as_in_the_results():
    study = small_study(quota=20, minutes=12, pay=2, hourly_wage=12)
    batch = study.batches.get()
    Batch.objects.filter(pk=batch.pk).update(design={"careful_minutes": 40})
    batch.refresh_from_db()
    assert terms_of(batch).expected.wage == pytest.approx(3)
    assert study_wage(study, batch) is None
    timed(study, LEAST_TIMED)
    expected = terms_of(batch).expected
    assert not expected.is_longer
    assert expected.wage == pytest.approx(2 / (5.5 / 60)) == earnings_of(study).wage
    assert study_wage(study, batch) == pytest.approx(10)  # what was planned, and no more
    batch.onboarding = True
    assert terms_of(batch).expected.wage == pytest.approx(3)
