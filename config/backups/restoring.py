"""Restore an archive into an empty installation: all of it, or nothing."""

import shutil
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from annotation import marking
from config.backups import BackupFailed, archives
from config.backups.archives import DATABASE, BackupManifest
from config.backups.making import engine, secret_key_fingerprint, staging

NAMES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}


def restore(*, source: Path, is_secret_key_new: bool = False) -> tuple[BackupManifest, int]:
    """Restore an archive; return its manifest and the number of migrations to apply.

    Files are extracted and checked first. Rows and files appear when their digests agree.
    """
    manifest = archives.read(source)
    pending = _check(manifest, is_secret_key_new=is_secret_key_new)
    engine().require_empty()
    with staging(settings.UPLOADS_DIR) as folder:
        archives.extract(source, manifest, folder=folder)
        moved: list[Path] = []

        def put_files() -> None:
            # Without rows, folders in place are leftovers of a restore that was killed.
            for left in settings.UPLOADS_DIR.glob("[0-9]*"):
                shutil.rmtree(left)
            for upload in (folder / "uploads").glob("*"):
                moved.append(settings.UPLOADS_DIR / upload.name)
                upload.rename(moved[-1])

        try:
            engine().load(folder / DATABASE, manifest.tables, put_files=put_files)
        except BaseException:
            for path in moved:
                shutil.rmtree(path, ignore_errors=True)
            raise
    return manifest, pending


def _check(manifest: BackupManifest, *, is_secret_key_new: bool) -> int:
    """Return the number of migrations to apply. Raises BackupFailed for what doesn't fit."""
    if manifest.engine != connection.vendor:
        raise BackupFailed(
            f"This backup is of {NAMES[manifest.engine]}. Restore it into an installation "
            f"on {NAMES[manifest.engine]}: this one is on {NAMES[connection.vendor]}."
        )
    if manifest.key != marking.fingerprint():
        raise BackupFailed(
            "PSEUDONYM_KEY is not the key of this backup, so platform IDs would be unreadable. "
            "Set the key used at that time; you can rotate it after the restore."
        )
    if manifest.secret_key != secret_key_fingerprint() and not is_secret_key_new:
        raise BackupFailed(
            "SECRET_KEY is not the key of this backup: personal links would stop working, and "
            "everyone would be signed out. Set the key used at that time, or repeat with "
            "--new-secret-key."
        )
    loader = MigrationLoader(None)
    known_steps = set(loader.disk_migrations)
    known_steps |= {step for squashed in loader.replacements.values() for step in squashed.replaces}
    applied = set(manifest.migrations)
    if newer := applied - known_steps:
        raise BackupFailed(
            f"This backup is of version {manifest.version}, with {len(newer)} migrations that "
            f"version {settings.VERSION} doesn't have. Restore it with its own version or later."
        )
    missing = set(loader.disk_migrations) - applied
    return len([key for key in missing if key not in loader.replacements])
