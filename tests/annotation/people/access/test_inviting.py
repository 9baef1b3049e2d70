"""Invitations: a link lets one person in, once, for a while."""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Invitation, Membership, Role
from annotation.people import mailing
from annotation.people.access import inviting
from annotation.people.access.inviting import InvitationOver
from tests.annotation.people.access.people import join, link_of, on_threads, somebody
from tests.cast import NOW, rita, small_corpus, small_study
from tests.hooks import element, elements, values, without_tokens

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
NEW = {"username": "sam", "password1": "shining lamps 7", "password2": "shining lamps 7"}


def accept(token, user, now=NOW):
    return inviting.accept(
        invitation=inviting.invitation_of(token=token, now=now), user=user, now=now
    )


def test_a_link_makes_one_person_a_member():
    study, sam = small_study(), somebody()
    token = link_of(study, by=rita())
    assert accept(token, sam).role == Role.REVIEWER
    with pytest.raises(InvitationOver):
        accept(token, somebody("else"))
    assert [membership.user for membership in study.team.memberships.all()] == [sam]
    assert [str(entry) for entry in study.team.audit_entries.all()] == [
        "sam accepted an invitation", "rita invited"
    ]  # fmt: skip


def test_a_link_is_good_for_a_week():
    token = link_of(small_study(), by=rita())
    inviting.invitation_of(token=token, now=NOW + 7 * DAY - timedelta(seconds=1))
    with pytest.raises(InvitationOver):
        inviting.invitation_of(token=token, now=NOW + 7 * DAY)


def test_a_link_is_taken_back_once():
    owner = rita()
    token = link_of(small_study(), by=owner)
    inviting.revoke(invitation=Invitation.objects.get(), by=owner, now=NOW)
    with pytest.raises(InvitationOver):
        inviting.invitation_of(token=token, now=NOW)
    with pytest.raises(InvitationOver):
        inviting.revoke(invitation=Invitation.objects.get(), by=owner, now=NOW)


def test_a_link_of_somebody_who_was_deactivated_is_over():
    token = link_of(small_study(), by=rita())
    User.objects.update(is_active=False)
    with pytest.raises(InvitationOver):
        inviting.invitation_of(token=token, now=NOW)


def test_the_database_cannot_give_the_link_away():
    token = link_of(small_study(), by=rita())
    row = Invitation.objects.values().get()
    assert token not in str(row)
    assert token.partition(":")[0] not in str(row)


@pytest.mark.parametrize("token", ["", "x", "x:y", "é", "\x00", signing.Signer().sign("x")])
def test_what_is_no_link_of_ours_is_over(token):
    with pytest.raises(InvitationOver):
        inviting.invitation_of(token=token, now=NOW)


@pytest.mark.parametrize(
    ("has", "gets", "then"),
    [("viewer", "researcher", "researcher"), ("owner", "viewer", "owner")],
)
def test_who_has_a_role_keeps_it_if_it_allows_more(has, gets, then):
    study, sam = small_study(), somebody()
    join(sam, study, Role(has))
    accept(link_of(study, by=rita(), role=Role(gets)), sam)
    assert Membership.objects.get().role == then


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_people_who_follow_a_link_at_once_one_is_let_in():
    study = small_study()
    invitation = inviting.invitation_of(token=link_of(study, by=rita()), now=NOW)
    people = [somebody(name) for name in ("a", "b")]
    answers = on_threads(
        [
            lambda user=user: inviting.accept(invitation=invitation, user=user, now=NOW)
            for user in people
        ]
    )
    assert sorted(answers) == ["InvitationOver", "done"]
    assert study.team.memberships.count() == 1


# -- The pages ----------------------------------------------------------------------------------


def invited(study, client, **sent):
    """Create a link as an owner; return the page that shows it, and its path."""
    client.force_login(rita())
    page = client.post(
        reverse("team_invite", args=[study.team.pk]),
        {"name": "Sam", "role": "reviewer"} | sent,
        follow=True,
    ).text
    path = page.partition("data-invitation>")[2].partition("</p>")[0]
    return page, path.removeprefix("http://testserver")


def test_the_link_is_shown_once(client):
    study = small_study()
    _, path = invited(study, client)
    assert path.startswith("/invitations/")
    again = client.get(reverse("team", args=[study.team.pk])).text
    assert path not in again
    assert "Pending invitations" in again


def test_somebody_without_an_account_makes_one_and_is_in(client):
    study = small_study()
    _, path = invited(study, client)
    new = Client()
    assert 'name="password2"' in new.get(path).text
    refused = new.post(path, NEW | {"password2": "another one 12"})
    assert refused.status_code == 422
    assert 'value="sam"' in refused.text  # what was typed is kept
    assert not User.objects.filter(username="sam").exists()
    assert new.post(path, NEW).url == study.get_absolute_url()
    assert new.get(study.get_absolute_url()).status_code == 200
    assert not User.objects.get(username="sam").is_staff
    over = Client().get(path)
    assert over.status_code == 410
    assert "Sign in" in over.text, "who has an account already is led on"


