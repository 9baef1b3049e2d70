"""Conversations on a page: earlier turns above the judged one, long histories folded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from annotation.corpora.shown_texts import ShownTexts
from annotation.models import Response, Topic
from annotation.texts.conversations import LABELS, RawTurn, Speaker

MOST_OPEN = 4  # earlier turns that are shown unfolded
LAST_OPEN = 2  # of more turns than that: the last ones


@dataclass(frozen=True)
class TurnView:
    """A turn as its page shows texts; two are equal if their contents are."""

    number: int
    role: str
    label: str
    content: str
    html: SafeString = field(compare=False)


@dataclass(frozen=True)
class Thread:
    """The turns before a judged one: `folded` ones come first."""

    folded: Sequence[TurnView]
    open: Sequence[TurnView]

    @property
    def is_single(self) -> bool:
        return len(self.folded) + len(self.open) == 1


def turns_of_topic(topic: Topic) -> list[RawTurn]:
    """Return the conversation that ends with the query of a topic."""
    return [*_messages(topic.turns), RawTurn(Speaker.USER, topic.query)]


def turns_before(response: Response, topic: Topic) -> list[RawTurn]:
    """Return the conversation that ends before a response."""
    return _messages(response.turns) or turns_of_topic(topic)


def turn_views(turns: Sequence[RawTurn], texts: ShownTexts, *, name: str) -> list[TurnView]:
    """Return turns as a page shows them; `name` is that of the conversation on the page."""
    return [
        TurnView(
            number,
            turn.role.value,
            gettext(LABELS[turn.role]),
            turn.content,
            texts.html(turn.content, name=f"{name}-{number}"),
        )
        for number, turn in enumerate(turns, start=1)
    ]


def thread_of(turns: Sequence[TurnView], *, is_judged: bool = False) -> Thread:
    """Return a thread; one that is judged as a whole has nothing folded."""
    if is_judged or len(turns) <= MOST_OPEN:
        return Thread((), turns)
    return Thread(turns[:-LAST_OPEN], turns[-LAST_OPEN:])


def _messages(turns: Sequence[Any] | None) -> list[RawTurn]:
    return [RawTurn(Speaker(turn["role"]), turn["content"]) for turn in turns or ()]


def topic_context(topic: Topic, texts: ShownTexts) -> dict[str, Any]:
    """Return the heading of a topic and the thread that ends with its query, if it needs one."""
    heading = texts.heading(topic.query)
    turns = turn_views(turns_of_topic(topic), texts, name="topic")
    has_thread = bool(topic.turns) or not heading.is_whole
    return {"heading": heading, "thread": thread_of(turns) if has_thread else None}


def response_context(response: Response, texts: ShownTexts) -> dict[str, Any]:
    """Return the heading of a response and the thread that it answers, if it needs one."""
    topic = response.topic
    before = turns_before(response, topic)
    heading = texts.heading(topic.query)
    has_thread = len(before) > 1 or not heading.is_whole or before != turns_of_topic(topic)
    turns = turn_views(before, texts, name="before")
    return {"heading": heading, "texts": texts, "thread": thread_of(turns) if has_thread else None}
