"""Health checks of the services that the site needs, with a deadline for all of them."""

import pkgutil
import shutil
import threading
import time
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
CLOCK_MOST = 150.0  # seconds since the last heartbeat, which comes every 30 s
BROKER_PATIENCE = 2  # seconds
FREE_LEAST = 1_000_000_000  # bytes for uploads
OWN_APPS = ("annotation", "writing", "judging", "analysis")


@dataclass(frozen=True)
class Finding:
    """Result of a check. `detail` is for administrators; it has no names, paths or addresses."""

    is_ok: bool
    detail: str = ""


def database() -> Finding:
    """Check that the database answers a query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Finding(is_ok=True)


def migrations() -> Finding:
    """Check that all migrations of this release are applied."""
    missing = _shipped() - set(MigrationRecorder(connection).applied_migrations())
    return Finding(not missing, f"{len(missing)} not applied" if missing else "")


def broker() -> Finding:
    """Check that the job broker accepts connections."""
    options = {
        **app.conf.broker_transport_options,
        "socket_timeout": BROKER_PATIENCE,
        "socket_connect_timeout": BROKER_PATIENCE,
    }
    with app.connection_for_write(transport_options=options) as channel:
        channel.ensure_connection(max_retries=1, timeout=BROKER_PATIENCE)
    return Finding(is_ok=True)


def clock() -> Finding:
    """Check that Celery beat and a worker run: together they set a mark every 30 s."""
    age = marking.age(marking.CLOCK)
    if age is None:
        return Finding(is_ok=False, detail="no heartbeat yet")
    return Finding(age <= CLOCK_MOST, f"last heartbeat {age:.0f} s ago")


def disk() -> Finding:
    """Check that the upload folder has free space."""
    free = shutil.disk_usage(settings.UPLOADS_DIR).free
    return Finding(free >= FREE_LEAST, f"{free / 1e9:.1f} GB free")


def key() -> Finding:
    """Check that PSEUDONYM_KEY matches the data."""
    return Finding(marking.is_key_right())


CHECKS: dict[str, Callable[[], Finding]] = {
    check.__name__: check for check in (database, migrations, broker, clock, disk, key)
}


def findings() -> dict[str, Finding]:
    """Run all checks at once; return the results by name. Unfinished checks count as failed."""
    outcomes: dict[str, Finding] = {}
    until = time.monotonic() + DEADLINE
    threads = [
        threading.Thread(target=_look, args=(name, check, outcomes), daemon=True)
        for name, check in CHECKS.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    known = dict(outcomes)
    return {name: known.get(name, Finding(is_ok=False, detail="no answer")) for name in CHECKS}


def _look(name: str, check: Callable[[], Finding], outcomes: dict[str, Finding]) -> None:
    try:
        outcomes[name] = check()
    except (
        Error,
        KombuError,
        OSError,
    ) as error:  # exception messages may contain addresses and passwords
        outcomes[name] = Finding(is_ok=False, detail=type(error).__name__)
    finally:
        connection.close()  # of this thread


@cache
def _shipped() -> frozenset[tuple[str, str]]:
    """Return (app, name) of each migration of this release."""
    names = set()
    for name in OWN_APPS:
        folder = import_module(f"{name}.migrations")
        names |= {(name, module.name) for module in pkgutil.iter_modules(folder.__path__)}
    return frozenset(names)
