"""Filters, quotas, devices, groups and earlier studies of a draft, and whom the fake admits."""

import html
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.console import prolific_views
from annotation.fieldwork.platforms.fake_prolific.world import ApiError
from annotation.fieldwork.recruiting.prolific import audiences, offers, publishing, reconciling
from annotation.fieldwork.recruiting.prolific.audiences import Audience
from annotation.models import Corpus, PlatformStudy
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import NOW, rita, small_corpus, small_study
from tests.refusals import refused

pytestmark = pytest.mark.django_db
GROUP, PROJECT, PERSON, OTHER = ("a" * 24, "b" * 24, "c" * 24, "d" * 24)


@pytest.fixture
def fake(monkeypatch, settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "trial", False
    there = Fake()
    for module in (publishing, reconciling, prolific_views):
        monkeypatch.setattr(module, "client_for_settings", lambda: there.client)
    return there


def on_prolific(slug="lamps", **settings):
    """Return an open study; those of a test share a corpus, and so a team."""
    corpus = Corpus.objects.first() or small_corpus()
    settings |= {"recruitment": "prolific", "pay": Decimal("3.25"), "quota": 2, "team": corpus.team}
    return small_study(slug=slug, corpus=corpus, **settings)


def drafted(study, **wishes):
    audience = Audience(**wishes)
    client = publishing.client_for_settings()
    payload = publishing.payload_for(study=study, audience=audience, client=client)
    stamp = offers.stamp_of(payload)
    return publishing.make_draft(study=study, audience=audience, stamp=stamp, now=NOW)


def fields_of(fake, at):
    return fake.world.studies[at.external_id].fields


def filters_of(fake, at):
    return {one["filter_id"]: one for one in fields_of(fake, at)["filters"]}


def test_own_filters_are_written_with_prolifics_ids(fake):
    lines = "Handedness: left, Ambidextrous\nAge: 25-40\n\napproval_rate: 95-"
    filters = filters_of(fake, drafted(on_prolific(), filters=lines))
    assert filters["handedness"]["selected_values"] == ["0", "2"]
    assert filters["age"]["selected_range"] == {"lower": 25, "upper": 40}
    assert filters["approval_rate"]["selected_range"] == {"lower": 95}


def test_proportions_make_a_balanced_sample(fake):
    at = drafted(on_prolific(), filters="Sex: Male = 1, Female = 3")
    assert fields_of(fake, at)["study_type"] == "QUOTA"
    assert filters_of(fake, at)["sex"]["weightings"] == {"0": 1, "1": 3}


@pytest.mark.parametrize(
    "line",
    [
        *("Shoe size: 40-42", "Sex", "Sex: Other", "Sex: Male, Male", "Age: old", "Age: 40-25"),
        *("Sex: Male = 1, Female", "Sex: Male = 0, Female = 1", "Age: 20-30\nage: 30-40"),
    ],
)
def test_wrong_filters_are_refused(fake, line):
    with refused("BadFilter"):
        drafted(on_prolific(), filters=line)
    assert not fake.world.studies


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ({"devices": ["watch"]}, "BadDevice"),
        ({"excluded_groups": "my friends"}, "BadProlificId"),
        ({"joins": f"{GROUP}, {PROJECT}"}, "BadProlificId"),
        ({"people": "friends"}, "UnknownPeople"),
    ],
)
def test_other_wrong_wishes_are_refused(fake, wishes, code):
    with refused(code):
        drafted(on_prolific(), **wishes)


@pytest.mark.parametrize(
    ("line", "values", "weights"),
    [
        ("Work: Full-time, Not in paid work (retired, disabled), Other", ["f", "n", "o"], None),
        ("Work: Not in paid work (retired, disabled) = 2, Other = 1", ["n", "o"], {"n": 2, "o": 1}),
    ],
)
def test_a_choice_may_have_commas(line, values, weights):
    listed = {"f": "Full-time", "n": "Not in paid work (retired, disabled)", "o": "Other"}
    known = {"results": [{"filter_id": "work", "title": "Work", "choices": listed}]}
    study = small_study(slug="work")
    (made,) = audiences.filters_of(Audience(filters=line), study, known)
    assert (made["selected_values"], made.get("weightings")) == (values, weights)


def test_devices_equipment_project_and_group_are_sent(fake):
    at = drafted(
        on_prolific(), devices=["desktop"], equipment=["microphone"], project=PROJECT, joins=GROUP
    )
    fields = fields_of(fake, at)
    assert fields["device_compatibility"] == ["desktop"]
    assert fields["peripheral_requirements"] == ["microphone"]
    assert fields["project"] == PROJECT
    (completed,) = [c for c in fields["completion_codes"] if c["code_type"] == "COMPLETED"]
    assert completed["actions"][1:] == [
        {"action": "ADD_TO_PARTICIPANT_GROUP", "participant_group": GROUP}
    ]


