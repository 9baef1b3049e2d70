"""The short path of saves (config/saving.py) answers what the long one would, or passes it on."""

import json
import re
import sqlite3
import time
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, connection
from django.test import RequestFactory
from django.urls import resolve
from django.utils import translation

from annotation import request_ids
from annotation.fieldwork.work import assigning
from annotation.models import Assignment
from config import saving
from config.maintenance import watch
from judging.answering import views
from judging.items.drawing import draw_presentations
from judging.models import Judgment, Presentation
from tests.cast import begun, bob, small_study
from tests.writing.editor.typing_hands import typed, writing_assignment
from writing.log.eventlog import encode
from writing.models import LogChunk

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/w/token/judging/answers/"


class Server:
    """Both paths; `long` counts the requests that took the long one."""

    def __init__(self):
        self.long, self.django = 0, WSGIHandler()
        self.short = saving.ShortPath(self._counted)

    def _counted(self, environ, start):
        self.long += 1
        return self.django(environ, start)

    def send(self, path, body, *, is_long=False, **environ):
        """Return status, headers and content of a request."""
        started = []
        answer = (self._counted if is_long else self.short)(
            environ_of(path, body, **environ), lambda *given: started.append(given)
        )
        content = b"".join(answer)
        if not isinstance(answer, list):
            answer.close()
        [(status, headers)] = started
        return status, dict(headers), content


def environ_of(path, body=b"{}", **changes):
    factory = RequestFactory(headers={"accept": "application/json"})
    request = factory.post(path, body, content_type="application/json")
    environ = {k: v for k, v in request.environ.items() if k != "HTTP_COOKIE"} | changes
    return {key: value for key, value in environ.items() if value is not None}


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def work():
    work = begun(small_study(recruitment="link", responses=3), bob())
    draw_presentations(assignment=work)
    return work


@pytest.fixture
def address(work):
    return f"/w/{work.token}/judging/answers/"


@pytest.fixture
def ready(server, address):
    """Return a server that has seen this host, and answers to the first item are saved."""
    server.send(address, answer())
    server.send(address, answer())
    assert server.long == 1
    return server


def answer(position=1, raw="a", **more):
    given = {"position": position, "question": "better", "raw": raw}
    return json.dumps({"tab": "t", "answers": [given]} | more).encode()


def same(short, long):
    for _, headers, _ in (short, long):
        assert re.fullmatch("[0-9a-f]{32}", headers.pop("X-Request-ID"))
    assert short == long
    return short


def test_answers_are_the_same_on_both_paths(ready, address):
    short = ready.send(address, answer(raw="b"))
    assert ready.long == 1
    assert Judgment.objects.get().raw == "b"
    status, _, content = same(short, ready.send(address, answer(raw="b"), is_long=True))
    assert (status, json.loads(content)) == ("200 OK", {"saved": 1})


def test_late_answers_remarks_and_counts_are_the_same(ready, address):
    numbered = json.loads(answer(raw="b"))
    numbered["answers"][0]["number"] = 9
    ready.send(address, json.dumps(numbered).encode())
    numbered["answers"][0] |= {"number": 5, "raw": "a"}
    remark = {"position": 1, "text": "Hm.", "number": 7}
    late = json.dumps(numbered | {"comments": [remark], "asks": True}).encode()
    language = translation.get_language()
    short = ready.send(address, late)
    assert (ready.long, translation.get_language()) == (1, language)
    _, _, content = same(short, ready.send(address, late, is_long=True))
    assert json.loads(content) == {"saved": 2, "late": [5], "withdrawn": 0}
    assert Judgment.objects.get().raw == "b"
    assert Presentation.objects.get(comment="Hm.").position == 1


def test_chunks_are_the_same_on_both_paths(server):
    written = writing_assignment()
    address = f"/w/{written.token}/writing/log/"

    def chunk(number, text, **typing):
        events = json.loads(encode(typed(text, **typing)))
        return json.dumps({"tab": "t", "number": number, "events": events}).encode()

    server.send(address, chunk(1, "Lamps"))
    assert server.long == 1
    short = server.send(address, chunk(1, "Lamps"))
    assert server.long == 1
    _, _, content = same(short, server.send(address, chunk(1, "Lamps"), is_long=True))
    assert json.loads(content) == {"missing": [], "number": 2}
    assert LogChunk.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"{", "422"),
        (b"\xff", "422"),
        (answer(position=99), "422"),
        (answer(raw="no option"), "422"),
        (b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1), "413"),
    ],
)
def test_refusals_take_the_long_path_with_the_whole_body(ready, address, sent, status):
    short = ready.send(address, sent)
    assert ready.long == 2
    assert same(short, ready.send(address, sent, is_long=True))[0].startswith(status)
    assert Judgment.objects.get().raw == "a"


