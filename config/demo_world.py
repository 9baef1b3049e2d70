"""The world of the demo: a folder of its own with a database, secrets, a queue and processes.

`make demo` invents people, money and a platform. A real installation may stand in the same
checkout, with its database and its token of Prolific in the environment: the demo must neither see
nor touch them. So it leaves all settings behind before any is read. To throw it away, delete its
folder.
"""

import fcntl
import os
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path

NAME = "demo"
MARK = "CROWDWRIGHT_DEMO"  # says to the command that its world is there
KEPT = {"LOG_LEVEL", "DEBUG"}  # settings that are of no installation
# All others that `config.settings` reads. A test holds them beside .env.example.
LEFT_BEHIND = (
    *("SECRET_KEY", "PSEUDONYM_KEY", "PUBLIC_URL", "ALLOWED_HOSTS", "BEHIND_PROXY"),
    *("ARRIVALS_PER_ADDRESS", "PROLIFIC_WEBHOOK_SECRET", "PROLIFIC_WORKSPACE", "PROLIFIC_TOKEN"),
    *("PROLIFIC_URL", "PROLIFIC_SITE", "RECRUITING_DRY_RUN", "EMAIL_HOST", "EMAIL_PORT"),
    *("EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "EMAIL_FROM"),
    *("SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "DATABASE_URL", "CONN_MAX_AGE", "BROKER_URL"),
    *("UPLOAD_MOST_BYTES", "API_REQUESTS_PER_MINUTE", "ENDPOINTS_INSIDE", "REFUSED_NETWORKS"),
    *("MACHINE_KEYS", "STATIC_HASHED", "STATIC_ROOT", "PGBOUNCER"),
    *("LOG_FORMAT", "METRICS_TOKEN", "ADMINS", "SENTRY_DSN"),
)


class DemoRuns(Exception):
    """Another process has this world."""


def enter(environ: MutableMapping[str, str], *, beside: Path) -> None:
    """Leave the settings of a real installation behind: what is read from now on is the demo's.

    Its folder is `demo` in CROWDWRIGHT_VAR, or in `beside`.
    """
    for name in LEFT_BEHIND:
        environ.pop(name, None)
    environ.setdefault("LOG_LEVEL", "WARNING")  # what it does, it says itself
    var = Path(environ.get("CROWDWRIGHT_VAR") or beside)
    environ["CROWDWRIGHT_VAR"] = environ[MARK] = str((var / NAME).resolve())


def is_entered(folder: Path) -> bool:
    return os.environ.get(MARK) == str(folder)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the demo for one process: the platform keeps its books in one file. Raises DemoRuns."""
    with (folder / "demo.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DemoRuns from error
        yield