@pytest.mark.parametrize(
    "wrong",
    [
        {"password1": "short", "password2": "short"},
        {"username": "RITA"},
        {"username": ""},
        {"username": "a\x00b"},
        {"email": "no address"},
    ],
)
def test_an_account_that_cannot_be_is_refused_at_its_field(wrong, client):
    study = small_study()
    _, path = invited(study, client)
    response = Client().post(path, NEW | wrong)
    assert response.status_code == 422
    assert 'class="field-error"' in response.text
    assert User.objects.count() == 1


def test_somebody_with_an_account_joins_with_it(client):
    study, sam = small_study(), somebody()
    _, path = invited(study, client)
    his = Client()
    assert f"/login/?next={path.replace(':', '%3A')}" in his.get(path).text
    his.force_login(sam)
    assert "Join as sam" in his.get(path).text
    assert his.post(path).url == study.get_absolute_url()
    assert study.team.memberships.get().user == sam


def test_pages_of_people_cost_the_same_for_many(client, django_assert_max_num_queries):
    study, admin = small_study(), rita()
    corpora = [small_corpus(slug=f"c{number}") for number in range(6)]
    for number in range(12):
        user = somebody(f"person {number}")
        for thing in (study, *corpora):
            join(user, thing, Role.REVIEWER)
            link_of(thing, by=admin)
    client.force_login(admin)
    for address in ("/people/", f"/people/teams/{study.team.pk}/"):
        with django_assert_max_num_queries(10):
            assert client.get(address).status_code == 200


def test_somebody_sees_the_people_of_their_own_things_alone(client):
    study, other = small_study(), small_corpus(slug="other")
    sam, ann, zoe = somebody("sam"), somebody("ann"), somebody("zoe")
    join(sam, study, Role.VIEWER)
    join(ann, study, Role.OWNER)
    join(ann, other, Role.OWNER)
    join(zoe, other, Role.OWNER)
    client.force_login(sam)
    page = without_tokens(client.get("/people/").text)
    assert "ann" in page
    assert "zoe" not in page
    assert "other" not in page.partition('aria-label="People"')[2]


def test_everybody_may_leave_and_only_owners_remove_others(client):
    study, sam, ann = small_study(), somebody("sam"), somebody("ann")
    join(sam, study, Role.VIEWER)
    join(ann, study, Role.OWNER)
    client.force_login(sam)
    change = reverse("team_change", args=[study.team.pk])
    assert client.post(change, {"user": ann.pk, "role": ""}).status_code == 403
    assert client.post(change, {"user": sam.pk, "role": "owner"}).status_code == 403
    assert client.post(change, {"user": sam.pk, "role": ""}).url == "/people/"
    assert client.get(study.get_absolute_url()).status_code == 404
    client.force_login(ann)
    page = client.post(change, {"user": ann.pk, "role": "viewer"}, follow=True).text
    assert 'data-message="error"' in page
    assert client.post(change, {"user": "x", "role": "viewer"}).status_code == 404


def test_the_audit_log_is_searched(client):
    study = small_study()
    invited(study, client)
    page = client.get(reverse("audit", args=[study.team.pk]), {"q": "sam"}).text
    assert "Sam, reviewer" in page
    nothing = client.get(reverse("audit", args=[study.team.pk]), {"q": "zzz"}).text
    assert "zzz" in element(nothing, "data-empty", "search").text


def test_a_link_from_today_is_good_now():
    assert inviting.waiting(timezone.now()).count() == 0
    inviting.invite(team=small_study().team, role=Role.VIEWER, by=rita(), now=timezone.now())
    assert inviting.waiting(timezone.now()).count() == 1


@pytest.fixture
def owner(client, settings):
    settings.EMAIL_HOST = "smtp.example.org"
    client.force_login(rita())
    return client


def invite_by_mail(client, **more):
    team = small_study().team
    sent = {"role": "viewer", "email": "sam@example.org", **more}
    return client.post(reverse("team_invite", args=[team.pk]), sent, follow=True)


def test_an_invitation_is_mailed_with_its_link(owner, mailoutbox):
    page = invite_by_mail(owner)
    (letter,) = mailoutbox
    assert letter.to == ["sam@example.org"]
    (address,) = elements(page.text, "data-invitation")
    assert values(page.text, "data-mail") == ["sent"]
    token = letter.body.split("/invitations/")[1].split("/")[0]
    assert Client().get(reverse("invitation", args=[token])).status_code == 200
    assert address


def test_a_refused_invitation_is_shown_with_the_link_to_share(owner, monkeypatch, caplog):
    def refuse(*_, **__):
        raise SMTPRecipientsRefused({})

    monkeypatch.setattr(mailing, "send_mail", refuse)
    page = invite_by_mail(owner).text
    assert values(page, "data-mail") == ["refused"]
    assert elements(page, "data-invitation")
    assert "sam@" not in caplog.text


def test_a_wrong_address_invites_nobody(owner, mailoutbox):
    assert invite_by_mail(owner, email="sam").status_code == 422
    assert not mailoutbox
    assert not Invitation.objects.exists()


def test_a_server_without_mail_offers_no_address(owner, settings, mailoutbox):
    settings.EMAIL_HOST = ""
    page = invite_by_mail(owner).text
    assert not values(page, "data-mail")
    assert 'name="email"' not in page
    assert not mailoutbox
