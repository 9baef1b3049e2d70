"""No server holds a worker longer than the deadline, nor fills its memory."""

import resource
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import ProlificClient as Prolific
from annotation.outgoing import addresses, client, connections
from annotation.outgoing.client import CallLimits, Client
from judging.calls.client import CallError, Endpoint
from tests.annotation.outgoing.hostile import BEHAVIOURS, OK, hostile_server, sends

LEAST = 2.0  # seconds
PATIENCE = 60.0  # seconds, for an end that a busy machine brings late
SLACK = 10.0  # seconds that this machine may be busy; without a deadline it takes 16 at least
MORE = 100_000  # kB of memory that a call may take
PROMPT = [{"role": "user", "content": "Which is better? " * 400_000}]  # fills every socket's buffer

ANSWERED = {  # the others end in a failure
    "redirects to nonsense", "floods with cookies", "nests without end",
    "names an encoding that does not exist",
}  # fmt: skip
PARSED = {  # the parser has limits of its own, and is slow with a million chunks
    "sends one header without end", "sends headers without end", "sends trailers without end",
    "sends chunk extensions without end", "sends tiny chunks without end",
}  # fmt: skip
KINDS = {
    "drips": connections.Overdue,
    "is silent": connections.Overdue,
    "never reads": connections.Overdue,
    "reads slowly": connections.Overdue,
    "sends a bomb": connections.Compressed,
    "sends empty gzip": connections.Compressed,
    "sends brotli": connections.Compressed,
    "without end": connections.TooLong,
    "pads": connections.TooLong,
    "a thousand headers": connections.TooLong,
}


@pytest.fixture(params=sorted(BEHAVIOURS))
def server(request):
    with hostile_server(BEHAVIOURS[request.param]) as port:
        yield request.param, f"http://127.0.0.1:{port}"


@pytest.fixture
def deadline():
    """Return two seconds, and more where others use the machine."""
    with hostile_server(sends(OK + b"Content-Length: 2\r\n\r\n{}")) as port:
        begun = time.monotonic()
        http = Client(timeout=PATIENCE, limits=CallLimits(body=1000, inside=True))
        http.send("GET", f"http://127.0.0.1:{port}/")
        http.close()
        return max(LEAST, 50 * (time.monotonic() - begun))


@pytest.fixture
def timeout(server, deadline):
    """Return the deadline for a server that is too slow; another ends the call before it."""
    name, _ = server
    return deadline if kind_of(name) is connections.Overdue or name in PARSED else PATIENCE


@pytest.fixture
def _bounded(timeout):
    """Fail where a test took longer than its deadline, or more memory than an answer may need."""
    before, begun = memory(), time.monotonic()
    yield
    assert time.monotonic() - begun < timeout + SLACK
    assert memory() - before < MORE


def kind_of(name: str) -> type[Exception]:
    return next((kind for words, kind in KINDS.items() if words in name), connections.ConnectionCut)


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.usefixtures("_bounded")
def test_a_call_ends_in_time_and_names_what_went_wrong(server, timeout):
    name, url = server
    http = Client(timeout=timeout, limits=CallLimits(body=250_000, inside=True))
    if name in ANSWERED:
        assert http.send("POST", url, json=PROMPT).status
    elif name in PARSED:
        with pytest.raises((connections.TooLong, connections.ConnectionCut, connections.Overdue)):
            http.send("POST", url, json=PROMPT)
    else:
        with pytest.raises(kind_of(name)):
            http.send("POST", url, json=PROMPT)
    http.close()


@pytest.mark.usefixtures("_bounded")
def test_a_call_to_a_model_ends_in_a_failure_with_a_kind(server, timeout):
    _, url = server
    endpoint = Endpoint(f"{url}/v1", timeout=timeout, inside=True)
    with endpoint, pytest.raises(CallError) as caught:
        endpoint.ask(messages=PROMPT, model="m")
    assert caught.value.kind in {"timeout", "cut", "long", "packed", "json", "shape", "address"}


@pytest.mark.usefixtures("_bounded")
def test_a_call_to_a_platform_ends_and_pays_nobody_twice(server, timeout):
    name, url = server
    caller = calls.Caller(url=f"{url}/api/", headers={}, dry_run=False, timeout=timeout)
    if name in {"floods with cookies", "names an encoding that does not exist"}:
        Prolific(caller, token="t").pay_bonuses("b1")
    else:
        with pytest.raises(calls.OutcomeUnknown):
            Prolific(caller, token="t").pay_bonuses("b1")


