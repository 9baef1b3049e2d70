"""Rules for rows of a corpus file, and the reasons for refusing a rank or a text."""

import math
from enum import StrEnum
from typing import ClassVar, NamedTuple, Self

import msgspec
from django.utils.translation import gettext

from annotation.models import Origin, Style
from annotation.texts.citation_marks import Form, marks_of
from annotation.texts.conversations import Speaker

MOST_TURNS = 1_000  # of a conversation
MOST_CHARACTERS = 1_000_000  # of one text
LARGEST_RANK = 2_147_483_647  # what a PositiveIntegerField holds


class CountedFrom(StrEnum):
    """The rank of the first passage."""

    ZERO = "0"
    ONE = "1"


class CitationsFrom(StrEnum):
    """The number by which a text cites the first passage, or another convention."""

    ZERO = "0"
    ONE = "1"
    IDS = "ids"  # numbers are ids of passages
    EDITOR = "editor"  # as our editor writes: each bracket of whole numbers, from 0


class Limit(NamedTuple):
    """Maximum length of a text, and whether it may be blank."""

    characters: int = MOST_CHARACTERS
    blank: bool = False


class CorpusRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a line. An optional field may be missing, null or empty: all mean nothing."""

    limits: ClassVar[dict[str, Limit]] = {}

    def weigh(self) -> int:
        """Return how many characters the row holds."""
        return sum(len(getattr(self, name) or "") for name in self.limits)

    def answered(self) -> tuple[str, str] | None:
        """Return the field and the text of an answer, which may be empty: systems abstain."""
        return None

    def mapped(self, field: str, key: str) -> Self:
        """Return the row with the key of another topic or system in a field."""
        return msgspec.structs.replace(self, **{field: key})

    def fault(self) -> tuple[str, str] | None:
        """Return the first field outside its limits and the reason."""
        for name, limit in self.limits.items():
            reason = text_fault(getattr(self, name), limit)
            if reason:
                return name, reason
        return None


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn of a conversation."""

    role: Speaker
    content: str


class TopicRow(CorpusRow, frozen=True):
    topic: str
    query: str
    description: str | None = None
    messages: list[Turn] | None = None  # a conversation; its last turn is the query
    limits = {"topic": Limit(200), "query": Limit(), "description": Limit(blank=True)}

    def fault(self) -> tuple[str, str] | None:
        return super().fault() or _messages_fault(self.messages, Turn(Speaker.USER, self.query))

    @property
    def turns(self) -> list[dict[str, str]] | None:
        """The turns before the query, as they are stored."""
        return _before_last(self.messages)

    def weigh(self) -> int:
        return super().weigh() + _weight(self.messages)


class PassageRow(CorpusRow, frozen=True):
    topic: str  # its id, or its question
    passage: str
    text: str
    rank: int | None = None  # in the pool; without one it comes behind the others
    ranks_from: CountedFrom | None = None
    title: str | None = None
    limits = {
        "topic": Limit(),
        "passage": Limit(300),
        "text": Limit(),
        "title": Limit(blank=True),
    }

    def fault(self) -> tuple[str, str] | None:
        return rank_fault(self.rank, self.ranks_from) or super().fault()


class SystemRow(CorpusRow, frozen=True):
    """A system may state the origin of its responses, for responses that do not."""

    system: str
    name: str
    origin: Origin | None = None
    limits = {"system": Limit(200), "name": Limit(300)}


class RankingRow(CorpusRow, frozen=True):
    """A passage in the ranking of a system; a system that is not there yet is made."""

    system: str
    topic: str
    passage: str
    rank: int
    score: float | None = None
    ranks_from: CountedFrom | None = None
    limits = {"system": Limit(200), "topic": Limit(200), "passage": Limit(300)}

    def fault(self) -> tuple[str, str] | None:
        if self.score is not None and not math.isfinite(self.score):
            return "score", gettext("must be a number, not {score}").format(score=self.score)
        return rank_fault(self.rank, self.ranks_from) or super().fault()


