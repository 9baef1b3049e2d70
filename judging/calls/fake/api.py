"""Addresses of the fake server: both protocols, and /fake/ to inspect and steer it."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judging.calls.fake import judges
from judging.calls.fake.judges import JUDGES, TextQualities
from judging.calls.fake.ledger import Charge, ChargeLedger, Json, hash_of
from judging.calls.fake.troubles import UNDONE, Trouble, TroubleKind, Troubles

CHAT, RESPONSES, MODELS = "/v1/chat/completions", "/v1/responses", "/v1/models"
SAYINGS = {
    TroubleKind.PROSE: "Both texts have their merits, and much depends on what the reader wants.",
    TroubleKind.FOREIGN: "Der linke Text ist besser, weil er die Frage beantwortet.",
    TroubleKind.REFUSAL: "I am sorry, I cannot judge these texts.",
}
THIRD = "text C"


class FakeRefusal(Exception):
    """A refusal with a status from 400 on."""

    def __init__(self, status: int, message: str, *, code: str = "") -> None:
        self.status, self.message, self.code = status, message, code
        super().__init__(message)


@dataclass
class Request:
    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)  # names in small letters
    body: bytes = b""


@dataclass
class FakeReply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    trouble: Trouble | None = None  # one that concerns how it travels


@dataclass
class Rate:
    """Limit of calls a minute; 0 for none."""

    per_minute: int = 0
    left: float = 0
    at: float = 0

    def take(self, now: float) -> bool:
        most = max(1.0, self.per_minute / 60)  # those of a second may come together
        self.left = min(most, self.left + (now - self.at) * self.per_minute / 60)
        self.at = now
        self.left -= (free := self.left >= 1)
        return free or not self.per_minute

    def headers(self) -> dict[str, str]:
        if not self.per_minute:
            return {}
        missing = max(0.0, 1 - self.left) * 60 / self.per_minute
        return {
            "x-ratelimit-limit-requests": str(self.per_minute),
            "x-ratelimit-remaining-requests": str(int(self.left)),
            "x-ratelimit-reset-requests": f"{missing * 1000:.0f}ms",
        }


class Api:
    """`key` is the expected `Authorization`; '' admits everybody."""

    def __init__(self, *, key: str = "", ledger: Path | None = None, per_minute: int = 0) -> None:
        self.key, self.rate = key, Rate(per_minute)
        self.known, self.troubles, self.ledger = TextQualities(), Troubles(), ChargeLedger(ledger)

    def answer(self, request: Request) -> FakeReply:
        try:
            if request.path.startswith("/fake/"):
                return _json(self._steered(request))
            return self._of_api(request)
        except FakeRefusal as no:
            error = {"message": no.message, "type": "invalid_request_error", "code": no.code}
            return _json({"error": error}, no.status)

    def _steered(self, request: Request) -> Json:
        content = _read(request.body) if request.method == "POST" else {}
        if request.path == "/fake/troubles":
            self.troubles.waiting.append(
                Trouble(**content | {"kind": TroubleKind(content["kind"])})
            )
        elif request.path == "/fake/texts":
            self.known.learn(content)
        elif request.path != "/fake/counts":
            raise FakeRefusal(404, "Not found.")
        return self.ledger.counts()

    def _of_api(self, request: Request) -> FakeReply:
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            key = request.headers.get("authorization", "").removeprefix("Bearer ")
            raise FakeRefusal(401, f"Incorrect API key provided: {key}.", code="invalid_api_key")
        if request.path == MODELS and request.method == "GET":
            return _json({"object": "list", "data": [{"id": name} for name in JUDGES]})
        if request.path not in (CHAT, RESPONSES) or request.method != "POST":
            return FakeReply(404, PAGE, {"Content-Type": "text/html"})
        self.ledger.asked += 1
        if not self.rate.take(time.monotonic()):
            return _busy({"Retry-After": "1"} | self.rate.headers())
        content = _read(request.body)
        judge, trouble = self._who(str(content.get("model")))
        if trouble is not None and trouble.kind in UNDONE:
            return _undone(trouble)
        charge = self._charged(request, content, judge, trouble)
        return _sent(_json(charge.content, headers=self.rate.headers()), trouble)

    def _who(self, model: str) -> tuple[str, Trouble | None]:
        """Return the judge and its trouble: "good-html" is a model that always has it."""
        judge, _, wrong = model.partition("-")
        if judge not in JUDGES or wrong not in ["", *TroubleKind]:
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise FakeRefusal(404, message, code="model_not_found")
        return judge, Trouble(TroubleKind(wrong)) if wrong else self.troubles.take()

    def _charged(
        self, request: Request, content: Json, judge: str, trouble: Trouble | None
    ) -> Charge:
        once, body_hash = request.headers.get("idempotency-key", ""), hash_of(request.body)
        earlier = self.ledger.known(once)
        if earlier is not None:
            if earlier.request != body_hash:
                raise FakeRefusal(400, "This Idempotency-Key was given with another request.")
            return earlier
        chat = request.path == CHAT
        prompt = _prompt(content, chat)
        schema = _schema(content, chat)
        given_answers = judges.answers(judge, prompt=prompt, schema=schema, known=self.known)
        if trouble is not None and trouble.kind == TroubleKind.THIRD:
            third = {judges.CODES: [THIRD]}  # a list, as one is wanted
            given_answers = {name: third.get(name, THIRD) for name in given_answers}
        text = judges.written(given_answers, prompt=prompt, schema=schema)
        if trouble is not None:
            text = SAYINGS.get(trouble.kind, text)
        tokens = len(prompt) // 4 + 1, len(text) // 4 + 1
        kind = trouble.kind if trouble else None
        made = _chat(text, kind, *tokens) if chat else _response(text, kind, *tokens)
        charge = Charge(once, body_hash, made | {"model": content["model"]}, *tokens)
        self.ledger.charge(charge)
        return charge


# -- What is said, in both protocols -------------------------------------------------------------
def _chat(text: str, kind: TroubleKind | None, tokens_in: int, tokens_out: int) -> Json:
    message: Json = {"role": "assistant", "content": text}
    if kind == TroubleKind.REFUSAL:
        message |= {"content": None, "refusal": text}
    cut = kind == TroubleKind.LENGTH
    if cut:
        message["content"] = text[: len(text) // 2]
    choice = {"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}
    total = tokens_in + tokens_out
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": total}
    made = {"id": "chatcmpl-1", "object": "chat.completion", "created": int(time.time())}
    return (
        made | {"choices": [choice]} | ({} if kind == TroubleKind.UNCOUNTED else {"usage": usage})
    )


def _response(text: str, kind: TroubleKind | None, tokens_in: int, tokens_out: int) -> Json:
    part: Json = {"type": "output_text", "text": text, "annotations": []}
    if kind == TroubleKind.REFUSAL:
        part = {"type": "refusal", "refusal": text}
    cut = kind == TroubleKind.LENGTH
    if cut:
        part["text"] = text[: len(text) // 2]
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
    total = tokens_in + tokens_out
    usage = {
        "input_tokens": tokens_in,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": total,
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": int(time.time()),
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [item | {"content": [part]}],
        **({} if kind == TroubleKind.UNCOUNTED else {"usage": usage}),
    }


def _prompt(content: Json, chat: bool) -> str:
    messages = content.get("messages" if chat else "input")
    if isinstance(messages, str) and not chat:
        messages = [{"content": content.get("instructions") or ""}, {"content": messages}]
    if not isinstance(messages, list) or not messages:
        raise FakeRefusal(400, "Messages are missing.")
    return "\n".join(str(message.get("content")) for message in messages)


def _schema(content: Json, chat: bool) -> Json | None:
    wanted_format = (
        content.get("response_format") if chat else (content.get("text") or {}).get("format")
    )
    if not wanted_format or wanted_format.get("type") != "json_schema":
        return None
    schema: Json = wanted_format["json_schema"]["schema"] if chat else wanted_format["schema"]
    return schema


# -- How it comes --------------------------------------------------------------------------------
PAGE = b"<!doctype html><title>Not here</title><p>There is nothing here."


def _json(content: Json, status: int = 200, headers: Mapping[str, str] | None = None) -> FakeReply:
    return FakeReply(status, json.dumps(content).encode(), dict(headers or {}))


def _busy(headers: dict[str, str]) -> FakeReply:
    error = {"message": "Rate limit reached.", "code": "rate_limit_exceeded"}
    return _json({"error": error}, 429, headers)


def _undone(trouble: Trouble) -> FakeReply:
    if trouble.kind == TroubleKind.BUSY:
        reset = f"{trouble.after:g}s"
        return _busy({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": reset})
    if trouble.kind == TroubleKind.AWAY:
        return _json({"error": {"message": "Not now."}}, 503, {"Retry-After": f"{trouble.after:g}"})
    if trouble.kind == TroubleKind.ERROR:
        return _json({"error": {"message": "Something went wrong."}}, 500)
    return FakeReply(trouble=trouble)


def _sent(reply: FakeReply, trouble: Trouble | None) -> FakeReply:
    kind = trouble.kind if trouble else None
    if kind == TroubleKind.ERROR_AFTER:
        return _json({"error": {"message": "Something went wrong."}}, 500)
    if kind == TroubleKind.HTML:
        return FakeReply(200, PAGE, {"Content-Type": "text/html"})
    if kind == TroubleKind.HALF:
        return FakeReply(200, reply.body[: len(reply.body) // 2])
    reply.trouble = trouble
    return reply


def _read(body: bytes) -> Json:
    try:
        content: Any = json.loads(body or b"{}")
    except ValueError as error:
        raise FakeRefusal(400, "We could not parse the JSON body of your request.") from error
    if not isinstance(content, dict):
        raise FakeRefusal(400, "An object is required.")
    return content
