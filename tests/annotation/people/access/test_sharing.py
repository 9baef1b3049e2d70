"""Members of a team: their roles change, they come and go, and an owner always remains."""

import pytest
from django.contrib.auth.models import User

from annotation.models import Invitation, Membership, Role
from annotation.people.access import sharing
from tests.annotation.people.access.people import join, link_of, somebody
from tests.annotation.people.access.people import on_threads as at_once
from tests.cast import NOW, rita, small_corpus
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_a_role_is_changed_and_recorded():
    corpus, owner, sam = small_corpus(), rita(), somebody()
    join(owner, corpus, Role.OWNER)
    join(sam, corpus, Role.VIEWER)
    for _ in range(2):  # the same again is no change
        sharing.change_role(team=corpus.team, user=sam, role=Role.REVIEWER, by=owner, now=NOW)
    assert corpus.team.memberships.get(user=sam).role == Role.REVIEWER
    assert [entry.what for entry in corpus.team.audit_entries.all()] == ["sam: viewer → reviewer"]


def test_the_last_owner_stays_one():
    corpus, owner, gone = small_corpus(), somebody("owner"), somebody("gone")
    join(owner, corpus, Role.OWNER)
    join(gone, corpus, Role.OWNER)
    User.objects.filter(pk=gone.pk).update(is_active=False)  # nobody to rely on
    with refused("LastOwner"):
        sharing.remove(team=corpus.team, user=owner, by=owner, now=NOW)
    with refused("LastOwner"):
        sharing.change_role(team=corpus.team, user=owner, role=Role.VIEWER, by=owner, now=NOW)
    assert corpus.team.memberships.filter(role=Role.OWNER).count() == 2


def test_who_is_no_member_has_no_role_to_change():
    corpus = small_corpus()
    with refused("NoMember"):
        sharing.remove(team=corpus.team, user=somebody(), by=rita(), now=NOW)


def test_the_invitations_of_who_may_not_invite_any_more_let_nobody_in():
    corpus, owner, other = small_corpus(), somebody("owner"), somebody("other")
    join(owner, corpus, Role.OWNER)
    join(other, corpus, Role.OWNER)
    link_of(corpus, by=owner)
    sharing.change_role(team=corpus.team, user=owner, role=Role.VIEWER, by=other, now=NOW)
    assert Invitation.objects.get().revoked_at == NOW


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_leave_at_once_one_stays():
    corpus = small_corpus()
    owners = [somebody(name) for name in ("a", "b")]
    for owner in owners:
        join(owner, corpus, Role.OWNER)

    def leave(owner: User) -> None:
        sharing.remove(team=corpus.team, user=owner, by=owner, now=NOW)

    answers = at_once([lambda owner=owner: leave(owner) for owner in owners])
    assert sorted(answers) == ["LastOwner", "done"]
    assert Membership.objects.get().role == Role.OWNER
