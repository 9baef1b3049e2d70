"""Prolific's secure links: knowing a participant's id is not enough to become them."""

import base64
import json
import re
from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from django.core import signing
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotation.fieldwork.recruiting.prolific import admitting, link_tokens
from annotation.fieldwork.recruiting.prolific import signing_keys as key_sets
from annotation.fieldwork.recruiting.prolific.signing_keys import Keys
from annotation.models import Assignment, SpentToken
from tests.annotation.fieldwork.recruiting.signed_links import (
    ANOTHER,
    HOST,
    THEIRS,
    claims_of,
    published,
    signed_link,
    with_token,
)
from tests.cast import prolific_id, prolific_link, small_study
from tests.hooks import values

pytestmark = pytest.mark.django_db
AGREE = {"agree": "yes"}
ADMISSION = re.compile(r'name="admission" value="([^"]+)"')
OLD = {"exp": timezone.now() - timedelta(minutes=5)}


@pytest.fixture(autouse=True)
def theirs(monkeypatch):
    """Return the keys that Prolific publishes."""
    keys = Keys(lambda: published(one=THEIRS))
    monkeypatch.setattr(admitting, "keys", keys)
    return keys


@pytest.fixture
def study():
    """Three tasks of one pair, two of them for each person, who come by signed links alone."""
    return small_study(
        responses=3, items=1, cap=2, recruitment="prolific", signed_links=True, quota=2
    )


def refusal(link, client=None, form=None):
    """Return the status and code of a refusal that began nothing."""
    before = Assignment.objects.count()
    client = client or Client()
    response = client.post(link, form) if form else client.get(link)
    assert Assignment.objects.count() == before
    codes = values(response.content.decode(), "data-refusal")
    return response.status_code, codes[0] if codes else None


def admission_of(response):
    return ADMISSION.search(response.content.decode())[1]


# -- The way in -------------------------------------------------------------------------------


def test_a_signed_link_leads_to_the_work_and_the_arrival_is_marked(client, study):
    link = signed_link("bob")
    form = AGREE | {"admission": admission_of(client.get(link))}
    assert client.post(link, form).status_code == 302
    assert Assignment.objects.get().signed


def test_a_signed_link_needs_no_cookies(study):
    link = signed_link("bob")
    form = AGREE | {"admission": admission_of(Client().get(link))}
    assert Client().post(link, form).status_code == 302


def test_who_reads_longer_than_two_minutes_can_still_agree(client, study, monkeypatch):
    link = signed_link("bob")
    admission = admission_of(client.get(link))
    monkeypatch.setattr(link_tokens, "SKEW", -1000)  # its time is over
    assert refusal(link)[0] == 403
    assert client.post(link, AGREE | {"admission": admission}).status_code == 302


def test_who_comes_again_from_prolific_is_led_to_their_work(client, study):
    link = signed_link("bob")
    place = client.post(link, AGREE)["Location"].split("/")[2]
    again = signed_link("bob", iat=timezone.now() - timedelta(seconds=5))
    assert Client().get(again)["Location"] == f"/w/{place}/"


def test_a_page_is_reloaded_by_the_browser_that_opened_it_and_by_no_other(client, study):
    link = signed_link("bob")
    for _ in range(2):
        assert client.get(link).status_code == 200
    assert refusal(link) == (403, "UsedLink")
    assert SpentToken.objects.count() == 1


def test_unsigned_arrivals_are_marked_where_a_study_lets_them_in(client):
    small_study(recruitment="prolific")
    assert client.post(prolific_link("bob"), AGREE).status_code == 302
    assert not Assignment.objects.get().signed


@pytest.mark.parametrize(
    "audience",
    [
        f"{HOST}/s/lamps/",
        f"{HOST}/s/lamps/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}"
        "&SESSION_ID={{%SESSION_ID%}}",
    ],
)
def test_the_address_may_be_signed_as_the_researcher_gave_it(client, study, audience):
    assert client.get(signed_link("bob", aud=audience)).status_code == 200


# -- What is refused --------------------------------------------------------------------------


def test_an_unsigned_link_is_refused_where_links_are_signed(study):
    assert refusal(prolific_link("bob"), form=AGREE) == (403, "UnsignedLink")


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://www.prolific.co"},
        {"aud": f"{HOST}/s/another/"},
        {"aud": "https://elsewhere.example/s/lamps/"},
        {"aud": f"{HOST}/s/lamps/?PROLIFIC_PID={prolific_id('charlie')}"},
        {"aud": [f"{HOST}/s/lamps/"]},
        {"aud": 7},
        {"sub": prolific_id("first of charlie")},
        {"prolific": {}},
        {"prolific": "bob"},
        {"exp": None},
        {"iat": timezone.now() + timedelta(days=1)},
        {"nbf": timezone.now() + timedelta(days=1)},
        {"key": ANOTHER},
    ],
)
def test_a_token_that_says_something_else_is_refused(study, changes):
    assert refusal(signed_link("bob", **changes)) == (403, "ForgedLink")


