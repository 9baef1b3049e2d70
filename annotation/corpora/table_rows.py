"""One table of answers: a row has a question, who answered, the answer, and what that cites."""

import ast
import re
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext

from annotation.corpora.recognised_columns import proposed
from annotation.corpora.rows import (
    MOST_CHARACTERS,
    CitationsFrom,
    CorpusRow,
    Limit,
    counting_fault,
    text_fault,
)
from annotation.models import Origin, Style

PARTS = ("text", "passage", "title")  # of a cited passage; its address stands for what it lacks
PLACE = re.compile(r"[0-9]{1,3}")
WRITTEN = re.compile(r"\[\s*(['\"{]|\])")  # a list of texts or objects
MARKER = re.compile(r"\s*(?:\[\d+\]|\(\d+\)|\d+[.):]|[-*•])\s+")  # of a list that was written down


class Cited(NamedTuple):
    """A passage that an answer came with."""

    text: str
    key: str = ""
    title: str = ""


class TableRow(CorpusRow, frozen=True):
    """An answer with its question. Without a topic or response of their own they get numbers."""

    question: str
    answer: str
    system: str | None = None
    topic: str | None = None
    response: str | None = None
    # A list of texts or of objects; in a cell as JSON, as Python wrote it, or one on each line.
    passages: str | list[str | dict[str, Any]] | None = None
    citations_from: CitationsFrom | None = None
    style: Style | None = None
    origin: Origin | None = None
    # Short enough that both together are a key of a response.
    limits = {
        "question": Limit(),
        "answer": Limit(),
        "system": Limit(90, blank=True),
        "topic": Limit(100, blank=True),
        "response": Limit(200, blank=True),
    }

    def cited(self) -> list[Cited]:
        """Return the passages of the answer, in the order of its citation numbers."""
        passages = self.passages or []
        return [
            _cited(passage)
            for passage in (listed_in(passages) if isinstance(passages, str) else passages)
        ]

    def weigh(self) -> int:
        return len(self.question) + len(self.answer) + len(str(self.passages or ""))

    def fault(self) -> tuple[str, str] | None:
        if fault := super().fault() or counting_fault("answer", self.answer, self.citations_from):
            return fault
        for number, passage in enumerate(self.cited(), start=1):
            for part, limit in (
                (passage.text, Limit()),
                (passage.key, Limit(300, blank=True)),
                (passage.title, Limit(blank=True)),
            ):
                if reason := text_fault(part, limit):
                    return "passages", gettext("passage {number} {reason}").format(
                        number=number, reason=reason
                    )
        return None


def listed_in(cell: str) -> list[str | dict[str, Any]]:
    """Return the passages that a cell holds."""
    cell = cell.strip()
    if WRITTEN.match(cell) and len(cell) <= MOST_CHARACTERS:
        for read in (msgspec.json.decode, ast.literal_eval):
            try:
                return msgspec.convert(read(cell), list[str | dict[str, Any]])
            # A TypeError where a list is a key of an object.
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue
    return [MARKER.sub("", line, count=1).strip() for line in cell.splitlines() if line.strip()]


def _cited(passage: str | dict[str, Any]) -> Cited:
    if isinstance(passage, str):
        return Cited(passage.strip())
    columns = proposed(passage, PARTS)
    text, key, title = (_word(passage.get(columns.get(part, ""))) for part in PARTS)
    if not text or PLACE.fullmatch(key):  # a passage that is called so, or its place in the list
        text, key = text or key, ""
    address = next(
        (_word(passage[name]) for name in ("url", "link", "href") if name in passage), ""
    )
    return Cited(text or title or address, key, title or address)


def _word(value: Any) -> str:
    return "" if value is None else str(value).strip()
