"""By what prompts are the same: what is sent, and to whom."""

import hashlib
import json
from typing import Any

from judging.models.calls import Asker


def as_sent(request: dict[str, Any]) -> bytes:
    return json.dumps(request, sort_keys=True, ensure_ascii=False).encode()


def hash_of(asker: Asker, sent: bytes) -> str:
    """Who is asked is a part of it: the same model elsewhere is another one."""
    where = f"{asker.protocol} {asker.base_url}\n".encode()
    return hashlib.sha256(where + sent).hexdigest()