def test_an_unknown_token_is_refused(ready):
    assert ready.send("/w/nobody/judging/answers/", answer())[0].startswith("404")


def test_an_ended_task_is_refused_and_an_expired_one_goes_on(ready, address, work):
    work.refresh_from_db()
    assigning.expire_due(now=work.expires_at)
    assert ready.send(address, answer(raw="b"))[0] == "200 OK"
    assert ready.long == 2
    work.refresh_from_db()
    assert work.state == "active"
    assigning.return_task(assignment=work, now=work.expires_at)
    assert ready.send(address, answer(raw="a"))[0].startswith("410")
    assert Judgment.objects.get().raw == "b"


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({"HTTP_HOST": "elsewhere.example"}, "400"),
        ({"HTTP_SEC_FETCH_SITE": "cross-site"}, "403"),
        ({"HTTP_SEC_FETCH_SITE": "same-site"}, "403"),
        ({"HTTP_USER_AGENT": "\x00"}, "400"),
        ({"CONTENT_TYPE": "application/json; charset=utf-16"}, "400"),
    ],
)
def test_what_middleware_refuses_is_refused_every_time(ready, address, environ, status):
    for _ in range(2):
        assert ready.send(address, answer(raw="b"), **environ)[0].startswith(status)
    assert Judgment.objects.get().raw == "a"


def test_plain_http_is_redirected_every_time(address, settings):
    settings.SECURE_SSL_REDIRECT = True
    server = Server()
    for _ in range(2):
        assert server.send(address, answer())[0].startswith("301")
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    "environ",
    [
        {"REQUEST_METHOD": "PUT"},
        {"CONTENT_TYPE": "text/plain"},
        {"QUERY_STRING": "a=%00"},
        {"SCRIPT_NAME": "/below"},
        {"CONTENT_LENGTH": None},
        {"CONTENT_LENGTH": "-1"},
        {"CONTENT_LENGTH": str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)},
        {"CONTENT_LENGTH": "0" * 5000 + "2"},  # int() takes no such string
        {"HTTP_COOKIE": f"a=b; {settings.SESSION_COOKIE_NAME}=c"},
        {"HTTP_COOKIE": 'a="\\000"'},
    ],
)
def test_a_request_that_middleware_looks_at_is_not_plain(environ):
    assert saving.is_plain(environ_of(ADDRESS))
    assert not saving.is_plain(environ_of(ADDRESS, **environ))


@pytest.mark.parametrize("what", saving.SAVERS)
def test_each_address_is_that_of_its_route_and_needs_no_csrf_token(what):
    match = resolve(f"/w/token/{what}/")
    assert saving.ADDRESS.fullmatch(f"/w/token/{what}/")[2] == what
    assert match.view_name == saving.SAVERS[what][0]
    assert match.func.csrf_exempt


@pytest.mark.parametrize(
    "address",
    [
        "/w/token/judging/here/",
        "/w/a/b/judging/answers/",
        "/w//judging/answers/",
        "/w/tok\x00en/judging/answers/",
        "/w/token/judging/answers/more/",
        "/w/token/judging/answers",
        "/x/w/token/writing/log/",
    ],
)
def test_other_addresses_are_not_short(address):
    assert not saving.ADDRESS.fullmatch(address)


def test_maintenance_stops_saves(ready, address, monkeypatch):
    monkeypatch.setattr(watch, "look", lambda: True)
    status, headers, _ = ready.send(address, answer(raw="b"))
    assert (status[:3], ready.long) == ("503", 2)
    assert headers["Retry-After"]
    assert Judgment.objects.get().raw == "a"


def test_the_request_id_is_that_of_the_proxy(ready, address):
    given = "proxy-0123456789abcdef"
    _, headers, _ = ready.send(address, answer(), HTTP_X_REQUEST_ID=given)
    assert headers["X-Request-ID"] == given
    _, headers, _ = ready.send(address, answer(), HTTP_X_REQUEST_ID="a\r\nb")
    assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-ID"])
    assert ready.long == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda: connection.close(),
        lambda: setattr(connection, "errors_occurred", True),
        lambda: setattr(connection, "close_at", time.monotonic()),
        lambda: setattr(connection, "force_debug_cursor", True),
    ],
    ids=["closed", "error", "old", "logged"],
)
def test_a_connection_that_django_would_look_at_takes_the_long_path(ready, address, change):
    change()
    try:
        assert ready.send(address, answer(raw="b"))[0] == "200 OK"
    finally:
        connection.force_debug_cursor = False
    assert ready.long == 2
    assert Judgment.objects.get().raw == "b"


def test_answers_are_saved_though_the_database_closed_the_connection(ready, address):
    if connection.vendor != "postgresql":
        return
    other = connection.copy()
    with other.cursor() as cursor:
        backend = connection.connection.info.backend_pid
        cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [backend])
    other.close()
    assert ready.send(address, answer(raw="b"))[0] == "200 OK"
    assert Judgment.objects.get().raw == "b"