def test_an_old_token_is_refused(study):
    assert refusal(signed_link("bob", **OLD)) == (403, "OldLink")


@pytest.mark.parametrize(("seconds", "status"), [(-5, 200), (-30, 403)])
def test_clocks_may_differ_a_little(client, study, seconds, status):
    exp = timezone.now() + timedelta(seconds=seconds)
    assert client.get(signed_link("bob", exp=exp)).status_code == status


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_of_another_algorithm_is_refused(study, algorithm):
    """Nobody signs with the public key as if it were a password (CVE-2016-10555)."""
    pem = THEIRS.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    link = prolific_link("bob")
    claims = claims_of(link)
    for name in ("iat", "exp"):
        claims[name] = int(claims[name].timestamp())
    head = {"alg": algorithm, "kid": "one", "typ": "JWT"}
    body = ".".join(
        base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=").decode()
        for each in (head, claims)
    )
    signature = ""
    if algorithm == "HS256":
        mac = jwt.algorithms.HMACAlgorithm("SHA256" and jwt.algorithms.HMACAlgorithm.SHA256)
        signature = base64.urlsafe_b64encode(mac.sign(body.encode(), pem)).rstrip(b"=").decode()
    assert refusal(with_token(link, f"{body}.{signature}"))[0] == 403


@pytest.mark.parametrize("token", ["x", "a.b.c", "é.é.é", "\x00", "a" * 5000, "." * 100])
def test_rubbish_is_refused(study, token):
    assert refusal(with_token(prolific_link("bob"), token))[0] in (400, 403)


def test_a_token_of_one_person_does_not_open_the_study_as_another(study):
    """Charlie has a good link and writes Bob's ids into it."""
    token = dict(parse_qsl(urlsplit(signed_link("charlie")).query))["prolific_token"]
    assert refusal(with_token(prolific_link("bob"), token))[0] == 403
    parts = dict(parse_qsl(urlsplit(signed_link("charlie")).query))
    for name in ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID"):
        swapped = parts | {name: prolific_id("bob")}
        assert refusal(f"/s/lamps/?{urlencode(swapped)}")[0] == 403


def test_a_replayed_token_in_another_spelling_is_refused(client, study):
    """Four spellings of the last letter are the same signature."""
    link = signed_link("bob")
    assert client.get(link).status_code == 200
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    at = letters.index(link[-1])
    for other in range(at - at % 4, at - at % 4 + 4):
        assert refusal(link[:-1] + letters[other])[0] == 403


def test_who_spent_a_token_cannot_change_the_link_afterwards(client, study):
    link = signed_link("charlie")
    client.get(link)
    other = link.replace(prolific_id("charlie"), prolific_id("bob"))
    assert refusal(other, client=client)[0] == 403


