"""The database is away: pages and programs are told when to come back, and the log stays short."""

import sqlite3
import urllib.parse
from pathlib import Path

import httpx
import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from annotation.outages import is_outage
from tests.cast import begun, bob, small_study
from tests.services.relay import Relay
from tests.services.web import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def relay():
    made = Relay(int(connection.settings_dict["PORT"]))
    yield made
    made.stop()


@pytest.fixture
def web(relay, database_url, broker_url, tmp_path):
    address = urllib.parse.urlsplit(database_url)
    own = address._replace(netloc=f"{address.username}@127.0.0.1:{relay.port}").geturl()
    process = WebProcess(database=own, broker=broker_url, log=tmp_path / "web.log")
    yield process
    process.stop()


@pytest.fixture
def away(monkeypatch):
    """Let this process find nothing where its database was."""
    connection.close()
    with monkeypatch.context() as patched:
        patched.setitem(connection.settings_dict, "PORT", "1")
        yield
        connection.close()


def lines_of(log: Path) -> list[str]:
    return [line for line in log.read_text().splitlines() if "Service Unavailable" in line]


def test_an_outage_is_answered_by_503_and_ends_without_a_loss(web, relay):
    work = begun(small_study(), bob())
    page = f"{web.url}/w/{work.token}/"
    sent = {"tab": "t", "number": 1}
    here = f"{page}judging/here/"
    assert httpx.get(page, follow_redirects=True).status_code == 200
    relay.cut()
    for _ in range(3):
        answer = httpx.post(here, json=sent, headers={"Accept": "application/json"})
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert "detail" in answer.json()
    answer = httpx.get(page)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert answer.headers["Content-Type"].startswith("text/html")
    relay.mend()
    assert httpx.post(here, json=sent).status_code == 200
    assert len(lines_of(web.log)) == 4
    assert "Traceback" not in web.log.read_text()
    assert work.token not in web.log.read_text()


@pytest.mark.parametrize("path", ["/studies/", "/api/studies/", "/s/lamps/"])
def test_every_kind_of_page_answers_503(away, path):
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "x" * 32
    answer = client.get(path)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers
    assert ("json" in answer.headers["Content-Type"]) == path.startswith("/api/")


def error_of(kind, cause):
    error = kind("says so")
    error.__cause__ = cause
    return error


def of_sqlite(name):
    cause = sqlite3.OperationalError("says so")
    cause.sqlite_errorname = name
    return error_of(OperationalError, cause)


@pytest.mark.parametrize(
    ("error", "is_so"),
    [
        (error_of(OperationalError, psycopg.OperationalError()), True),
        (error_of(OperationalError, psycopg.errors.AdminShutdown()), True),
        (error_of(OperationalError, psycopg.errors.TooManyConnections()), True),
        (error_of(InterfaceError, psycopg.InterfaceError()), True),
        (error_of(OperationalError, psycopg.errors.QueryCanceled()), False),
        (error_of(OperationalError, psycopg.errors.DeadlockDetected()), False),
        (error_of(ProgrammingError, psycopg.errors.UndefinedColumn()), False),
        (of_sqlite("SQLITE_BUSY_SNAPSHOT"), True),
        (of_sqlite("SQLITE_ERROR"), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_a_wrong_query_is_no_outage(error, is_so):
    assert is_outage(error) == is_so
