"""A pilot goes first, and what it taught is proposed for the rest."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.agreement.alpha import spearman_brown
from annotation.fieldwork.work import assigning
from annotation.models import Study
from annotation.studies import batching, extending
from annotation.studies.act_effects import terms_of_batches
from annotation.studies.batching import launch
from annotation.studies.drafts import launching
from annotation.studies.drafts.launching import BadPilot
from annotation.studies.pilot_results import median_of, pilot_and_next, pilot_results, pilot_size
from annotation.studies.progress import batches_in
from annotation.studies.waiting_notices import waiting_in
from tests.analysis.exports.exported import judged_study
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    begun,
    design_batch,
    draft_study,
    handed_in,
    rita,
    worker,
)
from tests.hooks import element, elements, values


@pytest.mark.parametrize(
    ("n", "low", "high"), [(5, None, None), (6, 1, 6), (9, 2, 8), (10, 2, 9), (20, 6, 15)]
)
def test_the_interval_of_a_median_is_that_of_the_tables(n, low, high):
    """The ranks of Conover (1999), table A3, for the binomial distribution with p = 1/2."""
    median = median_of(list(range(n, 0, -1)))
    assert (median.low, median.high, median.n) == (low, high, n)


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=60))
def test_a_median_lies_in_its_interval(values):
    median = median_of(values)
    assert median.low is None or median.low <= median.value <= median.high


def test_two_votes_are_as_reliable_as_spearman_and_brown_say():
    assert spearman_brown(0.5, 2) == pytest.approx(2 / 3)
    assert spearman_brown(0.3, 1) == 0.3
    assert spearman_brown(-0.1, 5) is None


@pytest.mark.parametrize(("tasks", "size"), [(1, 0), (3, 0), (4, 2), (30, 3), (38, 4), (500, 10)])
def test_a_pilot_is_a_tenth_and_neither_tiny_nor_long(tasks, size):
    assert pilot_size(tasks) == size


@pytest.fixture
def study() -> Study:
    """Return a study whose pilot took 20 minutes and more instead of the planned 10."""
    study = draft_study(responses=3, pay=Decimal(2), minutes=10, hourly_wage=Decimal(12))
    _, rest = extending.split_pilot(batch=design_batch(study, items=1, quota=7), tasks=1)
    launch(study=study, now=NOW, waiting=[rest])
    for n, name in enumerate("abcdef"):
        handed_in(begun(study, worker(name)), now=NOW + (20 + n) * MINUTE)
    assigning.return_task(assignment=begun(study, alice()), now=NOW)
    return study


@pytest.mark.django_db
def test_what_a_pilot_taught_is_proposed_for_the_rest(study):
    pilot, rest = pilot_and_next(terms_of_batches(list(study.batches.all())))
    found = pilot_results(pilot)
    assert (found.batch.name, rest.batch.name) == ("pilot", "main")
    assert (found.minutes.value, found.minutes.low, found.minutes.high) == (22.5, 20, 25)
    assert found.wage == pytest.approx(2 / 22.5 * 60)
    assert found.is_below
    assert (found.handed_in, found.began, found.left) == (6, 7, 1)
    assert found.proposed_minutes == 23
    assert found.proposed_pay == Decimal("4.60")  # 12 an hour


@pytest.mark.django_db
def test_the_page_proposes_terms_that_can_be_looked_at_and_changed(study):
    client = Client()
    client.force_login(rita())
    page = client.get("/studies/lamps/1/recruit/").text
    assert 'id="lessons-title"' in page
    at = "/studies/lamps/1/recruit/2/terms/"
    assert f"{at}?pay=4.60&amp;minutes=23&amp;votes=7" in page
    looked = client.get(at, {"pay": "4.60", "minutes": "23", "votes": "4"}).text
    figures = [number for says in elements(looked, "data-says") for number in says.numbers]
    assert {4.6, 23, 12} <= set(figures)  # USD for a task, its minutes, USD an hour
    assert {2, 4, 8, 36.8} <= set(figures)  # tasks, workers, places, USD


@pytest.mark.django_db
def test_the_rest_waits_for_the_pilot_and_then_for_whoever_reads_what_it_taught(study):
    client = Client()
    client.force_login(rita())
    opening = re.compile(r'button-primary"[^>]*recruit/2/open/')
    terms = re.compile(r'button-primary"[^>]*recruit/2/terms/')

    def looked() -> tuple[str, str, list[str]]:
        found = waiting_in([study], batches_in([study]), now=NOW)[study.pk]
        return (
            client.get("/studies/lamps/1/recruit/").text,
            client.get("/studies/lamps/1/recruit/2/open/").text,
            [each.code for each in found if "main" in each.sentence],
        )

    page, asked, waits = looked()
    assert waits == []
    assert not opening.search(page)
    assert not terms.search(page)
    assert values(page, "data-opens-after") == ["pilot"]
    assert values(page, "data-waits-for") == ["pilot"]
    assert values(asked, "data-running") == ["6/7"]

    pilot = study.batches.get(name="pilot")
    batching.close_batch(batch=pilot, now=NOW + 2 * HOUR)
    page, asked, waits = looked()
    assert waits == ["pilot_done"]
    assert values(page, "data-findings-of") == ["pilot"]
    assert not values(page, "data-waits-for")
    assert terms.search(page)
    assert not opening.search(page)
    assert "data-running" not in asked

    rest = study.batches.get(name="main")
    extending.set_terms(batch=rest, pay=Decimal("4.60"), minutes=23, votes=7)
    page, _, _ = looked()
    assert opening.search(page)
    assert not terms.search(page)


@pytest.mark.django_db
def test_the_agreement_of_what_was_analysed_stands_beside_it():
    study = judged_study("alice", "bob", "charlie")
    design_batch(study, items=3)
    client = Client()
    client.force_login(rita())
    page = client.get("/studies/lamps/1/recruit/").text
    assert element(page, "data-agreement-so-far")
    assert element(page, "data-reliability").numbers == [3]


@pytest.mark.django_db
def test_a_draft_is_launched_with_a_pilot():
    document = judging_document(responses=5)
    document.instruments[0]["defaults"]["items_per_questionnaire"] = 2
    draft, user = drafted(document), rita()
    for tasks in (-1, 5, 99):
        with pytest.raises(BadPilot, match=r"\b1\b.*\b4\b"):
            launching.launch(draft=draft, revision=draft.revision, user=user, now=NOW, pilot=tasks)
    assert not Study.objects.exists()
    client = Client()
    client.force_login(user)
    at = f"{draft.get_absolute_url()}launch/"
    assert values(client.get(at).text, "data-pilot") == ["2/5"]
    assert 10 in element(client.get(at).text, "data-pilot").numbers  # places
    fragment = client.get(at, {"pilot": "3"}, headers={"HX-Request": "true"}).text
    assert values(fragment, "data-pilot") == ["3/5"]
    assert 15 in element(fragment, "data-pilot").numbers
    sent = {"revision": draft.revision, "first": "pilot", "pilot": "five"}
    refused = client.post(at, sent)
    assert refused.status_code == 409
    assert 'id="pilot-fault"' in refused.text
    assert client.post(at, sent | {"pilot": "2"}).status_code == 302
    study = Study.objects.get()
    states = study.batches.values_list("name", "state")
    assert list(states) == [("pilot", "open"), ("main", "draft")]
    assert "a pilot of 2 first" in study.team.audit_entries.get(act="launched a study").what
