"""Qualifications belong to a team: no other team sees, gives or removes them."""

from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.screening.qualified_people import holders_for
from annotation.fieldwork.screening.qualifying import qualify, take_back
from annotation.fieldwork.work.admission import require_admitted
from annotation.models import AuditEntry, Corpus, Qualified, Study
from annotation.refusals import Refusal
from annotation.studies.drafts import making
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.plain_data import typed
from annotation.studies.drafts.screening_schema import Screening
from tests.annotation.people.access.people import join, somebody
from tests.annotation.studies.drafts.drafted import judging_document
from tests.cast import NOW, begun, bob, charlie, rita, small_study
from tests.refusals import refused

pytestmark = pytest.mark.django_db
NAME = "Reads Frisian"


@pytest.fixture
def theirs() -> Study:
    """Return a study of another team, which gives and requires a qualification that Bob has."""
    study = small_study(slug="theirs", quota=3, screening={"requires": NAME})
    join(somebody("olga"), study, "owner")
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=study)
    return study


@pytest.fixture
def mine(theirs: Study) -> Study:
    """Return a study of Mallory, who has no role in the other team.

    Bob and Charlie work in both.
    """
    study = small_study(slug="mine", corpus=theirs.corpus, quota=3)
    join(somebody("mallory"), study, "owner")
    for person in (bob(), charlie()):
        begun(study, person)
    return study


def page_of(study: Study, name: str = "mallory") -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def sent(client: Client, study: Study, **fields: Any) -> Any:
    address = reverse("give_qualification", args=[study.slug, study.version])
    return client.post(address, {"name": NAME, **fields}, follow=True)


def is_admitted(study: Study, worker: Any) -> bool:
    try:
        require_admitted(study=study, worker=worker)
    except Refusal as refusal:
        if refusal.code != "NotQualified":
            raise
        return False
    return True


def test_another_team_does_not_see_its_qualifications(theirs, mine):
    client = page_of(mine)
    for name in ("qualifications", "all_qualifications"):
        args = [mine.slug, mine.version] if name == "qualifications" else []
        assert NAME not in client.get(reverse(name, args=args)).content.decode()


def test_another_team_does_not_take_a_qualification_away(theirs, mine):
    sent(page_of(mine), mine, worker=[bob().pk], do="take")
    assert Qualified.objects.filter(worker=bob()).exists()
    assert is_admitted(theirs, bob())


def test_a_qualification_given_by_another_team_opens_no_study(theirs, mine):
    sent(page_of(mine), mine, worker=[charlie().pk], do="give")
    assert is_admitted(theirs, bob())
    assert not is_admitted(theirs, charlie())


@pytest.fixture
def document() -> Any:
    return judging_document()


def launched(document: Any, user: User, *, slug: str, **said: Any) -> Study:
    """Return a study that somebody made from a draft and launched."""
    whole = msgspec.structs.replace(
        document, slug=slug, title=slug, screening=typed(said, Screening)
    )
    draft = making.make_draft(document=whole, user=user, now=NOW)
    return launch(draft=draft, revision=draft.revision, user=user, now=NOW)


def test_a_study_accepts_what_its_launcher_gives_elsewhere(document):
    olga = owner_of(document)
    first = launched(document, olga, slug="first")
    later = launched(document, olga, slug="later", requires=NAME)
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=first, user=olga)
    assert is_admitted(later, bob())
    assert not is_admitted(later, charlie())
    acts = AuditEntry.objects.filter(act="accepted a qualification")
    assert set(acts.values_list("team", flat=True)) == {first.team_id, later.team_id}
    latest = launched(document, olga, slug="latest", requires=NAME)
    assert is_admitted(latest, bob())


def test_a_study_launched_by_a_person_without_a_role_accepts_nothing(document):
    olga, mallory = owner_of(document), owner_of(document, "mallory")
    first = launched(document, olga, slug="first")
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=first, user=olga)
    assert not is_admitted(launched(document, mallory, slug="other", requires=NAME), bob())
    join(mallory, first, "viewer")
    assert not is_admitted(launched(document, mallory, slug="next", requires=NAME), bob())


def test_a_new_version_accepts_what_the_version_before_it_did(document):
    olga, rob = owner_of(document), owner_of(document, "rob")
    first = launched(document, olga, slug="first")
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=first, user=olga)
    later = launched(document, olga, slug="later", requires=NAME)
    join(rob, later, "researcher")
    draft = making.make_version(study=later, user=rob, now=NOW)
    version = launch(draft=draft, revision=draft.revision, user=rob, now=NOW)
    assert is_admitted(version, bob())


def test_an_administrator_connects_only_teams_they_are_a_member_of(document):
    first = launched(document, owner_of(document), slug="first")
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=first)
    assert not is_admitted(launched(document, rita(), slug="admin", requires=NAME), bob())


def test_what_another_team_gave_is_taken_back_there(theirs, mine):
    with refused("NotGivenHere"):
        take_back(workers=[bob()], name=NAME, study=mine)


def test_the_check_of_a_draft_counts_what_a_launch_would_accept(document):
    olga, mallory = owner_of(document), owner_of(document, "mallory")
    first = launched(document, olga, slug="first")
    qualify(workers=[bob()], name=NAME, by="olga", now=NOW, study=first, user=olga)
    draft = making.make_draft(document=document, user=olga, now=NOW)
    assert holders_for(team=draft.team_id, user=olga, name=NAME) == 1
    assert holders_for(team=draft.team_id, user=mallory, name=NAME) == 0
    assert holders_for(team=draft.team_id, user=olga, name=" ") is None


def owner_of(document: Any, name: str = "olga") -> User:
    """Somebody who may build on the corpus of a document."""
    user = somebody(name)
    join(user, Corpus.objects.get(slug=document.corpus), "owner")
    return user
