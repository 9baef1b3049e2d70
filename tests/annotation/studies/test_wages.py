"""One wage: all pay by all hours of active time, the same wherever it stands."""

from decimal import Decimal

import pytest
from django.db.models import F
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from analysis.runs import findings
from annotation.fieldwork.review import reviewing
from annotation.models import Assignment
from annotation.studies.active_time import active_times, earnings_of
from annotation.studies.wages import (
    ActiveTime,
    TaskTerms,
    active_time,
    careful_minutes,
    hourly,
    pay_for,
    reading_and_writing,
    warnings,
    writing_minutes,
)
from judging.models import Judgment
from tests.analysis.exports.exported import analysed
from tests.cast import HOUR, MINUTE, NOW, alice, bob, rita, small_study, submitted
from tests.hooks import numbers

GAP = 10 * MINUTE


def test_a_long_gap_counts_as_the_longest_that_is_work():
    moments = [NOW, NOW + 2 * MINUTE, NOW + 39 * HOUR, NOW + 39 * HOUR + 3 * MINUTE]
    assert active_time(moments, gap=GAP) == ActiveTime(15 * 60)
    assert active_time(moments[::-1], gap=GAP) == ActiveTime(15 * 60)


def test_of_work_that_came_all_at_once_the_whole_time_counts():
    assert active_time([NOW, NOW + HOUR, NOW + HOUR], gap=GAP) == ActiveTime(3600, whole=True)
    assert active_time([NOW, NOW, NOW + HOUR], gap=GAP) == ActiveTime(3600, whole=True)
    assert active_time([NOW, NOW], gap=GAP) == ActiveTime(0, whole=True)


def test_nothing_paid_and_no_time_have_no_wage():
    assert hourly(pay=0, minutes=10) is None
    assert hourly(pay=3, minutes=0) is None
    assert hourly(pay=5.5, minutes=25) == pytest.approx(13.2)


def test_careful_work_is_the_longer_of_reading_and_answering_in_whole_minutes():
    assert careful_minutes(reading=29.2, answers=105) == 32  # 31.5 min of answering
    assert careful_minutes(reading=40, answers=105) == 40
    assert careful_minutes(reading=31) == 31
    assert careful_minutes(reading=0) == 0


def test_careful_writing_is_reading_and_composing():
    assert writing_minutes(250) == pytest.approx(13.16, abs=0.005)
    assert careful_minutes(reading=18, writing=writing_minutes(250)) == 32
    expected = TaskTerms(pay=5, minutes=25, careful=32, target=12, currency="USD")
    planned, paid = warnings(expected, reading=18, writing=writing_minutes(250))
    assert numbers(planned) == [32, 18, 14, 25]
    assert numbers(paid) == [9.38, 5, 32, 12]


@given(st.floats(0, 500), st.floats(0, 500))
def test_reading_and_writing_are_together_the_minutes_of_careful_work(reading, writing):
    careful = careful_minutes(reading=reading, writing=writing)
    read, written = reading_and_writing(careful=careful, reading=reading)
    assert read + written == careful
    assert read == pytest.approx(reading, abs=0.5)
    assert written == pytest.approx(writing, abs=1.5)


def test_a_wage_is_met_by_the_minutes_that_careful_work_takes_and_not_by_fewer():
    enough = TaskTerms(pay=3, minutes=15, careful=14, target=12, currency="USD")
    assert (enough.wage, enough.is_below) == (12, False)
    short = TaskTerms(pay=3, minutes=15, careful=30, target=12, currency="USD")
    assert (short.honest, short.wage, short.is_below) == (30, 6, True)
    assert TaskTerms(pay=0, minutes=15, careful=30, target=12, currency="USD").is_below


