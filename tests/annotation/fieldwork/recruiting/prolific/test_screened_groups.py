"""Qualifications and earlier studies as groups of participants on Prolific."""

import pytest
from django.urls import reverse

from annotation.console import prolific_views
from annotation.fieldwork.platforms.fake_prolific.eligibility import admits
from annotation.fieldwork.recruiting.prolific import (
    audiences,
    publishing,
    reconciling,
    screened_groups,
)
from annotation.fieldwork.screening.qualifying import qualify, take_back
from annotation.models import Assignment, Keeping, PlatformStudy, Worker
from annotation.people.pseudonyms import worker_for
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.annotation.fieldwork.recruiting.prolific.test_audiences import (
    drafted,
    filters_of,
    on_prolific,
    published,
)
from tests.cast import NOW, begun, rita
from tests.refusals import refused

pytestmark = pytest.mark.django_db
ANN, BOB, CID, GROUP = ("1" * 24, "2" * 24, "3" * 24, "a" * 24)
RULE = {"requires": "Knows lamps"}


@pytest.fixture
def fake(monkeypatch, settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "trial", False
    settings.PROLIFIC_WORKSPACE = "e" * 24
    there = Fake()
    for module in (publishing, reconciling, prolific_views):
        monkeypatch.setattr(module, "client_for_settings", lambda: there.client)
    return there


def person(external_id):
    return worker_for(platform="prolific", external_id=external_id)


def knows(*people):
    study = on_prolific()
    qualify(workers=map(person, people), name="Knows lamps", by="rita", now=NOW, study=study)
    return study


def later(**screening):
    return on_prolific(slug="later", screening=screening)


def members(fake, at, kind=screened_groups.ADMITTED):
    return fake.world.groups[at.groups[kind]["id"]]


def is_eligible(fake, there, who):
    fields, took_part = there.fields, there.took_part
    return admits(fields, who, took_part=took_part, groups=fake.world.groups)


def test_only_holders_of_a_required_qualification_see_the_study(fake):
    knows(ANN)
    at = drafted(later(**RULE))
    assert members(fake, at) == [ANN]
    there = published(fake, at)
    assert is_eligible(fake, there, ANN)
    assert not is_eligible(fake, there, BOB)


def test_holders_of_an_excluded_qualification_do_not_see_it(fake):
    knows(ANN)
    at = drafted(later(excludes="Knows lamps"))
    there = published(fake, at)
    assert not is_eligible(fake, there, ANN)
    assert is_eligible(fake, there, BOB)


def test_a_group_follows_qualifications_with_each_poll(fake):
    first = knows(ANN)
    at = drafted(later(**RULE))
    published(fake, at)
    qualify(workers=[person(BOB)], name="Knows lamps", by="rita", now=NOW, study=first)
    take_back(workers=[person(ANN)], name="Knows lamps", study=first)
    reconciling.poll(at=at, now=NOW)
    assert members(fake, at) == [BOB]
    at.refresh_from_db()
    fake.world.groups[at.groups[screened_groups.ADMITTED]["id"]] = ["as it was"]
    reconciling.poll(at=at, now=NOW)
    assert members(fake, at) == ["as it was"]  # nothing changed, so nothing was sent


def test_the_older_of_two_lists_sent_at_once_does_not_stay(fake, monkeypatch):
    first = knows(ANN)
    at = drafted(later(**RULE))
    published(fake, at)
    send, older = fake.client.set_group, []

    def overtaken(group, people):
        if not older:  # another process sends a newer list before this one arrives
            older.append(people)
            qualify(workers=[person(CID)], name="Knows lamps", by="rita", now=NOW, study=first)
            reconciling.poll(at=PlatformStudy.objects.get(pk=at.pk), now=NOW)
        send(group, people)

    monkeypatch.setattr(fake.client, "set_group", overtaken)
    qualify(workers=[person(BOB)], name="Knows lamps", by="rita", now=NOW, study=first)
    reconciling.poll(at=PlatformStudy.objects.get(pk=at.pk), now=NOW)
    assert members(fake, at) == [ANN, BOB]
    reconciling.poll(at=PlatformStudy.objects.get(pk=at.pk), now=NOW)
    assert members(fake, at) == [ANN, BOB, CID]


def test_a_group_that_is_gone_there_is_shown_and_keeps_no_state_back(fake):
    first = knows(ANN)
    at = drafted(later(**RULE))
    published(fake, at)
    qualify(workers=[person(BOB)], name="Knows lamps", by="rita", now=NOW, study=first)
    fake.world.groups.clear()
    reconciling.poll(at=at, now=NOW)
    at.refresh_from_db()
    assert (at.state, at.polled_at, bool(at.problem)) == ("ACTIVE", NOW, True)


def test_a_qualification_given_before_publishing_counts(fake):
    first = knows()
    at = drafted(later(**RULE))
    qualify(workers=[person(BOB)], name="Knows lamps", by="rita", now=NOW, study=first)
    published(fake, at)
    assert members(fake, at) == [BOB]


def test_several_required_studies_admit_who_took_part_in_all(fake):
    """Prolific's own list would admit participants of any of them."""
    first, second = on_prolific(), on_prolific(slug="second")
    for study, who in ((first, ANN), (second, ANN), (first, BOB)):
        begun(study, person(who))
    at = drafted(later(required_studies="lamps, second"))
    assert members(fake, at) == [ANN]
    assert not is_eligible(fake, published(fake, at), BOB)


def test_later_participants_of_an_excluded_study_are_excluded_too(fake):
    first = on_prolific()
    at = drafted(later(excluded_studies="lamps"))
    there = published(fake, at)
    assert is_eligible(fake, there, ANN)
    begun(first, person(BOB))
    reconciling.poll(at=at, now=NOW)
    assert not is_eligible(fake, there, BOB)


def test_people_from_elsewhere_and_erased_ids_are_in_no_group(fake):
    first = knows(ANN, BOB, "no id of Prolific")
    elsewhere = worker_for(platform="link", external_id=CID)
    qualify(workers=[elsewhere], name="Knows lamps", by="rita", now=NOW, study=first)
    Worker.objects.filter(pk=person(BOB).pk).update(external_id=b"")
    assert members(fake, drafted(later(**RULE))) == [ANN]


def test_an_id_that_is_erased_later_leaves_the_groups_of_older_studies(fake):
    knows(ANN, BOB)
    at = drafted(later(**RULE))
    Worker.objects.filter(pk=person(BOB).pk).update(external_id=b"")
    Keeping.objects.create(study=at.study, platform_ids_erased_at=NOW)
    reconciling.poll_all(now=NOW + 2 * reconciling.AFTERWARDS)
    assert members(fake, at) == [ANN]


def test_an_earlier_study_on_prolific_needs_no_group(fake):
    drafted(on_prolific())
    at = drafted(later(required_studies="lamps"))
    assert at.groups == {}
    assert audiences.ALLOWED in filters_of(fake, at)


def test_groups_of_ones_own_do_not_widen_a_requirement(fake):
    knows(ANN)
    with refused("GroupsClash"):
        drafted(later(**RULE), required_groups=GROUP)
    at = drafted(later(excludes="Knows lamps"), excluded_groups=GROUP)
    values = filters_of(fake, at)[audiences.GROUPS_BLOCKED]["selected_values"]
    assert values == [GROUP, at.groups[screened_groups.EXCLUDED]["id"]]


def test_without_a_workspace_no_draft_is_made(fake, settings):
    settings.PROLIFIC_WORKSPACE = ""
    knows(ANN)
    with refused("NoWorkspace"):
        drafted(later(**RULE))
    assert not fake.world.studies


def test_pages_name_a_group_and_a_linked_study_without_one(fake, client):
    knows(ANN)
    study = later(**RULE)
    client.force_login(rita())
    page = reverse("at_prolific", args=[study.slug, 1])
    assert "data-groups" in client.get(page).text
    drafted(study)
    assert "data-lacks-groups" not in client.get(page).text
    PlatformStudy.objects.update(groups={})
    assert "data-lacks-groups" in client.get(page).text


def test_a_person_who_does_not_qualify_is_asked_to_return_before_consent(fake, client):
    study = later(**RULE)
    link = f"{study.public_path}?PROLIFIC_PID={BOB}&STUDY_ID={GROUP}&SESSION_ID={CID}"
    shown = client.get(link)
    if "data-refusal" not in shown.text:  # an unsigned link tells a stranger nothing
        shown = client.post(link, {"agree": "yes", "terms": ""}, follow=True)
    assert 'data-refusal="NotQualified"' in shown.text
    assert "data-return-submission" in shown.text
    assert not Assignment.objects.filter(study=study).exists()
