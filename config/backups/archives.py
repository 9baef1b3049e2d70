"""The file of a backup: a tar archive whose first members are the manifest and its digest."""

import hashlib
import io
import json
import os
import re
import tarfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from config.backups import BackupFailed
from config.backups.digests import TableDigest

FORMAT = 1
MANIFEST, SEAL, DATABASE = "manifest.json", "manifest.sha256", "database"
SAFE_NAME = re.compile(r"database|uploads/\d+/[\w.-]+")
BLOCK = 1 << 20  # bytes
DAMAGED = "This archive is damaged or incomplete ({}). Use another backup."


@dataclass(frozen=True)
class BackupManifest:
    """Facts about a backup. Keys appear as fingerprints, from which they can't be computed."""

    engine: str
    made_at: str
    version: str
    key: str
    secret_key: str
    migrations: list[tuple[str, str]]
    tables: dict[str, TableDigest]
    files: dict[str, str] = field(default_factory=dict)  # digest by name in the archive
    format: int = FORMAT


def write(manifest: BackupManifest, *, files: dict[str, Path], target: Path) -> None:
    """Write an archive that only its owner can read. It appears when it is complete."""
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    text = json.dumps(asdict(manifest), indent=1).encode()
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w") as archive:
            _add(archive, MANIFEST, text)
            _add(archive, SEAL, hashlib.sha256(text).hexdigest().encode())
            for name, path in files.items():
                archive.add(path, arcname=name, recursive=False)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(target)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    archive.addfile(member, io.BytesIO(content))


def read(source: Path) -> BackupManifest:
    """Return the manifest. Raises BackupFailed if it is damaged or of an unknown format."""
    try:
        with tarfile.open(source, mode="r:") as archive:
            text, seal = (_content(archive, name) for name in (MANIFEST, SEAL))
    except (tarfile.TarError, KeyError) as error:
        raise BackupFailed(DAMAGED.format("no manifest")) from error
    except OSError as error:
        raise BackupFailed(f"Can't read the archive: {error.strerror}.") from error
    if hashlib.sha256(text).hexdigest().encode() != seal:
        raise BackupFailed(DAMAGED.format("manifest"))
    values: dict[str, Any] = json.loads(text)
    if values.get("format") != FORMAT:
        raise BackupFailed(f"This archive has format {values.get('format')}. Use its version.")
    values["tables"] = {name: TableDigest(**table) for name, table in values["tables"].items()}
    values["migrations"] = [(app, name) for app, name in values["migrations"]]
    return BackupManifest(**values)


def _content(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file.read()


def extract(source: Path, manifest: BackupManifest, *, folder: Path) -> None:
    """Write all files of an archive into a folder. Raises BackupFailed unless each is whole."""
    try:
        with tarfile.open(source, mode="r:") as archive:
            for name, digest in manifest.files.items():
                if not SAFE_NAME.fullmatch(name):
                    raise BackupFailed(DAMAGED.format("a name"))
                _extract(archive, name, digest, folder / name)
    except (tarfile.TarError, KeyError) as error:
        raise BackupFailed(DAMAGED.format("a file is missing")) from error


def _extract(archive: tarfile.TarFile, name: str, expected: str, target: Path) -> None:
    file = archive.extractfile(name)
    if file is None:
        raise KeyError(name)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        while block := file.read(BLOCK):
            digest.update(block)
            out.write(block)
    if digest.hexdigest() != expected:
        raise BackupFailed(DAMAGED.format(name))


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
