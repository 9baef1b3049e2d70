"""Backup and restore by command, on both databases: equal digests, refusals, kill -9, load."""

import io
import os
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from annotation.corpora.uploads.clearing import STAGING
from config.backups import archives
from tests.services.children import PATIENCE, ROOT
from tests.services.databases import Database, migrated, migrated_file
from tests.services.postgres import find_postgres

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("services")]
KEYS = {"SECRET_KEY": "s" * 40, "PSEUDONYM_KEY": "p" * 40}
STORAGES = pytest.mark.parametrize("storage", ["postgres", "sqlite"], scope="module")
COUNTED = ("annotation_team", "annotation_erasure")


@dataclass
class Installation:
    """A database and a folder of its own, with the commands that run there."""

    database: Database
    var: Path

    def start(self, *arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
        path = f"{find_postgres()}:{os.environ['PATH']}"
        own = {"DATABASE_URL": self.database.url, "CROWDWRIGHT_VAR": str(self.var), "PATH": path}
        return subprocess.Popen(
            [sys.executable, "manage.py", *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, **own, **KEYS, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str | Path, **environment: str) -> tuple[int, str]:
        process = self.start(*arguments, **environment)
        output, errors = process.communicate(timeout=2 * PATIENCE)
        return process.returncode, output + errors

    def ask(self, query: str) -> list[tuple[object, ...]]:
        if self.database.is_a_file:
            connection = sqlite3.connect(self.database.name, timeout=30)
            try:
                rows = connection.execute(query)
                found = rows.fetchall() if rows.description else []
                connection.commit()
            finally:
                connection.close()
            return found
        with psycopg.connect(self.database.url) as server:
            cursor = server.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    @property
    def is_empty(self) -> bool:
        """Return whether neither rows nor files are there."""
        rows = sum(
            int(str(self.ask(f"SELECT COUNT(*) FROM {t}")[0][0])) for t in (*COUNTED, "auth_user")
        )
        return not rows and not [*(self.var / "uploads").glob("[0-9]*")]

    def digests(self, folder: Path) -> dict[str, archives.TableDigest]:
        """Return the tables of a new backup, but those that a restore changes."""
        archive = folder / f"{uuid4().hex}.tar"
        code, said = self.run("backup", archive)
        assert code == 0, said
        tables = archives.read(archive).tables
        return {name: tables[name] for name in tables if name != "annotation_servicemark"}


def installation(storage: str, folder: Path) -> Installation:
    """Make an installation that nobody has used."""
    var = folder / uuid4().hex
    var.mkdir()
    name = f"backups{uuid4().hex[:8]}"
    if storage == "sqlite":
        database = Database.file(f"{name}.sqlite3")
        Path(database.name).write_bytes(migrated_file().read_bytes())
    else:
        database = Database.named(name)
        if database.is_a_file:
            pytest.skip("PostgreSQL runs with --storage=postgres")
        database.copy(migrated())
    return Installation(database, var)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("backups")


@pytest.fixture(scope="module")
def filled(storage: str, folder: Path, django_db_setup: None) -> Installation:
    """Yield an installation with a corpus, an account and an upload under way."""
    used = installation(storage, folder)
    for command in (
        ("createsuperuser", "--noinput", "--username", "ada", "--email", "ada@example.org"),
        ("import_corpus", "mine", *sorted((ROOT / "annotation/demo").glob("*.jsonl"))),
    ):
        code, said = used.run(*command, DJANGO_SUPERUSER_PASSWORD="long-enough-for-you")
        assert code == 0, said
    upload = used.var / "uploads" / "7"
    upload.mkdir(parents=True)
    (upload / "file-1").write_bytes(os.urandom(100_000))
    return used


@pytest.fixture(scope="module")
def untouched(storage: str, folder: Path, django_db_setup: None) -> Installation:
    """Yield an installation for restores that are refused, which leave it empty."""
    return installation(storage, folder)


@pytest.fixture(scope="module")
def archive(filled: Installation, folder: Path) -> Path:
    file = folder / f"{uuid4().hex}.tar"
    code, said = filled.run("backup", file)
    assert code == 0, said
    return file


@STORAGES
def test_a_restored_installation_has_equal_digests(storage, filled, archive, folder):
    empty = installation(storage, folder)
    assert empty.is_empty
    code, said = empty.run("restore", archive)
    assert code == 0, said
    before, after = filled.digests(folder), empty.digests(folder)
    assert before == after
    assert before["annotation_response"].rows == 30
    files = [used.var / "uploads" / "7" / "file-1" for used in (filled, empty)]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert empty.run("migrate", "--check")[0] == 0


@STORAGES
def test_an_archive_is_private_and_holds_no_key(filled, archive):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert not any(key.encode() in archive.read_bytes() for key in KEYS.values())
    assert not [*archive.parent.glob(f"{STAGING}*")]


@STORAGES
def test_old_archives_of_a_folder_are_deleted(filled, tmp_path):
    for day in ("20250101", "20250102", "20250103"):
        (tmp_path / f"crowdwright-{day}T020000Z.tar").touch()
    (tmp_path / "other.tar").touch()
    code, said = filled.run("backup", tmp_path, "--keep", "2")
    assert code == 0, said
    names = sorted(file.name for file in tmp_path.glob("*.tar"))
    assert len(names) == 3
    assert {"crowdwright-20250103T020000Z.tar", "other.tar"} < set(names)


@STORAGES
@pytest.mark.parametrize(
    ("environment", "word"),
    [({"PSEUDONYM_KEY": "q" * 40}, "PSEUDONYM_KEY"), ({"SECRET_KEY": "q" * 40}, "SECRET_KEY")],
)
def test_another_key_is_refused(archive, untouched, environment, word):
    code, said = untouched.run("restore", archive, **environment)
    assert code
    assert word in said
    assert "Traceback" not in said
    assert untouched.is_empty


@STORAGES
def test_an_installation_with_data_is_refused(filled, archive, folder):
    before = filled.digests(folder)
    code, said = filled.run("restore", archive)
    assert code
    assert "Traceback" not in said
    assert filled.digests(folder) == before


@STORAGES
def test_a_restore_withdraws_again_what_was_withdrawn_since_the_backup(storage, folder):
    used, empty = installation(storage, folder), installation(storage, folder)
    begin = "from tests.cast import *; begun(small_study(), bob())"
    withdraw = (
        "from django.utils.timezone import now; from annotation.models import Assignment;"
        "from annotation.fieldwork.work.assigning import withdraw;"
        "withdraw(assignment=Assignment.objects.get(), now=now())"
    )
    file = folder / f"{uuid4().hex}.tar"
    for command in (("shell", "-c", begin), ("backup", file), ("shell", "-c", withdraw)):
        code, said = used.run(*command)
        assert code == 0, said
    noted = Path("uploads/withdrawals")
    (empty.var / noted).parent.mkdir(exist_ok=True)
    (empty.var / noted).write_bytes((used.var / noted).read_bytes())
    code, said = empty.run("restore", file)
    assert code == 0, said
    states = "SELECT state, ended_at FROM annotation_assignment"
    assert empty.ask(states) == used.ask(states)


def changed(archive: Path, folder: Path, *, member: str) -> Path:
    """Return a copy of an archive with one other byte in the middle of a member."""
    content = bytearray(archive.read_bytes())
    with tarfile.open(archive) as found:
        part = found.getmember(member)
    content[part.offset_data + part.size // 2] ^= 1
    copy = folder / f"{uuid4().hex}.tar"
    copy.write_bytes(content)
    return copy


@STORAGES
@pytest.mark.parametrize("member", ["manifest.json", "database", "uploads/7/file-1", "cut"])
def test_a_damaged_archive_is_refused(archive, folder, untouched, member):
    if member == "cut":
        damaged = folder / f"{uuid4().hex}.tar"
        damaged.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    else:
        damaged = changed(archive, folder, member=member)
    code, said = untouched.run("restore", damaged)
    assert code
    assert "damaged" in said
    assert "Traceback" not in said
    assert untouched.is_empty


def rewritten(archive: Path, folder: Path, old: bytes, new: bytes) -> Path:
    """Return an archive whose manifest says something else, with a right seal."""
    copy = folder / f"{uuid4().hex}.tar"
    with tarfile.open(archive) as source, tarfile.open(copy, "w") as target:
        for member in source.getmembers():
            file = source.extractfile(member)
            assert file
            content = file.read()
            if member.name == archives.MANIFEST:
                assert old in content
                content = text = content.replace(old, new, 1)
            if member.name == archives.SEAL:
                content = archives.hashlib.sha256(text).hexdigest().encode()
            member.size = len(content)
            target.addfile(member, io.BytesIO(content))
    return copy


@STORAGES
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"0001_initial"', b'"0999_from_a_later_version"'),
        (b'"format": 1', b'"format": 2'),
        (b'"engine": "', b'"engine": "other'),
        (b'"rows": 0', b'"rows": 5'),
    ],
    ids=["later version", "other format", "other database", "other counts"],
)
def test_an_archive_that_does_not_fit_is_refused(storage, archive, folder, untouched, old, new):
    other = {"postgres": b"sqlite", "sqlite": b"postgresql"}[storage]
    if b"engine" in old:
        old, new = (
            old + name for name in ({"postgres": b"postgresql"}.get(storage, b"sqlite"), other)
        )
    code, said = untouched.run("restore", rewritten(archive, folder, old, new))
    assert code
    assert "Traceback" not in said
    assert untouched.is_empty


@STORAGES
def test_a_killed_restore_leaves_all_or_nothing(storage, filled, archive, folder):
    empty = installation(storage, folder)
    killed = 0
    # A folder for its files, the files in it, and the files at their place, before the rows.
    for sign in (f"{STAGING}*", f"{STAGING}*/uploads", "[0-9]*"):
        before = {*(empty.var / "uploads").glob(sign)}  # of the restore that was killed before
        process = empty.start("restore", archive)
        while process.poll() is None and not {*(empty.var / "uploads").glob(sign)} - before:
            time.sleep(0.001)
        killed += process.poll() is None
        process.kill()
        process.communicate(timeout=30)
        # The killed client's transaction ends before another may look.
        if empty.ask("SELECT COUNT(*) FROM auth_user") != [(0,)]:
            break  # done but for its last words; housekeeping deletes its folder
    else:
        code, said = empty.run("restore", archive)
        assert code == 0, said
        assert not [*(empty.var / "uploads").glob(f"{STAGING}*")]
    assert killed
    assert empty.digests(folder) == filled.digests(folder)
    assert (empty.var / "uploads" / "7" / "file-1").exists()


@STORAGES
def test_a_backup_under_load_is_of_one_moment(storage, filled, folder):
    """A writer adds to two tables in each transaction; a backup has equally many of both."""
    filled.ask("DELETE FROM annotation_erasure")
    first = int(str(filled.ask("SELECT COUNT(*) FROM annotation_team")[0][0]))
    stop = threading.Event()
    written = 0

    def write() -> None:
        nonlocal written
        team = "INSERT INTO annotation_team DEFAULT VALUES"
        erasure = "INSERT INTO annotation_erasure (erased_at) VALUES ('2026-01-01')"
        if storage == "sqlite":
            link = sqlite3.connect(filled.database.name, timeout=30, isolation_level=None)
        else:
            link = psycopg.connect(filled.database.url, autocommit=True)
        while not stop.is_set():
            link.execute("BEGIN")
            link.execute(team)
            link.execute(erasure)
            link.execute("COMMIT")
            written += 1
            time.sleep(0.002)
        link.close()

    writer = threading.Thread(target=write)
    writer.start()
    file = folder / f"{uuid4().hex}.tar"
    code, said = filled.run("backup", file)
    stop.set()
    writer.join()
    assert code == 0, said
    tables = archives.read(file).tables
    added = tables["annotation_erasure"].rows
    assert 0 < added < written
    assert tables["annotation_team"].rows == first + added
    empty = installation(storage, folder)
    code, said = empty.run("restore", file)  # compares the digests of every table
    assert code == 0, said
    assert empty.ask("SELECT COUNT(*) FROM annotation_erasure") == [(added,)]
