"""Make a backup while people work."""

import fcntl
import hashlib
import hmac
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from django.conf import settings
from django.db import connection

from annotation import marking
from annotation.corpora.uploads.clearing import STAGING
from config.backups import BackupFailed, archives, postgres, sqlite
from config.backups.archives import DATABASE, BackupManifest

NAME = "crowdwright-{:%Y%m%dT%H%M%SZ}.tar"
NAMES = "crowdwright-????????T??????Z.tar"


def engine() -> ModuleType:
    """Return the module for the database in use."""
    return postgres if connection.vendor == "postgresql" else sqlite


def make(*, target: Path, now: datetime) -> tuple[Path, BackupManifest]:
    """Write an archive into a folder, or as a file; return its path and manifest."""
    file = target / NAME.format(now) if target.is_dir() else target
    if file.exists():
        raise BackupFailed(f"{file} already exists.")
    with staging(file.parent) as folder:
        files = {}
        _copy_uploads(folder)  # one whose upload ends now is gone after the snapshot
        contents = engine().dump(folder / DATABASE)
        _copy_uploads(folder)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            files[path.relative_to(folder).as_posix()] = path
        manifest = BackupManifest(
            engine=connection.vendor,
            made_at=now.isoformat(),
            version=settings.VERSION,
            key=contents.key or marking.fingerprint(),
            secret_key=secret_key_fingerprint(),
            migrations=contents.migrations,
            tables=contents.tables,
            files={name: archives.digest_of(path) for name, path in files.items()},
        )
        archives.write(manifest, files=files, target=file)
    return file, manifest


def prune(folder: Path, *, keep: int) -> int:
    """Delete all archives of a folder but the newest; return how many."""
    old = sorted(folder.glob(NAMES))[:-keep]
    for file in old:
        file.unlink()
    return len(old)


def secret_key_fingerprint() -> str:
    """Return 64 hex digits of SECRET_KEY, from which it cannot be computed."""
    return hmac.new(settings.SECRET_KEY.encode(), b"fingerprint", hashlib.sha256).hexdigest()


@contextmanager
def staging(parent: Path) -> Iterator[Path]:
    """Yield an empty private folder; one process at a time, and what a killed one left goes."""
    try:
        lock = (parent / ".crowdwright-backup.lock").open("w")
    except OSError as error:
        raise BackupFailed(f"Can't write into {parent}: {error.strerror}.") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupFailed("Another backup or restore is running.") from error
        for left in parent.glob(f"{STAGING}*"):
            shutil.rmtree(left)
        try:
            with TemporaryDirectory(prefix=STAGING, dir=parent) as folder:
                yield Path(folder)
        except OSError as error:
            raise BackupFailed(f"The backup can't be written or read: {error}.") from error


def _copy_uploads(folder: Path) -> None:
    """Copy files of uploads under way that are not copied yet, or changed since."""
    for source in settings.UPLOADS_DIR.glob("[0-9]*/*"):
        target = folder / "uploads" / source.parent.name / source.name
        with suppress(FileNotFoundError):  # its upload ended
            if source.is_file() and not _is_same(source, target):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


def _is_same(source: Path, target: Path) -> bool:
    if not target.exists():
        return False
    one, other = source.stat(), target.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)
