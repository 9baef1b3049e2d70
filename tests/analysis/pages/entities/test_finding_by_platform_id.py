"""A participant is found by the exact platform ID, by people who may see the study."""

import pytest

from annotation.console.search import found
from annotation.fieldwork.consenting.erasing_study_data import forget
from annotation.fieldwork.work.ownership import proof_of
from annotation.models import (
    Assignment,
    Batch,
    PlatformStudy,
    PlatformSubmission,
    Role,
)
from annotation.people.pseudonyms import hashed, hashes_of_id
from annotation.studies.setting_retention import PLATFORM_IDS
from config.logs import masked
from tests.annotation.people.access.people import join, somebody
from tests.cast import (
    HOUR,
    NOW,
    begun,
    bob,
    charlie,
    handed_in,
    prolific_id,
    proof,
    rita,
    small_study,
)
from tests.config.askers import client_of

pytestmark = pytest.mark.django_db
BOB = prolific_id("bob")
SUBMISSION = prolific_id("first of bob")
LISTS = ("workers", "work", "places", "submissions", "ledger")


@pytest.fixture
def study():
    """Bob and Charlie worked; Dora's submission is known from Prolific, but she never came."""
    study = small_study(quota=3, recruitment="prolific", pay=2)
    for person in (bob(), charlie()):
        name = person.pseudonym
        work = handed_in(begun(study, person, proof=proof(name)))
        _at_prolific(study, name, work)
    _at_prolific(study, "dora", None)
    return study


def _at_prolific(study, name, work):
    there, _ = PlatformStudy.objects.get_or_create(
        platform="prolific", external_id="p", study=study, pay=2, minutes=5, created_at=NOW
    )
    submission = prolific_id(f"first of {name}")
    PlatformSubmission.objects.create(
        platform_study=there,
        session_hash=proof_of(platform="prolific", submission=submission, browser="").session,
        external_id=b"",
        person_hash=hashed(platform="prolific", external_id=prolific_id(name)),
        worker=work and work.worker,
        assignment=work,
        status="AWAITING REVIEW",
        asked_at=NOW,
        changed_at=NOW,
        source="poll",
    )


def shown(client, study, at, q):
    page = client.get(f"/studies/{study.slug}/1/{at}/", {"q": q})
    assert page.status_code == 200
    return page.context["page"].paginator.count


@pytest.mark.parametrize("sought", [BOB, BOB.upper(), f"  {BOB} ", SUBMISSION])
@pytest.mark.parametrize("at", LISTS)
def test_each_list_of_people_and_their_work_finds_an_exact_id(study, at, sought):
    client = client_of(rita())
    assert shown(client, study, at, sought) == 1
    assert shown(client, study, at, "") > 1


@pytest.mark.parametrize("sought", [BOB[:-1], BOB[1:], f"{BOB}0", prolific_id("nobody")])
@pytest.mark.parametrize("at", LISTS)
def test_a_part_of_an_id_finds_nobody(study, at, sought):
    assert shown(client_of(rita()), study, at, sought) == 0


def test_somebody_who_never_came_is_found_among_the_submissions_at_prolific(study):
    client = client_of(rita())
    assert shown(client, study, "submissions", prolific_id("dora")) == 1
    assert shown(client, study, "workers", prolific_id("dora")) == 0


def test_the_page_of_prolific_leads_to_the_submission(study):
    page = client_of(rita()).get(f"/studies/{study.slug}/1/recruit/prolific/")
    assert f'action="/studies/{study.slug}/1/submissions/"' in page.text


def test_the_queue_and_the_money_page_find_an_exact_id(study):
    client = client_of(rita())
    queue = client.get(f"/studies/{study.slug}/1/review/", {"q": BOB, "state": "all"})
    assert queue.text.count("<code title=") == 1
    money = client.get(f"/studies/{study.slug}/1/recruit/money/", {"q": BOB})
    assert money.context["page"].paginator.count == 1


@pytest.mark.parametrize("sought", [BOB, SUBMISSION])
def test_the_search_at_the_top_leads_to_the_participant(study, sought):
    (group,) = found(rita(), sought)
    assert [(hit.name, hit.address) for hit in group.hits] == [
        ("bob", f"/studies/{study.slug}/1/workers/bob/")
    ]
    assert found(rita_again(), sought[:-1]) == []


def rita_again():
    from django.contrib.auth.models import User

    return User.objects.get(username="rita")


@pytest.mark.parametrize("role", list(Role))
def test_only_people_of_the_study_find_its_participants(study, role):
    other = small_study(slug="other", corpus=study.corpus, recruitment="prolific")
    member, stranger = somebody(), somebody("stranger")
    join(member, study, role)
    join(stranger, other, Role.OWNER)
    assert [group.title for group in found(member, BOB)] == ["Participants"]
    assert found(stranger, BOB) == []
    assert shown(client_of(stranger), other, "workers", BOB) == 0
    for at in LISTS:
        response = client_of(stranger).get(f"/studies/{study.slug}/1/{at}/", {"q": BOB})
        assert response.status_code == 404


def test_nobody_is_found_once_the_platform_ids_are_erased(study):
    Batch.objects.update(state="closed", closed_at=NOW)
    what = PLATFORM_IDS
    forget(study=study, what=what, now=NOW + HOUR, although_owed=True)
    client = client_of(rita())
    for at in LISTS:
        assert shown(client, study, at, BOB) == 0
    assert found(rita_again(), BOB) == []


def test_an_empty_field_has_no_hash_and_no_log_line_has_an_id():
    assert hashes_of_id("  ") == []
    assert BOB not in masked(f"GET /search/?q={BOB} 200")
    assert BOB.upper() not in masked(f"GET /studies/lamps/1/workers/?page=2&q={BOB.upper()}")
    assert masked("GET /search/?q=lamps 200") == "GET /search/?q=*** 200"


def test_a_program_that_knows_the_database_alone_finds_no_id(study):
    """The ID is in no column as it is: it is found by a hash with a key that is elsewhere."""
    for value in Assignment.objects.values_list("worker__external_hash", "session_hash").first():
        assert BOB not in value
