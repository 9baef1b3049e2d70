"""Replies of models, read strictly: all of an answer, or nothing. Pure: no Django."""

import json
from dataclasses import dataclass, field
from typing import Any

from annotation.texts.sentences import marked
from judging.calls.protocols import End


class UnreadableAnswer(ValueError):
    """Answer that cannot be read: `kind` is a code, the message a sentence."""

    def __init__(self, kind: str, said: str) -> None:
        self.kind = kind
        super().__init__(said)


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is; None if it is none or repeats a name."""
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def object_or_line(text: str, *, structured: bool) -> tuple[dict[str, Any] | None, str]:
    """Return the JSON object of a reply, or of its last line, and that line.

    Raises UnreadableAnswer if the reply is empty.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise UnreadableAnswer("unparsed", marked("The answer is empty."))
    whole = _object_in(text) if structured else None
    return (_object_in(lines[-1]) if whole is None else whole), lines[-1]


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name is repeated")
    return dict(pairs)


ENDS = {
    End.CUT: (
        "length",
        marked("The answer was cut off at the token limit."),
    ),
    End.REFUSED: ("refused", marked("The model refused to answer.")),
}


@dataclass(frozen=True)
class CallOutcome:
    """`parsed` as a call stores it, or the kind of failure with its sentence."""

    raw: str
    parsed: dict[str, Any] | None = None
    reasons: dict[str, str] = field(default_factory=dict)
    error: str = ""
    said: str = ""
