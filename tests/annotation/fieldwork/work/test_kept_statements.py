"""Statements that a connection keeps are run by libpq, and behave as those of a cursor."""

import psycopg
import pytest
from django.db import (
    DataError,
    IntegrityError,
    NotSupportedError,
    OperationalError,
    connection,
    transaction,
)

from annotation.fieldwork.work import prepared_statements
from annotation.fieldwork.work.prepared_statements import fetch
from annotation.outages import is_outage

pytestmark = pytest.mark.django_db(transaction=True)
INSERT = "INSERT INTO kept_rows VALUES (%s)"


@pytest.fixture(autouse=True)
def rows():
    """Return a function that counts the rows of a table of this connection."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE kept_rows (number bigint UNIQUE)")
    yield lambda: fetch("SELECT count(*) FROM kept_rows", [])[0][0]
    connection.close()


def count_kept(mark=""):
    with connection.cursor() as cursor:
        query = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s"
        cursor.execute(query, [f"%{mark}%"])
        return cursor.fetchone()[0]


def terminate(link):
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [link.info.backend_pid])
    other.close()


@pytest.mark.parametrize("pooled", [False, True])
def test_values_come_back_as_they_were_sent(monkeypatch, pooled):
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", pooled)
    query = "SELECT %s::bigint[], %s::text, %s::float8, %s::float8, %s::boolean, %s::bigint, '50%%'"
    for numbers in ([1], [500, None], [2**40, -1], []):
        sent = [numbers, "ä'%s", None, 0.5, True, 2**40]
        assert fetch(query, sent) == [(*sent, "50%")]


def test_lists_of_numbers_of_any_size_share_one_plan():
    for numbers in ([1], [500, None], [2**40, 1]):
        assert fetch("SELECT /* lists */ %s::bigint[]", [numbers]) == [(numbers,)]
    assert count_kept("/* lists */") == 1


def test_a_statement_is_a_transaction_of_its_own_outside_of_one(rows):
    fetch(INSERT, [1])
    assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert rows() == 1


def test_the_first_statement_of_a_transaction_begins_it(rows):
    with transaction.atomic():
        fetch(INSERT, [1])
        transaction.set_rollback(True)
    assert rows() == 0
    with transaction.atomic():
        fetch(INSERT, [1])
    assert rows() == 1


def test_a_rollback_keeps_the_statements(rows):
    rows()
    kept = count_kept("kept_rows")
    with transaction.atomic():
        fetch(INSERT, [1])
        with transaction.atomic():
            fetch(INSERT, [2])
            transaction.set_rollback(True)
        assert rows() == 1
        with pytest.raises(IntegrityError):
            fetch(INSERT, [1])
        transaction.set_rollback(True)
    assert rows() == 0
    fetch(INSERT, [1])
    assert rows() == 1
    assert count_kept("kept_rows") == kept + 1  # the insertion


def test_only_the_newest_statements_are_kept(monkeypatch):
    monkeypatch.setattr(prepared_statements, "MAX_STATEMENTS", 3)
    for _ in range(2):
        for number in range(5):
            assert fetch(f"SELECT /* many */ %s::bigint + {number}", [1]) == [(1 + number,)]
    assert 0 < count_kept("/* many */") <= 3


def test_a_statement_whose_columns_changed_is_prepared_again():
    fetch("SELECT * FROM kept_rows", [])
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kept_rows ALTER number TYPE text")
    with pytest.raises(NotSupportedError):
        fetch("SELECT * FROM kept_rows", [])
    assert fetch("SELECT * FROM kept_rows", []) == []


def test_a_closed_connection_is_an_outage_and_the_next_one_works(rows):
    rows()
    terminate(connection.connection)
    with pytest.raises(OperationalError) as caught:
        rows()
    assert is_outage(caught.value)
    assert connection.errors_occurred
    connection.close_if_unusable_or_obsolete()
    assert fetch("SELECT %s::bigint", [1]) == [(1,)]


def test_a_connection_that_broke_is_an_outage(rows):
    rows()
    connection.connection.pgconn.finish()
    with pytest.raises(OperationalError) as caught:
        rows()
    assert is_outage(caught.value)


def test_a_text_with_a_nul_is_refused():
    with pytest.raises(DataError):
        fetch("SELECT %s::text", ["a\x00b"])
    assert fetch("SELECT %s::text", ["ab"]) == [("ab",)]
