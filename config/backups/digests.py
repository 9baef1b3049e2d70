"""Number and SHA-256 digest of the rows of each table, in the order of its primary key."""

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql


@dataclass(frozen=True)
class TableDigest:
    """Contents of a table, as a manifest has them."""

    rows: int
    digest: str


# So that two servers write a value the same way.
SAME_TEXT = (
    "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex';"
    "SET LOCAL extra_float_digits = 1; SET LOCAL intervalstyle = 'postgres'"
)
PRIMARY_KEYS = """
    SELECT c.relname, a.attname
    FROM pg_class c
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, array_position(i.indkey::int2[], a.attnum)
"""


def of_postgres(connection: Connection[Any]) -> dict[str, TableDigest]:
    """Return the tables of the current schema, as the open transaction sees them."""
    connection.execute(SAME_TEXT)
    keys: dict[str, list[str]] = {}
    for table, column in connection.execute(PRIMARY_KEYS):
        keys.setdefault(table, []).extend([column] if column else [])
    return {table: _of_table(connection, table, columns) for table, columns in keys.items()}


def _of_table(connection: Connection[Any], table: str, key: list[str]) -> TableDigest:
    # As text by bytes: the order of another locale would give another digest.
    order = [sql.SQL('{}::text COLLATE "C"').format(sql.Identifier(column)) for column in key]
    query = sql.SQL("COPY (SELECT * FROM {}{}) TO STDOUT").format(
        sql.Identifier(table),
        sql.SQL(" ORDER BY ") + sql.SQL(", ").join(order) if key else sql.SQL(""),
    )
    digest, rows = hashlib.sha256(), 0
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        for part in copy:  # a row each
            digest.update(part)
            rows += 1
    return TableDigest(rows, digest.hexdigest())


def of_sqlite(connection: sqlite3.Connection) -> dict[str, TableDigest]:
    """Return the tables of a file that nobody changes."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    tables = {}
    for (name,) in names.fetchall():
        digest, rows = hashlib.sha256(), 0
        for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY rowid'):
            digest.update(repr(row).encode(errors="surrogatepass"))
            rows += 1
        tables[name] = TableDigest(rows, digest.hexdigest())
    return tables


def difference(expected: dict[str, TableDigest], actual: dict[str, TableDigest]) -> str:
    """Return the first difference in words; empty without one."""
    for name in sorted(expected.keys() | actual.keys()):
        before, after = expected.get(name), actual.get(name)
        if before != after:
            counts = [str(table.rows) if table else "no" for table in (before, after)]
            return f"table {name}: {counts[0]} rows in the backup, {counts[1]} restored"
    return ""
