"""The short path of saves keeps what the long one guarantees (config/saving.py)."""

import json

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from config import saving
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.cast import begun, bob, small_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def work():
    work = begun(small_study(recruitment="link"), bob())
    draw_presentations(assignment=work)
    return work


def send(client, work, sent=None, **headers):
    question = work.study.questions.order_by("position").first()
    body = sent or {
        "tab": "t",
        "answers": [{"position": 1, "question": question.key, "raw": "a"}],
    }
    return client.post(
        f"/w/{work.token}/judging/answers/",
        body if isinstance(body, bytes) else json.dumps(body),
        content_type="application/json",
        headers={"accept": "application/json"} | headers,
    )


def is_short(address, method="post", **cookies):
    request = getattr(RequestFactory(), method)(address)
    request.COOKIES |= cookies
    return saving.is_short(request)


@pytest.fixture
def long_path(monkeypatch):
    """Return a function that sends requests the long way from now on."""
    return lambda: monkeypatch.setattr(saving, "is_short", lambda request: False)


def both(long_path, ask):
    """Return status, headers and body of a request on both paths."""
    short = ask()
    long_path()
    long = ask()
    pairs = []
    for answer in (short, long):
        headers = {name: answer.headers[name] for name in answer.headers}
        assert headers.pop("X-Request-ID")
        headers.pop("Vary", "")  # by cookie and compression, which a save doesn't look at
        pairs.append((answer.status_code, headers, answer.content))
    return pairs


@pytest.mark.parametrize("route", saving.ROUTES)
def test_each_route_is_short_and_needs_no_csrf_token(route):
    address = reverse(route, args=["token"])
    assert is_short(address)
    assert resolve(address).func.csrf_exempt
    assert not is_short(address, method="get")
    assert not is_short(address, **{settings.SESSION_COOKIE_NAME: "s"})


@pytest.mark.parametrize(
    "address",
    [
        "/w/token/judging/here/",
        "/w/token/judging/finish/",
        "/w/a/b/judging/answers/",
        "/w//judging/answers/",
        "/w/token/judging/answers/more/",
        "/w/token/judging/answers",
        "/x/w/token/writing/log/",
    ],
)
def test_other_addresses_are_not(address):
    assert not is_short(address)


def test_answers_are_the_same_on_both_paths(work, long_path):
    short, long = both(long_path, lambda: send(Client(enforce_csrf_checks=True), work))
    assert short == long
    assert short[0] == 200
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"{", 422),
        (b"\xff", 422),
        ({"tab": "t", "answers": [{"position": 99, "question": "x", "raw": "a"}]}, 422),
        (b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1), 413),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_refusals_are_the_same(work, long_path, sent, status, accept):
    short, long = both(long_path, lambda: send(Client(), work, sent, accept=accept))
    assert short == long
    assert short[0] == status


@pytest.mark.parametrize(
    "headers", [{"host": "elsewhere.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_other_hosts_and_sites_are_refused(work, long_path, headers):
    short, long = both(long_path, lambda: send(Client(), work, **headers))
    assert short[0] == long[0]
    assert short[0] in {400, 403}
    assert not Judgment.objects.exists()


def test_an_unknown_token_is_refused_alike(work, long_path):
    work.token = "nobody"
    short, long = both(long_path, lambda: send(Client(), work, accept="text/html"))
    assert short == long
    assert short[0] == 404


def test_plain_http_is_redirected(work, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert send(Client(), work).status_code == 301


def test_a_session_is_still_seen(work):
    rita = User.objects.create_user("rita", password="a long pass phrase")
    client = Client()
    client.force_login(rita)
    session = client.session
    session["seen"] = 0
    session.save()
    assert send(client, work).status_code == 200
    assert client.session["seen"] > 0
