"""Keys with which programs act for a person: what one opens, and what closes it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.models import ApiKey, AuditEntry, Membership, Role
from annotation.people.access import Act, making_keys
from tests.cast import begun, bob, handed_in, rita, small_study

pytestmark = pytest.mark.django_db


def made(user: User, *scopes: Act, **said: object) -> tuple[ApiKey, str]:
    return making_keys.make_key(
        user=user, name="Notebook", scopes=scopes, now=timezone.now(), **said
    )  # type: ignore[arg-type]


def ask(secret: str, path: str = "/api/studies/", method: str = "get", **data: object):
    # Whoever has a key needs no cookie, so also no CSRF token.
    client = Client(enforce_csrf_checks=True, headers={"authorization": f"Bearer {secret}"})
    return getattr(client, method)(path, data or {}, content_type="application/json")


def test_a_key_acts_for_its_person_alone():
    mine = small_study()
    others = small_study(slug="others", corpus=mine.corpus)
    user = User.objects.create_user("ruth")
    Membership.objects.create(team=mine.team, user=user, role=Role.VIEWER)
    _, secret = made(user)
    assert [each["slug"] for each in ask(secret).json()] == [mine.slug]
    assert ask(secret, f"/api/studies/{others.slug}/1/").status_code == 404


def test_the_secret_is_kept_nowhere():
    key, secret = made(rita())
    _, _, random = secret.split("_", 2)  # which may have further underscores
    assert len(random) == 43  # 256 bits
    assert random not in str(ApiKey.objects.values().get()), key
    assert secret not in "".join(
        f"{audit_entry.act} {audit_entry.what}" for audit_entry in AuditEntry.objects.all()
    )


@pytest.mark.parametrize(
    ("scope", "method", "path", "said"),
    [
        (Act.EXPORT, "get", "exports/responses.csv", 200),
        (Act.RUN, "post", "batches/1/close/", 200),
        (Act.RUN, "post", "runs/", 202),
    ],
)
def test_a_key_does_what_its_scopes_say(scope, method, path, said):
    study = small_study(quota=2)
    handed_in(begun(study, bob()))
    user = rita()
    address = f"/api/studies/{study.slug}/1/{path}"
    _, reading = made(user)
    refused = ask(reading, address, method)
    assert refused.status_code == 403
    assert f"“{scope}”" in refused.json()["detail"]
    _, allowed = made(user, scope)
    assert ask(allowed, address, method).status_code == said


def test_no_scope_gives_more_than_the_role_of_its_person():
    study = small_study()
    user = User.objects.create_user("ruth")
    Membership.objects.create(team=study.team, user=user, role=Role.VIEWER)
    _, secret = made(user, *making_keys.SCOPES)
    assert ask(secret, f"/api/studies/{study.slug}/1/batches/1/close/", "post").status_code == 403


def test_a_key_closes_when_it_is_revoked_or_over_or_its_person_leaves():
    user = rita()
    now = timezone.now()
    key, secret = made(user)
    assert ask(secret).status_code == 200
    assert making_keys.revoke_key(key=key, user=user, now=now)
    assert not making_keys.revoke_key(key=key, user=user, now=now)  # the second click
    assert ask(secret).status_code == 401
    day, over = made(user, days=1)
    assert making_keys.key_of(over, now=day.created_at + timedelta(hours=23))
    assert making_keys.key_of(over, now=day.created_at + timedelta(days=1)) is None
    _, left = made(user)
    User.objects.update(is_active=False)
    assert ask(left).status_code == 401


@pytest.mark.parametrize(
    "secret", ["", "cw", "cw__", "cw_00000000_wrong", "cw_é_x", "\x00", "cw_" + "a" * 5000]
)
def test_a_wrong_key_opens_nothing(secret):
    key, right = made(rita())
    assert making_keys.key_of(secret, now=timezone.now()) is None
    assert making_keys.key_of(right[:-1], now=timezone.now()) is None
    assert making_keys.key_of(right.replace(key.prefix, "00000000"), now=timezone.now()) is None


def test_use_is_noted_once_an_hour():
    key, secret = made(rita())
    ask(secret)
    key.refresh_from_db()
    first = key.used_at
    ask(secret)
    key.refresh_from_db()
    assert key.used_at == first
    assert first is not None
    making_keys.note_use(key=key, now=first + timedelta(hours=2))
    key.refresh_from_db()
    assert key.used_at == first + timedelta(hours=2)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"scopes": ["own"]}, "scopes"),
        ({"scopes": ["review"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 4000}, "days"),
    ],
)
def test_no_key_is_made_like_this(said, field):
    wanted = {"name": "Notebook", "scopes": ["run"], "days": 30} | said
    with pytest.raises(making_keys.BadKey) as refused:
        making_keys.make_key(user=rita(), now=timezone.now(), **wanted)
    assert refused.value.field == field
    assert not ApiKey.objects.exists()


def test_a_person_has_so_many_keys_at_most():
    user = rita()
    for _ in range(making_keys.MOST_KEYS):
        made(user)
    with pytest.raises(making_keys.BadKey, match=str(making_keys.MOST_KEYS)):
        made(user)
    making_keys.revoke_key(key=ApiKey.objects.first(), user=user, now=timezone.now())
    made(user)


def test_the_page_shows_a_key_once_and_lets_others_alone():
    user = rita()
    other, _ = made(User.objects.create_user("ruth"))
    client = Client()
    client.force_login(user)
    form = {"name": "Notebook", "scopes": ["export"], "days": "30"}
    page = client.post("/account/keys/", form)
    (key,) = user.api_keys.all()
    assert f"cw_{key.prefix}_" in page.text
    assert page.headers["Cache-Control"].count("no-store") == 1
    assert f"cw_{key.prefix}_" not in client.get("/account/keys/").text
    assert client.post("/account/keys/", {"name": "", "days": "30"}).status_code == 422
    assert client.post(f"/account/keys/{other.pk}/revoke/").status_code == 404
    assert client.post(f"/account/keys/{key.pk}/revoke/").status_code == 302
    other.refresh_from_db()
    key.refresh_from_db()
    assert (other.revoked_at, key.revoked_at is None) == (None, False)
