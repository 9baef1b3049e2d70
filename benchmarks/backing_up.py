"""Backup and restore of an installation on PostgreSQL: `python -m benchmarks.backing_up`.

The Crowd RAG Corpus 2025 with both studies, then `manage.py backup`, and `manage.py restore` into
an empty database, which compares every row. CPU is that of the command and of pg_dump or
pg_restore, not of the server. Without the corpus there is nothing to measure, and it says so.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psycopg

from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.installation import Installation, installation
from benchmarks.reporting import Row, load_now, report
from tests.services.corpus import VARIABLE


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"backing_up: left out, no Crowd RAG Corpus 2025; set {VARIABLE} to its folder")
        return
    with installation() as made:
        made.command("import_crowdrag", str(folder))
        rows = back_up_and_restore(made)
    report("backing_up", rows, load=load, notes=(where_from(),))


def back_up_and_restore(made: Installation) -> list[Row]:
    archive = made.folder / "archive.tar"
    elsewhere = {"CROWDWRIGHT_VAR": str(made.folder / "elsewhere")}
    for key in Path(os.environ["CROWDWRIGHT_VAR"]).glob("*.key"):
        Path(elsewhere["CROWDWRIGHT_VAR"]).mkdir(exist_ok=True)
        shutil.copy(key, elsewhere["CROWDWRIGHT_VAR"])
    server = made.database.rpartition("/")[0]
    with psycopg.connect(made.database, autocommit=True) as database:
        database.execute("CREATE DATABASE elsewhere")
        (count,) = database.execute(
            "SELECT sum(n_live_tup)::bigint FROM pg_stat_user_tables"
        ).fetchone()
    elsewhere["DATABASE_URL"] = f"{server}/elsewhere"
    n = f"about {count:,} rows"
    rows = [
        of_command(n, "backup", str(archive)),
        of_command(n, "restore", str(archive), elsewhere),
    ]
    size = Row(what="size of the archive", n=n, ours=archive.stat().st_size / 1e6, unit="MB")
    return [*rows, size]


def of_command(n: str, name: str, archive: str, other: dict[str, str] | None = None) -> Row:
    before, began = used(), time.perf_counter()
    command = [sys.executable, "manage.py", name, archive]
    subprocess.run(command, check=True, env=os.environ | (other or {}))
    seconds = time.perf_counter() - began
    return Row(what=name, n=n, ours=seconds, remark=f"{used() - before:.1f} s of CPU")


def used() -> float:
    """Return the CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