def test_without_wishes_nothing_more_is_sent(fake):
    fields = fields_of(fake, drafted(on_prolific()))
    assert fields["filters"] == []
    assert not {"peripheral_requirements", "project", "study_type"} & set(fields)
    assert fields["device_compatibility"] == ["desktop", "tablet", "mobile"]


def published(fake, at):
    publishing.publish(at=at)
    return fake.world.studies[at.external_id]


def test_a_follow_up_admits_only_participants_of_the_first_part(fake):
    first = published(fake, drafted(on_prolific()))
    fake.arrived(first.id, PERSON)
    follow_up = on_prolific(slug="again", screening={"required_studies": "lamps"})
    at = drafted(follow_up)
    assert filters_of(fake, at)[audiences.ALLOWED]["selected_values"] == [first.id]
    there = published(fake, at)
    assert fake.world.reserve(there, PERSON)
    with pytest.raises(ApiError, match="not eligible"):
        fake.world.reserve(there, OTHER)


def test_excluded_studies_turn_nobody_away_here(fake):
    first = published(fake, drafted(on_prolific()))
    fake.arrived(first.id, PERSON)
    other = on_prolific(slug="other", screening={"excluded_studies": "lamps"})
    there = published(fake, drafted(other))
    with pytest.raises(ApiError, match="not eligible"):
        fake.world.reserve(there, PERSON)
    assert fake.world.reserve(there, OTHER)


def test_a_study_there_at_other_pay_excludes_people_who_had_their_task(fake):
    study = on_prolific()
    first = drafted(study)
    study.batches.update(pay=Decimal(4), minutes=20)
    again = drafted(study)
    assert filters_of(fake, again)[audiences.BLOCKED]["selected_values"] == [first.external_id]
    study.tasks_per_worker = 2
    assert audiences.earlier_versions(study) == []


def test_groups_admit_and_exclude_at_once(fake):
    joined = published(fake, drafted(on_prolific(), joins=GROUP))
    study = on_prolific(slug="other")
    there = published(fake, drafted(study, required_groups=GROUP))
    with pytest.raises(ApiError, match="not eligible"):
        fake.world.reserve(there, PERSON)
    submission = fake.world.reserve(joined, PERSON)
    (code,) = [c for c in joined.fields["completion_codes"] if c["code_type"] == "COMPLETED"]
    fake.world.complete(submission, code["code"])
    assert fake.world.reserve(there, PERSON)


def test_the_page_keeps_what_was_typed_and_shows_faults(fake, client):
    on_prolific()
    client.force_login(rita())
    address = reverse("act_at_prolific", args=["lamps", 1, "look"])
    typed = {"people": "everybody", "title": "Lamps", "text": "Read.", "filters": "Sex: Other"}
    shown = html.unescape(client.post(address, typed).content.decode())
    assert "Sex: Other</textarea>" in shown
    assert "data-refused" in shown
    shown = client.post(address, typed | {"filters": "Age: 20-", "devices": ["desktop"]})
    payload = shown.context["payload"]
    assert payload["filters"] == [{"filter_id": "age", "selected_range": {"lower": 20}}]
    assert payload["device_compatibility"] == ["desktop"]


def test_a_study_that_takes_longer_than_planned_is_flagged(fake, client):
    at = drafted(on_prolific())
    there = published(fake, at)
    submission = fake.world.reserve(there, PERSON)
    submission.started_at -= 3600 * 5
    fake.world.complete(submission, "none")
    reconciling.poll(at=at, now=NOW, client=fake.client)
    known = PlatformStudy.objects.get()
    assert (known.is_underpaying, known.is_slower) == (True, True)
    assert known.median_minutes == pytest.approx(300, abs=1)
    client.force_login(rita())
    shown = client.get(reverse("at_prolific", args=["lamps", 1])).content.decode()
    assert "data-underpaying" in shown
    assert (adjust := reverse("money_order", args=["lamps", 1, "adjust"])) in shown
    PlatformStudy.objects.update(median_seconds=None)
    shown = client.get(reverse("at_prolific", args=["lamps", 1])).content.decode()
    assert "data-underpaying" in shown
    assert adjust not in shown


@pytest.mark.parametrize("text", [None, "", "soon", "2026-11-27"])
def test_moments_that_are_unreadable_or_without_a_zone(text):
    moment = reconciling.parsed_time(text)
    assert moment is None if text != "2026-11-27" else moment.tzinfo is not None