@pytest.mark.parametrize("name", ["sends a bomb", "nests without end", "drips its body"])
def test_keys_of_a_platform_are_read_with_the_same_limits(name):
    with hostile_server(BEHAVIOURS[name]) as port:
        caller = calls.Caller(
            url=f"http://127.0.0.1:{port}/api/", headers={}, dry_run=True, sleep=lambda _: None,
            timeout=0.2,
        )  # fmt: skip
        with pytest.raises(calls.OutcomeUnknown):
            Prolific(caller, token="").jwks()


@pytest.mark.parametrize("name", ["drips its headers", "is silent", "does not speak HTTP"])
def test_a_server_that_never_finishes_the_handshake_is_not_reached(name):
    with hostile_server(BEHAVIOURS[name]) as port:
        http = Client(timeout=0.5, limits=CallLimits(body=1000, inside=True))
        begun = time.monotonic()
        with pytest.raises(connections.Unreachable):
            http.send("GET", f"https://127.0.0.1:{port}/")
        assert time.monotonic() - begun < 0.5 + SLACK


def test_a_resolver_that_never_answers_ends_at_the_deadline(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: over.wait(30) and [])
    http = Client(timeout=0.3, limits=CallLimits(body=1000, inside=True))
    begun = time.monotonic()
    try:
        with pytest.raises(connections.Unreachable):
            http.send("GET", "http://slow.example/")
        assert time.monotonic() - begun < 0.3 + SLACK
    finally:
        over.set()


def test_nothing_compressed_is_asked_for_and_no_cookie_goes_back():
    seen = []

    def behave(conn):
        seen.append(conn.recv(65_536).lower())
        conn.sendall(OK + b"Set-Cookie: a=b\r\nConnection: close\r\n\r\n{}")

    with hostile_server(behave) as port:
        http = Client(timeout=PATIENCE, limits=CallLimits(body=1000, inside=True))
        for _ in range(2):
            assert http.send("GET", f"http://127.0.0.1:{port}/").body == b"{}"
    assert all(b"accept-encoding: identity\r\n" in request for request in seen)
    assert not any(b"cookie" in request for request in seen)


def test_a_redirect_is_handed_back_and_not_followed():
    with hostile_server(
        sends(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
    ) as p:
        http = Client(timeout=PATIENCE, limits=CallLimits(body=1000, inside=True))
        assert http.send("GET", f"http://127.0.0.1:{p}/").status == 302


def test_connections_are_kept_for_the_next_call():
    opened = []

    def behave(conn):
        opened.append(conn)
        while conn.recv(65_536):
            conn.sendall(OK + b"Content-Length: 2\r\n\r\n{}")

    with hostile_server(behave) as port:
        http = Client(timeout=PATIENCE, limits=CallLimits(body=1000, inside=True))
        for _ in range(5):
            assert http.send("GET", f"http://127.0.0.1:{port}/").body == b"{}"
    assert len(opened) == 1


def test_calls_wait_for_a_connection_no_longer_than_their_deadline():
    with hostile_server(BEHAVIOURS["is silent"]) as port:
        http = Client(timeout=0.4, limits=CallLimits(body=1000, inside=True, connections=1))
        with ThreadPoolExecutor(40) as pool:  # one after the other they would take 16 seconds
            begun = time.monotonic()
            some = [pool.submit(http.send, "GET", f"http://127.0.0.1:{port}/") for _ in range(40)]
            for one in some:
                with pytest.raises((connections.Overdue, connections.Unreachable)):
                    one.result()
        assert time.monotonic() - begun < 0.4 + SLACK


def test_a_call_without_time_to_connect_has_sent_nothing():
    budget = connections.Exchange.starting(seconds=0, limits=CallLimits(body=1000, inside=True))
    with connections.exchange(budget), pytest.raises(connections.Unreachable):
        connections.Network(budget.limits).connect_tcp("127.0.0.1", 9)


def test_calls_go_through_the_proxy_that_the_environment_names(monkeypatch):
    seen = []

    def behave(conn):
        seen.append(conn.recv(65_536))
        conn.sendall(OK + b"Content-Length: 2\r\n\r\n{}")

    with hostile_server(behave) as port:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "inside.example")
        assert client.proxy_for("http://inside.example/") == ""
        proxy = client.proxy_for("http://platform.example/api/")
        http = Client(timeout=PATIENCE, limits=CallLimits(body=1000, inside=True, proxy=proxy))
        assert http.send("GET", "http://platform.example/api/x").status == 200
    assert seen[0].startswith(b"GET http://platform.example/api/x ")


def test_the_certificate_is_checked_for_the_name_and_not_for_the_address():
    context = connections._certificates()
    assert context.check_hostname
    assert context.verify_mode == ssl.CERT_REQUIRED
