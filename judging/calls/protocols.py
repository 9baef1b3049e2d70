"""The two protocols of model servers: chat completions and responses. Pure: no Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotation.texts.sentences import marked

Json = dict[str, Any]
Messages = Sequence[Mapping[str, str]]  # role (system or user), content


class Protocol(StrEnum):
    CHAT = "chat"
    RESPONSES = "responses"


PATHS = {Protocol.CHAT: "chat/completions", Protocol.RESPONSES: "responses"}
NAME = "judgment"  # of a schema: they want one


class End(StrEnum):
    """Reason why an answer ended."""

    DONE = "done"
    CUT = "cut"  # it came to the most tokens that it may have
    REFUSED = "refused"  # by the model, or a filter before it


@dataclass(frozen=True)
class ServerAnswer:
    text: str
    end: End
    tokens_in: int | None
    tokens_out: int | None


class UnreadableReply(ValueError):
    """JSON that is no answer of this protocol."""


def body(
    protocol: Protocol,
    *,
    messages: Messages,
    model: str,
    temperature: float | None,
    max_tokens: int | None,
    seed: int | None = None,
    schema: Json | None = None,
) -> Json:
    """Return the request. Responses have no seed; None leaves a setting to the server."""
    chat = protocol == Protocol.CHAT
    shape = {"name": NAME, "strict": True, "schema": schema}
    form: Json = (
        {"response_format": {"type": "json_schema", "json_schema": shape}}
        if chat
        else {"text": {"format": {"type": "json_schema", **shape}}}
    )
    optional = {
        "temperature": temperature,
        "max_tokens" if chat else "max_output_tokens": max_tokens,
        **({"seed": seed} if chat else {}),
    }
    return {
        "model": model,
        "messages" if chat else "input": [dict(message) for message in messages],
        **{name: value for name, value in optional.items() if value is not None},
        **(form if schema is not None else {}),
        **({} if chat else {"store": False}),  # they would keep the texts for a month
    }


def read(protocol: Protocol, content: Any) -> ServerAnswer:
    """Return the answer in a response. Raises Unreadable."""
    try:
        return _read_chat(content) if protocol == Protocol.CHAT else _read_responses(content)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise UnreadableReply(marked("The answer doesn't follow the API protocol.")) from error


def _read_chat(content: Json) -> ServerAnswer:
    choice = content["choices"][0]
    message, usage = choice["message"], content.get("usage") or {}
    ends = {"length": End.CUT, "content_filter": End.REFUSED}
    end, text = ends.get(choice.get("finish_reason"), End.DONE), message.get("content")
    if message.get("refusal"):
        end, text = End.REFUSED, message["refusal"]
    if isinstance(text, list):  # in parts, as some servers write it
        text = "".join(part.get("text", "") for part in text)
    return ServerAnswer(
        _text(text, end), end, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    )


def _read_responses(content: Json) -> ServerAnswer:
    usage = content.get("usage") or {}
    parts = [
        part
        for item in content["output"]
        if item.get("type") == "message"  # not the model's thoughts
        for part in item["content"]
    ]
    ends = {"max_output_tokens": End.CUT, "content_filter": End.REFUSED}
    end = ends.get((content.get("incomplete_details") or {}).get("reason", ""), End.DONE)
    refusals = [part["refusal"] for part in parts if part.get("type") == "refusal"]
    texts = [part["text"] for part in parts if part.get("type") == "output_text"]
    end = End.REFUSED if refusals else end
    text = "".join(refusals or texts) if parts else None
    return ServerAnswer(
        _text(text, end), end, _count(usage, "input_tokens"), _count(usage, "output_tokens")
    )


def _text(text: Any, end: End) -> str:
    if text is None and end != End.DONE:
        return ""  # cut off or filtered before the first word
    if not isinstance(text, str):
        raise UnreadableReply(marked("The answer has no text."))
    return text


def _count(usage: Json, name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and value >= 0 else None
