"""Personal links: who they let in, and whom not."""

import csv
from io import StringIO
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.recruiting import contracting
from annotation.models import Assignment, AuditEntry, Contract
from annotation.people.pseudonyms import revealed
from judging.answering import recording
from tests.cast import NOW, answer_all, rita, small_study
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def study_of(recruitment="upwork", **more):
    return small_study(items=1, quota=9, recruitment=recruitment, pay="2.00", **more)


def hired(study, external_id="123", name="Alice"):
    (made,) = contracting.hire(study=study, people=[(external_id, name)], user=None, now=NOW)
    return made


def path(made):
    parts = urlsplit(made.link)
    return f"{parts.path}?{parts.query}"


def taken_part(made, client=None):
    return (client or Client()).post(path(made), {"agree": "yes"})


@pytest.mark.parametrize("recruitment", ["upwork", "invitation"])
def test_a_personal_link_lets_its_person_in_and_on_any_device_to_the_same_work(recruitment):
    made = hired(study_of(recruitment))
    first = taken_part(made)
    assert first.status_code == 302
    work = Assignment.objects.get()
    assert revealed(work.worker) == "123"
    on_the_phone = Client().get(path(made))
    assert on_the_phone.url == reverse("work", args=[work.token])


def test_two_people_are_two():
    study = study_of()
    for number in ("1", "2"):
        taken_part(hired(study, number))
    assert Assignment.objects.values("worker").distinct().count() == 2


@pytest.mark.parametrize("change", ["", "x", "cut", "of another study"])
def test_a_forged_or_foreign_link_is_refused_kindly(change):
    study = study_of()
    made = hired(study)
    other = hired(study_of(slug="others", corpus=study.corpus), "9").token
    token = {"": "", "x": f"x{made.token}", "cut": made.token[:-2], "of another study": other}
    response = Client().post(study.public_path + f"?person={token[change]}", {"agree": "yes"})
    assert (response.status_code, Assignment.objects.count()) == (404, 0)
    assert 'data-refusal="NoPersonalLink"' in response.text


def test_a_revoked_link_lets_nobody_in_and_keeps_what_is_there():
    study = study_of()
    made = hired(study)
    taken_part(made)
    contracting.revoke(contract=made.contract, user=None, now=NOW)
    response = Client().get(path(made))
    assert (response.status_code, Assignment.objects.count()) == (410, 1)
    assert 'data-refusal="LinkRevoked"' in response.text


def test_a_new_link_ends_the_one_before_and_is_the_same_person():
    study = study_of()
    before = hired(study)
    taken_part(before)
    after = contracting.renew(contract=before.contract, user=None, now=NOW)
    assert Client().get(path(before)).status_code == 410
    assert Client().get(path(after)).status_code == 302
    assert AuditEntry.objects.filter(act="created a new personal link").exists()


def test_somebody_elses_link_in_a_browser_that_worked_with_an_own_one_is_refused():
    study, browser = study_of(), Client()
    browser.get(path(hired(study, "1")))
    taken_part(hired(study, "2"), browser)
    response = taken_part(hired(study, "3"), browser)
    assert (response.status_code, Assignment.objects.count()) == (403, 1)
    assert 'data-refusal="OthersLink"' in response.text


def test_of_a_link_only_a_hash_is_kept():
    made = hired(study_of(), "planted-person")
    (row,) = Contract.objects.values()
    assert made.token not in str(row)
    assert "planted-person" not in str(row)


@pytest.mark.parametrize(
    ("people", "code"),
    [([], "PeopleAtOnce"), ([("", "A")], "IdLength"), ([("1", ""), ("1", "")], "RepeatedId")],
)
def test_links_are_given_to_all_or_to_nobody(people, code):
    with refused(code):
        contracting.hire(study=study_of(), people=people, user=None, now=NOW)
    assert not Contract.objects.exists()


def test_nobody_has_two_links():
    study = study_of()
    hired(study)
    with refused("HasLink"):
        hired(study)


def test_the_page_gives_links_once_and_the_statement_names_the_contract():
    study, client = study_of(), Client()
    client.force_login(rita())
    at = reverse("contracts", args=[study.slug, study.version])
    response = client.post(at, {"people": "34512, Alice\n=9\tBob"})
    links = [each.link for each in response.context["made"]]
    assert [parse_qs(urlsplit(link).query)["person"][0] in response.text for link in links] == [
        True
    ] * 2
    assert links[0] not in client.get(at).text
    work = Assignment.objects
    for made in response.context["made"]:
        taken_part(made)

    for each in work.all():
        answer_all(each)
        recording.submit(assignment=each, now=NOW)
    text = client.get(reverse("money_statement", args=[study.slug, study.version])).text
    rows = {row["name"]: row for row in csv.DictReader(StringIO(text))}
    assert rows["Alice"]["contract"] == "34512"
    assert (rows["Bob"]["contract"], rows["Bob"]["owed"]) == ("=9", "2.00")
    revoked = client.post(
        reverse("contract_change", args=[study.slug, study.version, Contract.objects.first().pk]),
        {"change": "revoke"},
    )
    assert revoked.status_code == 200
    assert client.post(at, {"people": "=9, Bob again"}).status_code == 422


def test_without_a_personal_link_nobody_comes_in():
    assert Client().get(study_of().public_path).status_code == 404
