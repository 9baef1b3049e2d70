"""Secrets that the embedded mode makes for itself on first start, and what else is private."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

PRIVATE = ("*.key", "*.sqlite3*", "*-password", "queue", "beat*", "uploads")  # in our var


def keep_private(folder: Path) -> None:
    """Make the folder for its owner alone, and close what an older version left open in it.

    A folder that is there already may hold what others read: its own rights are left as they are.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (private for pattern in PRIVATE for private in folder.glob(pattern)):
        with contextlib.suppress(OSError):  # somebody else's, or just gone
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                path.chmod(mode & 0o700)


def secret(path: Path, *, size: int = 48) -> str:
    """Read the secret in `path`; make it, readable by its owner alone, where there is none.

    `size` is its length in random bytes.

    The file appears under its name only when it is complete (`link` fails where somebody was
    faster), so that two processes that start together agree on one secret.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(size))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
