"""What somebody sees: what is theirs, all versions of it, and nothing else."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Membership, Role
from annotation.people import access
from annotation.people.access import Act, sharing
from annotation.studies.drafts import launching, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.lookup import draft_for
from tests.annotation.people.access.people import join, somebody
from tests.cast import NOW, bob, draft_study, rita, small_corpus, small_study, submitted
from tests.hooks import outlined

pytestmark = pytest.mark.django_db


def test_a_list_has_what_is_theirs_and_their_role_in_it():
    corpus, user = small_corpus(), somebody()
    mine, _ = draft_study(corpus=corpus, slug="mine"), draft_study(corpus=corpus, slug="other")
    join(user, mine, Role.REVIEWER)
    assert [(study.slug, study.role) for study in access.visible_studies(user)] == [
        ("mine", "reviewer")
    ]
    assert not access.visible_corpora(user)
    join(user, corpus, Role.OWNER)
    assert [
        (corpus_seen.slug, corpus_seen.role) for corpus_seen in access.visible_corpora(user)
    ] == [("lamps", "owner")]


def test_a_new_version_has_the_people_of_the_study():
    first, user = small_study(), somebody()
    join(user, first, Role.VIEWER)
    second = draft_study(corpus=first.corpus, created_by=somebody("else"))
    assert (second.version, second.team) == (2, first.team)
    assert access.study_for(user, slug="lamps", version=2, may=Act.VIEW) == second
    assert second.team.memberships.count() == 1  # who makes a version gets no other role by it


def test_what_is_not_theirs_is_not_there():
    study = small_study()
    for user in (somebody(), AnonymousUser()):
        with pytest.raises(Http404):
            access.study_for(user, slug=study.slug, version=1, may=Act.VIEW)
        with pytest.raises(Http404):
            access.corpus_for(user, slug=study.corpus.slug, may=Act.VIEW)


def test_who_was_deactivated_sees_nothing():
    study, user = small_study(), rita()
    User.objects.update(is_active=False)
    user.refresh_from_db()
    assert not access.visible_studies(user)
    with pytest.raises(Http404):
        access.study_for(user, slug=study.slug, version=1, may=Act.VIEW)


def test_what_they_may_not_do_is_refused_with_a_sentence():
    study, user = small_study(), somebody()
    join(user, study, Role.REVIEWER)
    with pytest.raises(PermissionDenied) as refused:
        access.study_for(user, slug=study.slug, version=1, may=Act.RUN)
    assert outlined([str(refused.value)], "… reviewer … “Lamps” … owners … researchers")
    client = Client()
    client.force_login(user)
    response = client.post(f"{study.get_absolute_url()}recruit/1/close/", {"name": "main"})
    assert response.status_code == 403
    assert str(refused.value) in response.text


def test_a_page_offers_only_what_its_reader_may_do():
    study, user, client = small_study(quota=2), somebody(), Client()
    submitted(study, bob())
    join(user, study, Role.VIEWER)
    client.force_login(user)
    assert "Close…" not in client.get(f"{study.get_absolute_url()}recruit/").text
    assert "Analyse now" not in client.get(f"{study.get_absolute_url()}results/").text
    Membership.objects.update(role=Role.RESEARCHER)
    assert "Close…" in client.get(f"{study.get_absolute_url()}recruit/").text
    assert "Analyse now" in client.get(f"{study.get_absolute_url()}results/").text


def test_a_look_up_is_one_query():
    study, user = small_study(), somebody()
    join(user, study, Role.VIEWER)
    with CaptureQueriesContext(connection) as asked:
        found = access.study_for(user, slug=study.slug, version=1, may=Act.VIEW)
        assert found.corpus.slug == "lamps"
    assert len(asked) == 1


def test_who_makes_a_study_owns_it():
    user = somebody()
    study = draft_study(created_by=user)
    assert access.study_for(user, slug=study.slug, version=1, may=Act.MANAGE) == study


def test_a_command_makes_the_administrators_owners_unless_it_is_told_whom(tmp_path):
    admin, user = rita(), somebody()
    file = tmp_path / "topics.jsonl"
    file.write_text('{"topic": "t1", "query": "what is a lamp?"}\n')
    call_command("import_corpus", "first", str(file))
    call_command("import_corpus", "second", str(file), owner="sam")
    owners = dict(Membership.objects.values_list("team__corpus__slug", "user"))
    assert owners == {"first": admin.pk, "second": user.pk}
    call_command("import_corpus", "second", str(file))  # again: its people stay as they are
    assert Membership.objects.count() == 2
    with pytest.raises(CommandError, match="nobody"):
        call_command("import_corpus", "third", str(file), owner="nobody")


def test_people_are_made_owners_only_of_what_has_nobody():
    study, first, second = small_study(), somebody("a"), somebody("b")
    sharing.begin(of=study, owners=[first])
    sharing.begin(of=study, owners=[second])
    assert [membership.user for membership in study.team.memberships.all()] == [first]


def test_a_draft_builds_on_no_corpus_that_its_writer_does_not_see():
    user = somebody()
    study = small_study(created_by=user)
    assert making.make_copy(study=study, user=user, now=NOW).document["corpus"] == ""
    draft = making.make_version(study=study, user=user, now=NOW)
    assert draft.document["corpus"] == "lamps"  # that of their own study stays
    small_corpus(slug="secret")
    for slug in ("secret", "not there"):  # nobody finds out which of both it is
        with pytest.raises(saving.NotSaved, match=f"'{slug}'") as refused:
            saving.save(
                draft=draft,
                revision=draft.revision,
                changes=[DraftChange("set", "corpus", slug)],
                user=user,
                now=NOW,
            )
        assert refused.value.path == "corpus"


def test_a_study_has_the_people_of_its_draft():
    user, other = somebody(), somebody("other")
    study = small_study(created_by=user)
    join(user, study.corpus, Role.OWNER)
    draft = making.make_version(study=study, user=user, now=NOW)
    assert draft.team == study.team
    copy = making.make_copy(study=study, user=user, now=NOW)
    assert draft_for(user, pk=copy.pk, may=Act.MANAGE) == copy
    join(other, copy, Role.RESEARCHER)
    with pytest.raises(Http404):
        draft_for(other, pk=draft.pk, may=Act.VIEW)
    with pytest.raises(launching.HasFaults) as refused:
        launching.launch(draft=copy, revision=copy.revision, user=other, now=NOW)
    assert [fault.path for fault in refused.value.faults] == ["corpus"]
    join(other, study.corpus, Role.VIEWER)
    launched = launching.launch(draft=copy, revision=copy.revision, user=other, now=NOW)
    assert launched.team == copy.team
    assert dict(launched.team.memberships.values_list("user", "role")) == {
        user.pk: "owner",
        other.pk: "researcher",
    }