def test_a_design_warns_of_work_that_nobody_plans_or_pays_for():
    def told(pay, minutes, careful):
        expected = TaskTerms(pay=pay, minutes=minutes, careful=careful, target=12, currency="USD")
        return warnings(expected, reading=26)

    assert told(pay=3, minutes=15, careful=14) == []
    planned, paid = told(pay=2.5, minutes=15, careful=31)
    assert numbers(planned) == [31, 30, 15]
    assert numbers(paid) == [4.84, 2.5, 31, 12]
    assert len(told(pay=0, minutes=15, careful=31)) == 1
    assert len(told(pay=7, minutes=15, careful=31)) == 1
    [paid] = told(pay=5, minutes=40, careful=31)
    assert numbers(paid) == [7.5, 5, 40, 12]


@pytest.fixture
def with_a_break(transactional_db):
    """Bob took 10 minutes; Alice answered after 2, came back after a night and handed in."""
    study = small_study(quota=2, pay="3.00", responses=3)
    submitted(study, bob())
    work = submitted(study, alice())
    night = NOW + 12 * HOUR
    Judgment.objects.filter(assignment=work).update(answered_at=NOW + 2 * MINUTE)
    Assignment.objects.filter(pk=work.pk).update(submitted_at=night)
    return study


def test_a_night_between_two_answers_is_no_work(with_a_break):
    earnings = earnings_of(with_a_break)
    assert earnings.wage == pytest.approx(6 / ((10 + 12) / 60))
    assert (earnings.n, earnings.untimed) == (2, 0)
    assert earnings.elapsed > 300 > earnings.active


def test_every_page_and_the_analysis_say_the_same_wage(with_a_break, client):
    client.force_login(rita())
    wage = f"{earnings_of(with_a_break).wage:.2f} USD"
    run = analysed(with_a_break)
    (row,) = findings.records(findings.tables(run, "cost", "wage"))
    assert row["value"] == pytest.approx(earnings_of(with_a_break).wage)
    address = with_a_break.get_absolute_url()
    assert wage in client.get(address).content.decode()
    cost = client.get(f"{address}results/cost/").content.decode()
    assert wage.removesuffix(" USD") in cost


def test_imported_work_says_that_its_whole_time_counts(with_a_break, client):
    client.force_login(rita())
    works = Assignment.objects.filter(study=with_a_break)
    works.update(submitted_at=F("started_at") + HOUR)
    Judgment.objects.update(answered_at=NOW + HOUR)
    earnings = earnings_of(with_a_break)
    assert (earnings.wage, earnings.whole) == (3, 2)
    page = client.get(with_a_break.get_absolute_url()).content.decode()
    assert "data-whole-times" in page


def test_rejected_work_earns_only_if_it_is_paid(with_a_break):
    one, two = with_a_break.assignments.order_by("pk")
    for work, decision in ((one, "reject"), (two, "reject_but_pay")):
        reviewing.decide(
            assignment=work, decision=decision, reviewer="rita", reason="No.", now=timezone.now()
        )
    assert earnings_of(with_a_break).n == 1
    assert set(active_times(with_a_break)) == {one.pk, two.pk}


@given(
    minutes=st.integers(1, 600),
    target=st.decimals(1, 200, places=2),
    fewer=st.integers(1, 50),
)
def test_what_pays_the_target_is_never_called_below_it_and_less_always_is(minutes, target, fewer):
    pay = pay_for(minutes=minutes, wage=target)
    met = TaskTerms(
        pay=float(pay), minutes=minutes, careful=0, target=float(target), currency="USD"
    )
    assert not met.is_below
    less = pay - Decimal(fewer) / 100
    if less > 0:
        short = TaskTerms(
            pay=float(less), minutes=minutes, careful=0, target=float(target), currency="USD"
        )
        assert short.is_below == (less * 60 / minutes < target)
        for told in warnings(short, reading=0):  # never "12.00 USD an hour, less than 12.00 USD"
            assert f" is {target:.2f} USD an hour" not in told


def test_a_suggested_pay_is_not_under_the_target_it_was_made_for():
    assert not TaskTerms(pay=5.6, minutes=28, careful=28, target=12, currency="USD").is_below
