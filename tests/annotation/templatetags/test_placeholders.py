"""Figures in what workers read are those of their own task."""

import pytest

from annotation.fieldwork.work.placeholders import filled
from annotation.studies.wages import hourly
from annotation.texts.number_formats import money
from judging.instruments.files import load
from tests.cast import begun, bob, small_study

pytestmark = pytest.mark.django_db


def test_instructions_name_as_many_pairs_as_the_task_has(client):
    instrument = load("crowdrag-pairwise")
    study = small_study(instrument="crowdrag-pairwise", responses=5, minutes=12)
    assignment = begun(study, bob())
    assert study.instructions == instrument.instructions
    for page in ("instructions/", "judging/1/"):
        text = client.get(f"/w/{assignment.token}/{page}").content.decode()
        assert "Number of pairs: <strong>10</strong>" in text
        assert "<strong>12 minutes</strong>" in text
        assert "{" not in text


def test_what_is_no_placeholder_stays_as_it_is():
    assignment = begun(small_study(pay=2, minutes=5), bob())
    text = "{pay} for {minutes} min; {topic}, {0}, {} and { items }"
    assert filled(text, assignment) == "2.00 USD for 5 min; {topic}, {0}, {} and { items }"


def test_the_consent_page_names_the_figures_before_there_is_a_place(client):
    study = small_study(responses=5, minutes=7)
    type(study).objects.update(consent="{items} pairs in {minutes} minutes.")
    text = client.get(f"/s/{study.slug}/").content.decode()
    assert "10 pairs in 7 minutes." in text


def test_money_is_rounded_and_not_cut_off():
    assert money(hourly(pay=2.40, minutes=12), "GBP") == "12.00 GBP"
    assert money(1234.995, "USD") == f"{1234.995:,.2f} USD"
