"""Turns of conversations, as chat programs and data sets write them. Pure."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from annotation.texts.sentences import Sentence, marked


class Speaker(StrEnum):
    """Author of a turn."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


LABELS = {
    Speaker.SYSTEM: marked("System"),
    Speaker.USER: marked("User"),
    Speaker.ASSISTANT: marked("Assistant"),
    Speaker.TOOL: marked("Tool"),
}
# Roles by the names that others give them.
ROLES = {
    **dict.fromkeys(("user", "human", "prompter", "usr"), Speaker.USER),
    **dict.fromkeys(
        ("assistant", "gpt", "model", "bot", "ai", "chatgpt", "bard"), Speaker.ASSISTANT
    ),
    **dict.fromkeys(("bing", "chatbot", "llm", "agent", "function_call"), Speaker.ASSISTANT),
    **dict.fromkeys(("system", "developer"), Speaker.SYSTEM),
    **dict.fromkeys(("tool", "function", "observation", "ipython"), Speaker.TOOL),
}
# Begins a turn of a transcript, as Anthropic writes them.
SPEAKER = re.compile(r"(?:\A\s*|\n\n)(Human|User|Assistant|System): ?")
# Pairs of fields that a turn may have: who says it, and what.
FIELDS = (("role", "content"), ("from", "value"), ("role", "text"), ("speaker", "text"))


class RawTurn(NamedTuple):
    """A turn with its content as it came."""

    role: Speaker
    content: str


class UnreadTurn(ValueError):
    """A turn that is not understood. `code`: shape, role, part or content."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def is_conversation(value: Any) -> bool:
    """Return whether a value is a list of turns."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(turn, dict) and _fields(turn) is not None for turn in value[:20])
    )


def messages_of(value: Iterable[Any]) -> list[RawTurn]:
    """Return the turns of a list. Raises UnreadTurn."""
    return [_message(turn, number) for number, turn in enumerate(value, start=1)]


def turns_of_transcript(text: str) -> list[RawTurn]:
    """Return the turns of a text that begins with `Human:`, `User:` or `System:`; empty: none."""
    first, *parts = SPEAKER.split(text)
    if first or "Assistant" not in parts[::2] or parts[0] == "Assistant":
        return []
    return [
        RawTurn(ROLES[speaker.casefold()], content)
        for speaker, content in zip(parts[::2], parts[1::2], strict=True)
    ]


def _fields(turn: Mapping[str, Any]) -> tuple[str, str] | None:
    for role, content in FIELDS:
        if isinstance(turn.get(role), str) and (content in turn or turn.get("tool_calls")):
            return role, content
    return None


def _message(turn: Any, number: int) -> RawTurn:
    fields = _fields(turn) if isinstance(turn, dict) else None
    if fields is None:
        raise UnreadTurn("shape", Sentence("turn {number} has no role and content", number=number))
    name, content = turn[fields[0]], turn.get(fields[1])
    role = ROLES.get(name.strip().casefold())
    if role is None:
        raise UnreadTurn(
            "role",
            Sentence("turn {number} has an unknown role: {role!r}", number=number, role=name[:40]),
        )
    text = _text(content, number)
    calls = [turn[name] for name in ("tool_calls", "function_call") if turn.get(name)]
    return RawTurn(role, "\n\n".join(filter(None, (text, *map(_as_code, calls)))))


def _text(content: Any, number: int) -> str:
    """Return a content: a text, or a list of texts. Nothing that is no text gets lost."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [_part(part) for part in parts]
    if any(text is None for text in texts):
        raise UnreadTurn(
            "part", Sentence("turn {number} has a part that isn't text", number=number)
        )
    return "\n\n".join(text for text in texts if text is not None)


def _part(part: Any) -> str | None:
    """Return the text of a part, or None: an image, a sound, a file."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return None
    others = ("image", "image_url", "audio", "file", "video")
    return None if any(part.get(name) for name in others) else part["text"]


def _as_code(calls: Any) -> str:
    written = msgspec.json.format(msgspec.json.encode(calls), indent=2).decode()
    return f"```json\n{written}\n```"