def test_a_fault_after_the_commit_saves_once(ready, address, monkeypatch):
    def save(token, body):
        ids.append(request_ids.current())
        views.save_answers(token, body)
        raise OperationalError("away")

    ids, sent = [], json.loads(answer(raw="b"))
    sent["answers"][0]["number"] = 9
    monkeypatch.setitem(saving.SAVERS, "judging/answers", ("judging:answers", save))
    counted = []
    monkeypatch.setattr(ready.short, "observe", lambda *given: counted.append(given))
    status, _, content = ready.send(address, json.dumps(sent).encode())
    assert (status, json.loads(content)) == ("200 OK", {"saved": 1})
    saved = Judgment.objects.get()
    assert (saved.raw, saved.changes, saved.number) == ("b", 1, 9)
    assert (ready.long, counted) == (2, [])
    assert ids != [""]
    assert request_ids.current() == ""


def test_an_error_is_reported_once(ready, address, monkeypatch, caplog):
    def save(token, body):
        raise ZeroDivisionError

    monkeypatch.setitem(saving.SAVERS, "judging/answers", ("judging:answers", save))
    monkeypatch.setattr(views, "save_answers", save)
    assert ready.send(address, answer())[0].startswith("500")
    [reported] = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert isinstance(reported, ZeroDivisionError)
    assert reported.__context__ is None


@pytest.mark.parametrize(
    ("state", "times"),
    [
        ("arrived", ()),
        ("submitted", ("started_at", "submitted_at")),
        ("accepted", ("submitted_at", "ended_at")),
        ("rejected", ("submitted_at", "ended_at")),
        ("returned", ("ended_at",)),
        ("withdrawn", ("ended_at",)),
    ],
)
def test_each_state_but_active_is_refused(ready, address, work, state, times):
    every = dict.fromkeys(("started_at", "submitted_at", "ended_at"))
    of_state = dict.fromkeys(times, work.started_at)
    Assignment.objects.filter(pk=work.pk).update(state=state, **every | of_state)
    short = ready.send(address, answer(raw="b"))
    assert ready.long == 2
    assert same(short, ready.send(address, answer(raw="b"), is_long=True))[0].startswith("410")
    assert Judgment.objects.get().raw == "a"


def test_a_database_that_is_away_is_answered_by_503(ready, address, monkeypatch):
    if connection.vendor != "postgresql":
        return
    with monkeypatch.context() as away:
        away.setitem(connection.settings_dict, "PORT", "1")
        connection.connection.close()
        for _ in range(2):
            status, headers, _ = ready.send(address, answer(raw="b"))
            assert (status[:3], headers["Retry-After"]) == ("503", "10")
        connection.close()
    for _ in range(2):  # the second request checks the new connection
        assert ready.send(address, answer(raw="b"))[0] == "200 OK"
    long = ready.long
    assert ready.send(address, answer(raw="a"))[0] == "200 OK"
    assert (ready.long, Judgment.objects.get().raw) == (long, "a")


def test_headers_of_a_few_hosts_are_kept(ready, address, monkeypatch):
    monkeypatch.setattr(saving, "MAX_KINDS", 2)
    for port in range(1000, 1005):
        ready.send(address, answer(), HTTP_HOST=f"localhost:{port}")
        assert len(ready.short.headers) <= 2
    long = ready.long
    ready.send(address, answer(), HTTP_HOST="localhost:1004")
    assert ready.long == long


def test_a_whole_answer_is_sent_at_once_and_a_stream_is_not(ready):
    assert isinstance(ready.short(environ_of("/alive"), lambda *_: None), list)
    static = ready.short(environ_of("/static/icon.svg", REQUEST_METHOD="GET"), lambda *_: None)
    assert not isinstance(static, list)
    static.close()


def test_a_lock_of_sqlite_is_waited_for_once(ready, address, monkeypatch):
    def save(token, body):
        waited.append(token)
        busy = sqlite3.OperationalError("database is locked")
        busy.sqlite_errorname = "SQLITE_BUSY"
        raise OperationalError("database is locked") from busy

    waited = []
    monkeypatch.setitem(saving.SAVERS, "judging/answers", ("judging:answers", save))
    monkeypatch.setattr(views, "save_answers", save)
    monkeypatch.setattr(saving, "connection", SimpleNamespace(vendor="sqlite"))
    short = ready.send(address, answer(raw="b"))
    assert (len(waited), ready.long) == (1, 2)
    status, headers, _ = same(short, ready.send(address, answer(raw="b"), is_long=True))
    assert (status[:3], headers["Retry-After"]) == ("503", "10")