def test_a_token_is_spent_once_in_the_database():
    SpentToken.objects.create(fingerprint="f", spent_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        SpentToken.objects.create(fingerprint="f", spent_at=timezone.now())


def test_another_workspace_is_refused_where_ours_is_known(client, study, settings):
    settings.PROLIFIC_WORKSPACE = "a" * 24
    assert refusal(signed_link("bob"))[0] == 403
    settings.PROLIFIC_WORKSPACE = "5f0f0f0f0f0f0f0f0f0f0f0f"
    assert client.get(signed_link("bob")).status_code == 200


def test_an_admission_is_of_one_person_and_one_study(client, study):
    admission = admission_of(client.get(signed_link("charlie")))
    for form in (AGREE | {"admission": admission}, AGREE | {"admission": "x"}):
        assert refusal(prolific_link("bob"), form=form)[0] == 403
    own = [study.pk, prolific_id("bob"), prolific_id("first of bob")]
    made_up = signing.dumps(own, salt="another")
    assert refusal(prolific_link("bob"), form=AGREE | {"admission": made_up})[0] == 403


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("name", ["PROLIFIC_PID", "SESSION_ID", "STUDY_ID"])
@pytest.mark.parametrize("how", ["missing", "doubled"])
def test_parameters_that_are_missing_or_doubled_are_refused(signed, name, how):
    small_study(recruitment="prolific")
    link = signed_link("bob") if signed else prolific_link("bob")
    pairs = parse_qsl(urlsplit(link).query)
    if how == "missing":
        if name == "STUDY_ID" and not signed:
            return  # nobody is known by it
        pairs = [pair for pair in pairs if pair[0] != name]
    else:
        pairs.append((name, prolific_id("charlie")))
    assert refusal(f"/s/lamps/?{urlencode(pairs)}", form=AGREE)[0] in (400, 403)


def test_ids_of_another_platform_are_refused(client):
    small_study(recruitment="prolific")
    for pid, submission in (
        ("A1B2C3D4E5F6G7", "3AMYWKA6YBMXGNJOGB1BOF3X2EEO63"),  # Mechanical Turk
        ("~0123456789abcdef01", prolific_id("x")),  # Upwork
        ("{{%PROLIFIC_PID%}}", "{{%SESSION_ID%}}"),
        (prolific_id("bob"), prolific_id("bob")),
    ):
        query = urlencode({"PROLIFIC_PID": pid, "STUDY_ID": "", "SESSION_ID": submission})
        assert refusal(f"/s/lamps/?{query}", form=AGREE) == (400, "IncompleteLink")


def test_work_that_began_signed_is_not_reached_without_a_signature(client):
    """Where a study lets in both: knowing even the submission's id is not enough."""
    small_study(responses=3, items=1, cap=2, recruitment="prolific")
    assert client.post(signed_link("bob"), AGREE).status_code == 302
    assert refusal(prolific_link("bob")) == (409, "OtherSession")


# -- The keys of Prolific ---------------------------------------------------------------------


def test_an_unknown_key_is_wanted_at_most_once_a_minute(monkeypatch):
    sets, wanted, clock = [published(one=THEIRS)], [], [1000.0]
    monkeypatch.setattr(key_sets.time, "monotonic", lambda: clock[0])
    keys = Keys(lambda: sets[-1], want=lambda: wanted.append(clock[0]))
    assert keys("one")
    assert not wanted
    for kid in "abcdef":
        assert keys(kid) is None
    assert len(wanted) == 1
    sets.append(published(two=ANOTHER))  # a worker process has fetched it
    assert keys("two")
    assert keys("one") is None  # it was taken back
    clock[0] += 61
    assert keys("nobody's") is None
    assert len(wanted) == 2


def test_a_key_that_was_taken_back_is_forgotten_within_a_minute(monkeypatch):
    sets, clock = [published(one=THEIRS)], [1000.0]
    monkeypatch.setattr(key_sets.time, "monotonic", lambda: clock[0])
    keys = Keys(lambda: sets[-1])
    assert keys("one")
    sets.append(published(two=ANOTHER))
    clock[0] += 61
    assert keys("one") is None


def test_an_invented_key_waits_for_nobody(monkeypatch, study):
    """Prolific is not asked in a request, whatever id of a key a link names."""
    asked = []
    monkeypatch.setattr(key_sets, "client_for_settings", lambda: asked.append("Prolific"))
    monkeypatch.setattr(key_sets.jobs, "send", lambda task: asked.append(task.name))
    monkeypatch.setattr(admitting, "keys", key_sets.keys)
    for name in ("bob", "charlie"):
        status, _ = refusal(signed_link(name, kid=f"invented for {name}"))
        assert status == 503
    assert asked == ["annotation.tasks.fetch_prolific_keys"]


def test_keys_are_fetched_by_a_worker_process_and_shared(monkeypatch, study):
    sets = [published(one=THEIRS)]
    client = SimpleNamespace(jwks=lambda: sets[-1])
    monkeypatch.setattr(key_sets, "client_for_settings", lambda: client)
    shared = Keys(lambda: cache.get(key_sets.PUBLISHED))
    assert shared("one") is None
    key_sets.fetch_due()
    assert shared("one")
    sets.append({"error": "down"})
    key_sets.fetch()  # the last ones stay in use
    assert Keys(lambda: cache.get(key_sets.PUBLISHED))("one")


def test_keys_are_fetched_only_for_studies_that_need_them(monkeypatch):
    asked = []
    monkeypatch.setattr(key_sets, "fetch", lambda: asked.append(1))
    small_study(recruitment="prolific")
    key_sets.fetch_due()
    assert not asked


def test_spent_links_are_forgotten_after_a_day():
    now = timezone.now()
    SpentToken.objects.create(fingerprint="old", spent_at=now - timedelta(days=2))
    SpentToken.objects.create(fingerprint="new", spent_at=now)
    admitting.forget_tokens(now=now)
    assert SpentToken.objects.get().fingerprint == "new"
