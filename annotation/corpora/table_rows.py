"""One table of answers: a row has a question, who answered, the answer, and what that cites."""

import re
from typing import Any, NamedTuple

from django.utils.translation import gettext

from annotation.corpora.recognised_columns import proposed
from annotation.corpora.rows import (
    CitationsFrom,
    CorpusRow,
    CountedFrom,
    Limit,
    counting_fault,
    text_fault,
)
from annotation.corpora.written_lists import UnreadList, listed_in
from annotation.models import Origin, Style
from annotation.texts.translation import translated_error

PARTS = ("text", "passage", "title")  # of a cited passage; its address stands for what it lacks
PLACE = re.compile(r"[0-9]{1,3}")


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
        "answer": Limit(blank=True),
        "system": Limit(90, blank=True),
        "topic": Limit(100, blank=True),
        "response": Limit(200, blank=True),
    }

    def cited(self) -> list[Cited]:
        """Return the passages of the answer, in the order of its citation numbers."""
        passages = self.passages or []
        listed = listed_in(passages) if isinstance(passages, str) else passages
        return [_cited(passage) for passage in listed]

    def answered(self) -> tuple[str, str]:
        return "answer", self.answer

    def weigh(self) -> int:
        return len(self.question) + len(self.answer) + len(str(self.passages or ""))

    def fault(self) -> tuple[str, str] | None:
        if fault := super().fault() or counting_fault("answer", self.answer, self.citations_from):
            return fault
        try:
            cited = self.cited()
        except UnreadList as error:
            return "passages", translated_error(error)
        for number, passage in enumerate(cited, start=1):
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


class PassageTableRow(CorpusRow, frozen=True):
    """A passage of a question, with the answer to it in one of its rows or in all of them."""

    question: str
    text: str
    topic: str | None = None
    passage: str | None = None
    answer: str | None = None
    system: str | None = None
    rank: int | None = None
    title: str | None = None
    citations_from: CitationsFrom | None = None
    ranks_from: CountedFrom | None = None
    origin: Origin | None = None


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
