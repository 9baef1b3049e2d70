"""A connection that PostgreSQL has closed is told by its socket, without a query."""

import select
import time

import pytest
from django.core.signals import request_started
from django.db import connection, connections

from config import quiet_connections


@pytest.fixture(autouse=True)
def checked(transactional_db, monkeypatch):
    """Open a connection that is checked, as at the beginning of a later request."""
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    connection.close()
    connection.ensure_connection()
    connection.health_check_done = False
    yield
    connection.close()


def test_a_quiet_connection_is_not_asked():
    connection.connection.last_request = time.monotonic()
    quiet_connections.trust_quiet()
    assert connection.health_check_done


def test_a_connection_that_nobody_used_for_long_is_asked(monkeypatch):
    connection.connection.last_request = time.monotonic()
    monkeypatch.setattr(quiet_connections, "TRUSTED_SECONDS", 0)
    quiet_connections.trust_quiet()
    assert not connection.health_check_done


def test_a_request_asks_a_connection_that_was_closed_and_opens_another():
    pid = connection.connection.info.backend_pid
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [pid])
    other.close()
    poller = select.poll()
    poller.register(connection.connection.fileno(), select.POLLIN)
    poller.poll()  # the end arrives
    connection.connection.last_request = time.monotonic()
    quiet_connections.trust_quiet()
    assert not connection.health_check_done
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone()[0] != pid


def test_requests_look():
    assert quiet_connections.trust_quiet in [
        receiver for receivers in request_started._live_receivers(None) for receiver in receivers
    ]
