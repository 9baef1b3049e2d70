"""What a database is made of, however it came to be: to hold two ways of making one together.

Names of constraints and indexes count where we give them: those that Django makes up follow what a
table was once called.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

import psycopg

Part = tuple[str, str, str]  # table, a name that counts only if it is ours, how it is made

OF_POSTGRES = """
SELECT c.relname, '', concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
    'IDENTITY ' || nullif(a.attidentity::text, ''), 'COLLATE ' || a.attcollation,
    'GENERATED ' || nullif(a.attgenerated::text, ''))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
    AND NOT a.attisdropped
UNION ALL
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL
SELECT tgrelid::regclass::text, '', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT '', '', pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL
SELECT '', '', relkind::text || ' ' || relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i', 'S')
"""
OF_SQLITE = """
SELECT tbl_name, CASE type WHEN 'index' THEN name ELSE '' END, sql FROM sqlite_master
WHERE sql IS NOT NULL
"""


def described(address: str) -> dict[str, list[str]]:
    """By the name of the table, in no order."""
    ours = _our_names()
    found: dict[str, list[str]] = {}
    for table, name, made in _parts(address):
        if name and name not in ours:
            made = made.replace(f'"{name}"', "").replace(name, "")
        elif name:
            made = f"{name}: {made}"
        found.setdefault(table, []).append(" ".join(made.split()))
    return {table: sorted(parts) for table, parts in found.items()}


def _our_names() -> set[str]:
    from django.apps import apps

    of_models = [model._meta for model in apps.get_models(include_auto_created=True)]
    return {each.name for of in of_models for each in (*of.constraints, *of.indexes)}


def _parts(address: str) -> Iterable[Part]:
    if not address.startswith("sqlite"):
        with psycopg.connect(address) as connection:
            return connection.execute(OF_POSTGRES).fetchall()
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection:
        rows = connection.execute(OF_SQLITE).fetchall()
    return [part for row in rows for part in _taken_apart(*row)]


def _taken_apart(table: str, name: str, made: str) -> Iterator[Part]:
    """SQLite keeps a table as the sentence that made it: its columns and constraints one by one,
    whatever their order."""
    if not made.startswith("CREATE TABLE"):
        yield table, name, made
        return
    depth, part = 0, ""
    inside = made.partition("(")[2]
    for piece in re.findall(r"'(?:[^']|'')*'|\"[^\"]*\"|[(),]|[^'\"(),]+", inside):
        depth += (piece == "(") - (piece == ")")
        if depth < 0 or (piece == "," and not depth):
            yield table, "", part
            part = ""
        else:
            part += piece
