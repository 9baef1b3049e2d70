"""Both protocols say the same; headers of limits are read however they are written."""

from datetime import UTC, datetime

import pytest

from annotation.outgoing.durations import LONGEST, duration
from judging.calls import protocols
from judging.calls.limits import RateLimits, limits_of
from judging.calls.protocols import End, Protocol, ServerAnswer

NOW = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
ASKED = {
    "messages": [{"role": "user", "content": "Which?"}],
    "model": "judge-1",
    "temperature": 0,
    "max_tokens": 20,
    "seed": 7,
    "schema": {"type": "object"},
}


def test_a_question_is_written_as_each_protocol_wants_it():
    chat = protocols.body(Protocol.CHAT, **ASKED)
    assert chat["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert (chat["messages"], chat["max_tokens"], chat["seed"]) == (ASKED["messages"], 20, 7)
    newer = protocols.body(Protocol.RESPONSES, **ASKED)
    assert newer["text"]["format"]["schema"] == {"type": "object"}
    assert (newer["input"], newer["max_output_tokens"]) == (ASKED["messages"], 20)
    assert "seed" not in newer
    assert newer["store"] is False


def test_what_is_not_set_is_left_to_the_server():
    bare = protocols.body(Protocol.CHAT, messages=[], model="m", temperature=None, max_tokens=None)
    assert bare == {"model": "m", "messages": []}


def chat(message, reason="stop", **more):
    return {"choices": [{"message": message, "finish_reason": reason}], **more}


def response(*parts, **more):
    thoughts = {"type": "reasoning", "summary": []}
    return {"output": [thoughts, {"type": "message", "content": list(parts)}], **more}


TEXT = {"type": "output_text", "text": "A"}


@pytest.mark.parametrize(
    ("protocol", "content", "answered"),
    [
        (
            "chat",
            chat({"content": "A"}, usage={"prompt_tokens": 9, "completion_tokens": 1}),
            ServerAnswer("A", End.DONE, 9, 1),
        ),
        ("chat", chat({"content": [{"text": "A"}, {"text": "B"}]}), ("AB", End.DONE)),
        ("chat", chat({"content": "A"}, "length"), ("A", End.CUT)),
        ("chat", chat({"content": None}, "length"), ("", End.CUT)),
        ("chat", chat({"content": None, "refusal": "No."}), ("No.", End.REFUSED)),
        (
            "responses",
            response(TEXT, usage={"input_tokens": 9, "output_tokens": 1}),
            ServerAnswer("A", End.DONE, 9, 1),
        ),
        (
            "responses",
            response(TEXT, incomplete_details={"reason": "max_output_tokens"}),
            ("A", End.CUT),
        ),
        (
            "responses",
            response({"type": "refusal", "refusal": "No."}),
            ("No.", End.REFUSED),
        ),
    ],
)
def test_an_answer_is_read(protocol, content, answered):
    lines = protocols.read(Protocol(protocol), content)
    assert lines == (
        answered if isinstance(answered, ServerAnswer) else ServerAnswer(*answered, None, None)
    )


@pytest.mark.parametrize("protocol", Protocol)
@pytest.mark.parametrize(
    "content",
    [None, [], "A", {}, {"choices": []}, {"output": [7]}, chat({}), chat(None), response()],
)
def test_json_that_is_no_answer_is_unreadable(protocol, content):
    with pytest.raises(protocols.UnreadableReply):
        protocols.read(protocol, content)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7), ("0.25", 0.25), ("6m0s", 360), ("0h2m3.5s", 123.5), ("20ms", 0.02),
        ("Sun, 22 Nov 2026 12:00:30 GMT", 30), ("2026-11-22T12:01:00Z", 60),
        ("Sun, 22 Nov 2026 11:00:00 GMT", 0), ("99999999", LONGEST), ("2d", LONGEST),
        ("", None), ("soon", None), ("-3", None), ("nan", None), ("٣", None),
    ],
)  # fmt: skip
def test_durations_are_read_as_servers_write_them(said, seconds):
    assert duration(said, now=NOW) == seconds


def test_what_has_run_out_says_how_long_to_wait():
    headers = {
        "X-RateLimit-Remaining-Requests": "0",
        "X-RateLimit-Reset-Requests": "2s",
        "X-RateLimit-Remaining-Tokens": "900",
        "X-RateLimit-Reset-Tokens": "1m",
    }
    limits = limits_of(headers, now=NOW)
    assert limits == RateLimits(0, 900, 2, 60)
    assert limits.pause == 2
    assert limits_of(headers | {"Retry-After": "5"}, now=NOW).pause == 5
    assert limits_of({"retry-after-ms": "1500", "Retry-After": "9"}, now=NOW).pause == 1.5
    assert limits_of({}, now=NOW).pause == 0
