"""Requests of calls, made before they are sent: their body, their size and the hash of a prompt."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from judging.calls import protocols
from judging.calls.prompts import BadPrompt
from judging.models.calls import Asker, Call

FRAME = 100  # tokens, at most, that a server adds around what is sent


def body_of(
    asker: Asker, *, messages: list[dict[str, str]], schema: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the request body for one call; `schema` is used for structured answers alone."""
    return protocols.body(
        protocols.Protocol(asker.protocol),
        messages=messages,
        model=asker.model,
        temperature=asker.settings.get("temperature"),
        max_tokens=asker.settings.get("max_tokens"),
        seed=asker.settings.get("seed"),
        schema=schema if asker.structured else None,
    )


def fill(call: Call, asker: Asker, request: Callable[[], dict[str, Any]]) -> None:
    """Set the request of a call; a call that the prompt does not fit has failed."""
    try:
        call.request = request()
    except BadPrompt as error:
        call.request, call.state = {}, Call.State.FAILED
        call.error, call.said = "prompt", str(error)
    sent = as_sent(call.request)
    call.most_in = len(sent) + FRAME  # a token is a byte at least
    call.prompt_hash = hash_of(asker, sent)


def as_sent(request: dict[str, Any]) -> bytes:
    """Return the bytes of a request that identify its prompt."""
    return json.dumps(request, sort_keys=True, ensure_ascii=False).encode()


def hash_of(asker: Asker, sent: bytes) -> str:
    """Return the hash of a prompt. The same model at another address is another one."""
    where = f"{asker.protocol} {asker.base_url}\n".encode()
    return hashlib.sha256(where + sent).hexdigest()
