"""Checks of what the site needs: in a few threads, with one deadline, also where a host hangs."""

import logging
import pkgutil
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import KombuError

from annotation import marking
from config.celery import app

DEADLINE = 4.0  # seconds for all checks together
KEPT = 5.0  # seconds that an answer is given again
MOST_THREADS = 3  # of a process, with those that hang since an earlier answer
CLOCK_MOST = 150.0  # seconds since the last heartbeat, which comes every 30 s
BROKER_PATIENCE = 2  # seconds
FREE_LEAST = 1_000_000_000  # bytes for uploads
PAUSE = 0.01  # seconds between two looks at the outcomes
logger = logging.getLogger(__name__)
OWN_APPS = ("annotation", "writing", "judging", "analysis")


@dataclass(frozen=True)
class CheckResult:
    """Outcome of a check; `detail` is for the log, not for those who ask."""

    is_ok: bool
    detail: str = ""


def database() -> CheckResult:
    """Check that the database answers a query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return CheckResult(is_ok=True)


def migrations() -> CheckResult:
    """Check that all migrations of this release are applied."""
    missing = _shipped() - set(MigrationRecorder(connection).applied_migrations())
    return CheckResult(not missing, f"{len(missing)} not applied" if missing else "")


def broker() -> CheckResult:
    """Check that the job broker accepts connections."""
    options = {
        **app.conf.broker_transport_options,
        "socket_timeout": BROKER_PATIENCE,
        "socket_connect_timeout": BROKER_PATIENCE,
    }
    with app.connection_for_write(transport_options=options) as channel:
        channel.ensure_connection(max_retries=1, timeout=BROKER_PATIENCE)
    return CheckResult(is_ok=True)


def clock() -> CheckResult:
    """Check that Celery beat and a worker run: together they set a mark every 30 s."""
    age = marking.age(marking.CLOCK)
    if age is None:
        return CheckResult(is_ok=False, detail="no heartbeat yet")
    return CheckResult(age <= CLOCK_MOST, f"last heartbeat {age:.0f} s ago")


def disk() -> CheckResult:
    """Check that the upload folder has free space."""
    free = shutil.disk_usage(settings.UPLOADS_DIR).free
    return CheckResult(free >= FREE_LEAST, f"{free / 1e9:.1f} GB free")


def key() -> CheckResult:
    """Check that PSEUDONYM_KEY matches the data."""
    return CheckResult(marking.is_key_right())


def journal() -> CheckResult:
    """Check that all withdrawals are in the file that a restore repeats them from."""
    return CheckResult(marking.age(marking.JOURNAL) is None)


Check = Callable[[], CheckResult]
CHECKS: dict[str, Check] = {
    check.__name__: check for check in (database, migrations, broker, clock, disk, key, journal)
}


class KeptFindings:
    """Findings that are given again for a while, so that many questions cause no more checks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self.forget()

    def forget(self) -> None:
        self._at, self._findings = -KEPT, dict[str, CheckResult]()

    def current(self) -> dict[str, CheckResult]:
        """Return the outcome of every check by its name; one without an end by now has failed.

        While one request checks, others get the earlier answer, if there is any.
        """
        if not self._lock.acquire(blocking=not self._findings):
            return self._findings
        try:
            if time.monotonic() - self._at >= KEPT:
                self._findings = self._checked()
                self._at = time.monotonic()
            return self._findings
        finally:
            self._lock.release()

    def _checked(self) -> dict[str, CheckResult]:
        outcomes: dict[str, CheckResult] = {}
        waiting = deque(CHECKS.items())
        until = time.monotonic() + DEADLINE
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        for _ in range(MOST_THREADS - len(self._threads)):
            thread = threading.Thread(target=_work, args=(waiting, outcomes), daemon=True)
            thread.start()
            self._threads.append(thread)
        while len(outcomes) < len(CHECKS) and time.monotonic() < until:
            time.sleep(PAUSE)
        waiting.clear()
        outcome_by_name = dict(outcomes)
        for name in CHECKS:
            finding = outcome_by_name.setdefault(name, CheckResult(is_ok=False, detail="no answer"))
            if not finding.is_ok:
                logger.warning("not ready: %s: %s", name, finding.detail)
        return outcome_by_name


def _work(waiting: "deque[tuple[str, Check]]", outcomes: dict[str, CheckResult]) -> None:
    """Do the checks that no other thread has begun."""
    while waiting:
        try:
            name, check = waiting.popleft()
        except IndexError:  # another thread was quicker
            return
        _look(name, check, outcomes)


def _look(name: str, check: Check, outcomes: dict[str, CheckResult]) -> None:
    try:
        outcomes[name] = check()
    except (Error, KombuError, OSError) as error:  # messages may contain addresses and passwords
        outcomes[name] = CheckResult(is_ok=False, detail=type(error).__name__)
    finally:
        connection.close()  # of this thread


kept = KeptFindings()


@cache
def _shipped() -> frozenset[tuple[str, str]]:
    """Return (app, name) of each migration of this release."""
    names = set()
    for name in OWN_APPS:
        folder = import_module(f"{name}.migrations")
        names |= {(name, module.name) for module in pkgutil.iter_modules(folder.__path__)}
    return frozenset(names)
