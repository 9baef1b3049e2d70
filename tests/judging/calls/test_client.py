"""Every way in which a call to a model can end has a name; the key is in none of them."""

import json
import logging
import time
import traceback
from types import SimpleNamespace

import pytest

from judging.calls.client import BrokenCall, BusyServer, Endpoint, RefusedCall
from judging.calls.fake import api
from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.protocols import End, Protocol

KEY = "sk-crowdwright-123456789"
LEFT, RIGHT = "A dog barks at night.", "A cat sleeps by day."
SCHEMA = {
    "type": "object",
    "properties": {"overall": {"enum": ["left", "equal", "right"]}},
    "required": ["overall"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def fake():
    with FakeEndpoint(key=KEY) as fake:
        fake.known.learn({LEFT: 1.2, RIGHT: -1.2})
        yield fake


@pytest.fixture(params=Protocol)
def endpoint(request, fake):
    fake.troubles.waiting.clear()
    endpoint = Endpoint(fake.url, key=KEY, protocol=request.param, timeout=60, inside=True)
    with endpoint:
        yield endpoint


def ask(endpoint, *, model="good", first=LEFT, second=RIGHT, **options):
    prompt = f"Which is better?\n\nLeft:\n{first}\n\nRight:\n{second}\n"
    messages = [{"role": "system", "content": "You judge."}, {"role": "user", "content": prompt}]
    return endpoint.ask(messages=messages, model=model, **({"schema": SCHEMA} | options))


def test_a_reply_has_the_text_its_tokens_and_the_time(endpoint, fake):
    before = fake.ledger.counts()
    reply = ask(endpoint)
    counts = fake.ledger.counts()
    assert json.loads(reply.text) == {"overall": "left"}
    assert reply.end == End.DONE
    assert 0 < reply.seconds < 60
    assert reply.tokens_in == counts["tokens_in"] - before["tokens_in"] > 10
    assert reply.tokens_out == counts["tokens_out"] - before["tokens_out"] > 1
    assert json.loads(reply.raw)["model"] == "good"


@pytest.mark.parametrize(
    ("model", "error", "kind"),
    [
        ("gone", RefusedCall, "model"),
        ("good-busy", BusyServer, "busy"),
        ("good-away", BusyServer, "busy"),
        ("good-error", BrokenCall, "server"),
        ("good-lost", BrokenCall, "cut"),
        ("good-error-after", BrokenCall, "server"),
        ("good-html", BrokenCall, "html"),
        ("good-half", BrokenCall, "json"),
        ("good-cut", BrokenCall, "cut"),
    ],
)
def test_what_goes_wrong_has_a_kind_and_a_sentence(endpoint, model, error, kind):
    with pytest.raises(error) as caught:
        ask(endpoint, model=model)
    assert caught.value.kind == kind
    assert caught.value.said
    if kind in ("html", "json"):
        assert caught.value.raw


def test_an_answer_that_does_not_come_ends(fake):
    with Endpoint(fake.url, key=KEY, timeout=1, inside=True) as hasty:
        with pytest.raises(BrokenCall) as caught:
            ask(hasty, model="good-hang")
        assert caught.value.kind == "timeout"


def test_a_busy_server_says_how_long_to_wait(endpoint, fake):
    fake.troubles.waiting += [
        Trouble(TroubleKind.BUSY, after=7),
        Trouble(TroubleKind.AWAY, after=3),
    ]
    for seconds in (7, 3):
        with pytest.raises(BusyServer) as caught:
            ask(endpoint)
        assert caught.value.after == seconds
    assert ask(endpoint).text


def test_limits_are_read_with_each_answer(monkeypatch):
    # A busy machine may take the second after which the endpoint would answer again.
    monkeypatch.setattr(api, "time", SimpleNamespace(time=time.time, monotonic=lambda: 100.0))
    with FakeEndpoint(per_minute=60) as fake, Endpoint(fake.url, inside=True) as endpoint:
        reply = ask(endpoint)
        assert reply.limits.requests == 0
        assert 0 < reply.limits.pause <= 1
        with pytest.raises(BusyServer) as caught:
            ask(endpoint)
        assert 0 < caught.value.after <= 1


@pytest.mark.parametrize(
    ("model", "end", "text"),
    [("good-length", End.CUT, '{"over'), ("good-refusal", End.REFUSED, "I cannot judge")],
)
def test_an_answer_that_was_paid_and_says_nothing_is_a_reply(endpoint, model, end, text):
    reply = ask(endpoint, model=model)
    assert (reply.end, text in reply.text) == (end, True)
    assert reply.tokens_in


def test_tokens_that_are_not_told_are_not_known(endpoint):
    reply = ask(endpoint, model="good-uncounted")
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


def test_nothing_there_is_an_address_or_away(fake):
    with Endpoint(fake.site + "/v2", key=KEY, inside=True) as wrong:
        with pytest.raises(RefusedCall) as caught:
            ask(wrong)
        assert caught.value.kind == "address"
    with FakeEndpoint() as short:
        url = short.url
    with Endpoint(url, inside=True) as gone, pytest.raises(BusyServer) as caught:
        ask(gone)
    assert caught.value.kind == "away"


def test_an_address_inside_is_refused_unless_allowed(fake):
    url = fake.url.replace("127.0.0.1", "localhost")
    with Endpoint(url) as endpoint, pytest.raises(RefusedCall, match="ENDPOINTS_INSIDE"):
        ask(endpoint)


def test_a_name_of_a_setting_that_the_server_wants_otherwise_is_changed(fake, monkeypatch):
    answer, seen = fake.api.answer, []

    def newer(request):
        content = json.loads(request.body)
        seen.append(sorted(name for name in content if name.startswith("max")))
        if "max_tokens" in content:
            error = {"message": "Use 'max_completion_tokens' instead.", "code": "unsupported"}
            return type(answer(request))(400, json.dumps({"error": error}).encode())
        return answer(request)

    monkeypatch.setattr(fake.api, "answer", newer)
    with Endpoint(fake.url, key=KEY, inside=True) as endpoint:
        for _ in range(2):
            assert ask(endpoint, max_tokens=20).text
    assert seen == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


@pytest.mark.parametrize("charset", ["idna", "hex", "no-such", "utf-16"])
def test_what_a_server_calls_its_letters_breaks_nothing(fake, monkeypatch, charset):
    answer = fake.api.answer

    def odd(request):
        reply = answer(request)
        reply.headers["Content-Type"] = f"application/json; charset={charset}"
        return reply

    monkeypatch.setattr(fake.api, "answer", odd)
    with Endpoint(fake.url, key=KEY, inside=True) as endpoint:
        assert json.loads(ask(endpoint).text) == {"overall": "left"}


def test_the_key_is_in_no_text(fake, caplog):
    caplog.set_level(logging.DEBUG)
    wrong = "sk-wrong-987654321"
    with Endpoint(fake.url, key=wrong, inside=True) as endpoint:
        with pytest.raises(RefusedCall, match=r"Incorrect API key provided: \[key\]") as caught:
            ask(endpoint)
        assert caught.value.kind == "key"
        told = "".join(traceback.format_exception(caught.value))
        for text in (repr(endpoint), str(vars(caught.value)), told, caplog.text):
            assert wrong not in text


@pytest.mark.parametrize("key", ["sk-1234\n5678", "sk-1234 5678", "sk-schlüssel"])
def test_a_key_that_can_be_none_is_refused_without_a_word_of_it(key):
    with pytest.raises(RefusedCall) as caught:
        Endpoint("https://judge.example/v1", key=key)
    assert caught.value.kind == "key"
    assert key not in caught.value.said
