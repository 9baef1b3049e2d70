"""Secrets that the embedded mode makes for itself on first start."""

import contextlib
import os
import secrets
from pathlib import Path


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
