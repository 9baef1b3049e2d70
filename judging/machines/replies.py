"""Replies of judges, read strictly: the last line, or nothing.

The last line is a JSON object with an answer to every question; or, for a single question, the
letter, label, code or number alone, also as `[[A]]`. Structured answers are one JSON object.
Pure: no Django.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.calls.replies import UnreadableAnswer, object_or_line
from judging.machines.fields import AnswerChoice, AnswerField

SHOWN = 60  # characters of an answer that a sentence repeats
REASON = 2000  # characters that are kept
LETTER = re.compile(r"(?:text\s+)?[a-z]|[a-z]?\d{1,3}", re.IGNORECASE)


@dataclass(frozen=True)
class ParsedReply:
    """Codes or numbers by field (None: left out), and reasons."""

    codes: dict[str, str | None]
    reasons: dict[str, str] = field(default_factory=dict)


def read(text: str, fields: Sequence[AnswerField], *, structured: bool) -> ParsedReply:
    """Return the codes of a reply. Raises UnreadableAnswer."""
    content, last_line = object_or_line(text, structured=structured)
    if content is not None:
        return _of_object(content, fields)
    if len(fields) != 1:
        raise UnreadableAnswer(
            "unparsed", f"The last line isn't a JSON object: “{_short(last_line)}”."
        )
    bare = re.fullmatch(r"\[\[(.+?)\]\]", last_line)
    return ParsedReply({fields[0].key: _code(bare[1] if bare else last_line, fields[0])})


def _of_object(found: dict[str, Any], fields: Sequence[AnswerField]) -> ParsedReply:
    codes: dict[str, str | None] = {}
    reasons = {}
    for answer_field in fields:
        value = found.get(answer_field.name)
        if value is None or (answer_field.is_text and not str(value).strip()):
            if not answer_field.asked.may_be_left_out:
                raise UnreadableAnswer("unparsed", f"“{answer_field.name}” has no answer.")
            codes[answer_field.key] = None
            continue
        codes[answer_field.key] = _code(value, answer_field)
        if answer_field.reason and isinstance(found.get(answer_field.reason), str):
            reasons[answer_field.key] = (
                found[answer_field.reason].replace("\x00", "").strip()[:REASON]
            )
    return ParsedReply(codes, reasons)


def _code(value: Any, asked: AnswerField) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnreadableAnswer("unparsed", f"“{_short(value)}” isn't an option of “{asked.name}”.")
    answer = f"{value:.15g}" if isinstance(value, float) else str(value).strip()
    if not asked.choices:
        return answer  # a number or words: its scale looks at it
    if choice := _choice(answer.casefold(), asked.choices):
        return choice.code
    names_texts = any(choice.label.startswith("Text ") for choice in asked.choices)
    if names_texts and LETTER.fullmatch(answer):
        raise UnreadableAnswer("third text", f"“{_short(answer)}” names a text that was not shown.")
    raise UnreadableAnswer("unparsed", f"“{_short(answer)}” isn't an option of “{asked.name}”.")


def _choice(said: str, choices: Sequence[AnswerChoice]) -> AnswerChoice | None:
    """Return the choice with this token, or the only one with this name."""
    for choice in choices:
        if choice.token.casefold() == said:
            return choice
    named = [choice for choice in choices if said in choice.names]
    return named[0] if len(named) == 1 else None


def _short(value: Any) -> str:
    text = str(value).replace("\x00", "")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