class ResponseRow(CorpusRow, frozen=True):
    """A text about a topic; one that states no style is free."""

    response: str
    topic: str  # its id, or its question
    text: str
    style: Style | None = None
    origin: Origin | None = None
    system: str | None = None
    citations_from: CitationsFrom | None = None
    # Of an empty text: true if the system gave no answer, false if the text was withdrawn.
    is_empty: bool | None = None
    marks: list[list[int]] | None = None  # as our exports have them: texts.citations.Marks
    messages: list[Turn] | None = None  # the whole conversation; its last turn is the text
    limits = {
        "response": Limit(200),
        "topic": Limit(),
        "text": Limit(blank=True),
        "system": Limit(200, blank=True),
    }

    def answered(self) -> tuple[str, str]:
        return "text", self.text

    @property
    def lacks_answer(self) -> bool:
        """Return whether the system gave no answer."""
        return not self.text.strip()

    def fault(self) -> tuple[str, str] | None:
        return (
            super().fault()
            or counting_fault("text", self.text, self.citations_from)
            or _marks_fault(self.marks, len(self.text))
            or _messages_fault(self.messages, Turn(Speaker.ASSISTANT, self.text))
            or _empty_fault(self.is_empty, self.text)
        )

    @property
    def turns(self) -> list[dict[str, str]] | None:
        """The turns before the text, as they are stored."""
        return _before_last(self.messages)

    def weigh(self) -> int:
        return super().weigh() + _weight(self.messages)


def _before_last(messages: list[Turn] | None) -> list[dict[str, str]] | None:
    if messages is None:
        return None
    return [{"role": turn.role.value, "content": turn.content} for turn in messages[:-1]]


def _weight(messages: list[Turn] | None) -> int:
    return sum(len(turn.content) for turn in messages or ())


def counting_fault(field: str, text: str, first: CitationsFrom | None) -> tuple[str, str] | None:
    """Return the field and why its citations cannot count from 1, or nothing."""
    if first is CitationsFrom.ONE and any(
        0 in mark.numbers
        for mark in marks_of(text)
        if mark.form is Form.BRACKET and not mark.refused
    ):
        return field, gettext("cites [0], but citations count from 1")
    return None


def _empty_fault(is_empty: bool | None, text: str) -> tuple[str, str] | None:
    if is_empty and text.strip():
        return "is_empty", gettext("is true, although the row has a text")
    return None


def _marks_fault(marks: list[list[int]] | None, length: int) -> tuple[str, str] | None:
    """Return why the marks of a text of this length cannot be, or nothing."""
    last = 0
    for mark in marks or ():
        if len(mark) < 3 or not last <= mark[0] < mark[1] <= length or min(mark[2:]) < 0:
            return "marks", gettext("must be sorted lists of start, end and passages")
        last = mark[1]
    return None


def _messages_fault(messages: list[Turn] | None, last: Turn) -> tuple[str, str] | None:
    """Return why a conversation cannot be one that ends with this turn, or nothing."""
    if messages is None:
        return None
    if not messages or messages[-1] != last:
        if last.role is Speaker.USER:
            return "messages", gettext("must end with the query as a user turn")
        return "messages", gettext("must end with the text as an assistant turn")
    if len(messages) > MOST_TURNS:
        return "messages", gettext("has {count:,} turns. The limit is {most:,}").format(
            count=len(messages), most=MOST_TURNS
        )
    whole = "".join(turn.content for turn in messages)
    reason = text_fault(whole, Limit())
    return ("messages", reason) if reason else None


def a_rank() -> str:
    return gettext("a whole number from 1 to {most:,}").format(most=LARGEST_RANK)


def rank_fault(rank: int | None, first: CountedFrom | None) -> tuple[str, str] | None:
    """Return the field and reason why a rank is invalid, or two empty texts.

    A rank of 0 without a declared start is left to the writer, who sees the whole list.
    """
    if rank is None or int(first or 0) <= rank <= LARGEST_RANK - (first is CountedFrom.ZERO):
        return None
    if rank == 0:
        return "rank", gettext("is 0, but ranks count from 1")
    return "rank", gettext("must be {expected}, not {value}").format(expected=a_rank(), value=rank)


def text_fault(text: str | None, limit: Limit) -> str:
    """Return why a text cannot be taken, or nothing."""
    text = text or ""
    if not limit.blank and not text.strip():
        return gettext("is empty")
    if len(text) > limit.characters:
        return gettext("has {text:,} characters. The limit is {characters:,}").format(
            text=len(text), characters=limit.characters
        )
    if (position := text.find("\0")) >= 0:
        return gettext("contains a NUL character after {position:,} characters").format(
            position=position
        )
    return ""
