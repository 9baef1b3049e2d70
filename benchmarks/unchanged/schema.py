"""The tables after `migrate`, on PostgreSQL and on SQLite, in an order that means nothing."""

import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from benchmarks.unchanged.world import environment, run

PIECE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[(),]|[^'\"(),]+")


def take(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="crowdwright-unchanged-", dir="/tmp") as scratch:
        where = Path(scratch)
        where.chmod(0o711)  # the user of PostgreSQL passes through
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "sqlite.sql", _of_sqlite(where))
        _write(folder / "postgresql.sql", _of_postgresql(where))


def _of_sqlite(where: Path) -> list[str]:
    file = where / "tables.sqlite3"
    _migrate(where, f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        return [sorted_columns(sql) for (sql,) in rows]


def _of_postgresql(where: Path) -> list[str]:
    from tests.services.postgres import Postgres

    server = Postgres(where / "postgres")
    try:
        _migrate(where, server.url("postgres"))
        options = ("--schema-only", "--no-owner", "--no-privileges", "--no-comments")
        env = environment(where / "var")
        dump = run(server.bin / "pg_dump", *options, server.url("postgres"), env=env)
    finally:
        server.stop()
    lines = [line for line in dump.splitlines() if line and not line.startswith(("--", "\\"))]
    return [sorted_columns(sql) for sql in re.split(r"(?<=;)\n(?=[A-Z])", "\n".join(lines))]


def _migrate(where: Path, address: str) -> None:
    env = environment(where / "var", DATABASE_URL=address)
    run(sys.executable, "manage.py", "migrate", "--verbosity", "0", env=env)


def sorted_columns(sql: str) -> str:
    """Return a statement with the columns and constraints of a table in order."""
    sql = " ".join(sql.split())
    if not sql.startswith("CREATE TABLE"):
        return sql
    head, _, inside = sql.partition("(")
    depth, part, parts = 0, "", []
    for piece in PIECE.findall(inside):
        depth += (piece == "(") - (piece == ")")
        if depth < 0 or (piece == "," and not depth):
            parts.append(part.strip())
            part = ""
        else:
            part += piece
    return f"{head}(\n  " + ",\n  ".join(sorted(parts)) + f"\n){part}"


def _write(file: Path, statements: Iterable[str]) -> None:
    file.write_text("".join(f"{statement}\n" for statement in sorted(statements)))
