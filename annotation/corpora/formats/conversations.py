"""Conversations as lists of turns: OpenAI, ShareGPT and FastChat, LMSYS and MT-bench, TRL. Pure.

A row has one conversation, or one for each of its systems (`conversation_a`, `chosen`), or one
that ends with the user and the answers to it. The last turn of the assistant is the response; the
first turn of the user is the query of the topic. Where no row has an answer, each is a topic: its
query is the last turn, which the user wrote.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, islice
from typing import Any

from annotation.corpora.formats import votes
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    ForeignLabel,
    FormatRow,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.recognised_columns import ANSWERS
from annotation.corpora.row_kinds import RowKind
from annotation.corpora.written_lists import UnreadList, listed_in
from annotation.texts.conversations import (
    RawTurn,
    Speaker,
    UnreadTurn,
    is_conversation,
    messages_of,
)
from annotation.texts.sentences import Sentence, marked

TOPIC_IDS = (
    *(
        "topic",
        "topic_id",
        "question_id",
        "task_id",
        "conversation_id",
        "prompt_id",
        "qid",
        "query_id",
        "id",
    ),
    *("conversation_hash", "dialogue_id", "dialog_id", "uid", "uuid", "idx"),
)
SYSTEMS = ("model", "model_id", "model_name", "generator", "agent", "engine", "run_id", "system")
MOST_WORDS = 5  # of the name of a system: more are the prompt that it was given
RESPONSE_IDS = ("response_id", "answer_id")
WRITTEN = re.compile(r"\s*(?:np\.)?(?:array\()?\[\s*\{")
OF_PAIR = re.compile(r"[_-]?(a|b|1|2|left|right)")
MAX_KEY = 200  # characters
OURS = ({"response", "topic", "text"}, {"topic", "query", "messages"})  # of our own files
LOOKED_AT = 50  # rows: if none of them has an answer, all are topics


@dataclass(frozen=True)
class Conversation:
    """The turns in a row that lead to a response; `column` is the one with its last turn."""

    column: str
    messages: tuple[RawTurn, ...]
    turn: int | None = None  # the judged one, if that is not the last

    @property
    def contents(self) -> list[str]:
        return [turn.content for turn in self.messages]

    @property
    def user_turns(self) -> list[str]:
        return [turn.content for turn in self.messages if turn.role is Speaker.USER]


def _signature(sample: FileSample) -> Signature | None:
    """Return how certain it is that most rows have a list of turns."""
    rows = sample.objects()
    if any(set(sample.names) >= names for names in OURS) or not rows:
        return None
    columns: dict[str, int] = {}
    for row in rows:
        for name in _lists(row):
            columns[name] = columns.get(name, 0) + 1
    if not columns or max(columns.values()) * 2 < len(rows):
        return None
    listed = ", ".join(f"“{name[:60]}”" for name in list(columns)[:4])
    return Signature(1, (Sentence("lists of turns with roles: {columns}", columns=listed),))


def _read(rows: Iterable[SourceRow]) -> Iterator[Read]:
    """Yield topics and systems, each once, the responses, and the votes on two of them."""
    first: dict[str, tuple[int, str]] = {}  # topic -> where it is given first, its query
    systems: set[str] = set()
    rest = iter(rows)
    beginning = list(islice(rest, LOOKED_AT))
    if _are_topics(beginning):
        yield from _read_topics(chain(beginning, rest))
        return
    for source in chain(beginning, rest):
        try:
            conversations = _conversations(source.values)
        except UnreadTurn as error:
            yield FaultyRow(source, FormatFault("messages", error.args[0]))
            continue
        kept: list[dict[str, Any]] = []  # responses of the row
        for conversation in conversations:
            if fault := _fault(conversation):
                yield FaultyRow(source, fault)
                continue
            values = _response(source.values, conversation, of_several=len(conversations) > 1)
            topic, query = values["topic"], conversation.user_turns[0]
            line, first_query = first.setdefault(topic, (source.line, query))
            if first_query != query:
                sentence = Sentence(
                    "{topic!r} starts differently in line {line}", topic=topic, line=line
                )
                yield FaultyRow(source, FormatFault("messages", sentence))
                continue
            if line == source.line and conversation is conversations[0]:
                yield FormatRow(source, RowKind.TOPICS, {"topic": topic, "query": query})
            if (system := values.get("system")) and system not in systems:
                systems.add(system)
                yield FormatRow(source, RowKind.SYSTEMS, {"system": system, "name": system})
            yield FormatRow(source, RowKind.RESPONSES, values)
            kept.append(values)
        yield from _voted(source, conversations, kept)


def _voted(
    source: SourceRow, conversations: Sequence[Conversation], responses: Sequence[dict[str, Any]]
) -> Iterator[Read]:
    """Yield the vote on two conversations."""
    if len(responses) != 2 or len(conversations) != 2:
        return
    keys = [values["response"] for values in responses]
    is_preference = [one.column for one in conversations] == list(votes.PREFERRED)
    label = votes.label_of(source.values, responses[0]["topic"], keys, is_preference=is_preference)
    if label and keys[0] == keys[1]:
        yield LeftOutCounts(source, {votes.SAME: 1})
    elif label.get("value") in votes.BROKEN:
        yield LeftOutCounts(source, {votes.UNREAD: 1})
    elif label:
        yield ForeignLabel(source, label)


def _are_topics(rows: Iterable[SourceRow]) -> bool:
    """Return whether conversations end with the user, and none of them is answered."""
    ends = []
    for source in rows:
        with suppress(UnreadTurn):
            ends += [one.messages[-1].role for one in _conversations(source.values)]
    return Speaker.USER in ends and Speaker.ASSISTANT not in ends


def _read_topics(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    for source in rows:
        try:
            (conversation,) = _conversations(source.values)
        except UnreadTurn as error:
            yield FaultyRow(source, FormatFault("messages", error.args[0]))
            continue
        except ValueError:
            sentence = Sentence("has several conversations")
            yield FaultyRow(source, FormatFault("messages", sentence))
            continue
        if conversation.messages[-1].role is not Speaker.USER:
            sentence = Sentence("must end with a user turn, the query")
            yield FaultyRow(source, FormatFault(conversation.column, sentence))
            continue
        values: dict[str, Any] = {
            "topic": _first(source.values, TOPIC_IDS) or _digest(conversation.contents),
            "query": conversation.messages[-1].content,
        }
        if len(conversation.messages) > 1:
            values["messages"] = [turn._asdict() for turn in conversation.messages]
        yield FormatRow(source, RowKind.TOPICS, values)


def _fault(conversation: Conversation) -> FormatFault | None:
    if not conversation.user_turns:
        return FormatFault(conversation.column, Sentence("has no user turn"))
    if conversation.messages[-1].role is not Speaker.ASSISTANT:
        return FormatFault(
            conversation.column, Sentence("must end with an assistant turn, the text to judge")
        )
    return None


def _conversations(row: Any) -> list[Conversation]:
    """Return the conversations of a row. Raises UnreadTurn."""
    lists = _lists(row) if isinstance(row, dict) else {}
    if not lists:
        raise UnreadTurn("none", Sentence("needs a list of turns with role and content"))
    messages = {name: tuple(messages_of(turns)) for name, turns in lists.items()}
    context: tuple[RawTurn, ...] = ()
    answers = {}
    for name, turns in messages.items():
        if turns[-1].role is Speaker.ASSISTANT:
            answers[name] = turns
        else:
            context = context or turns
    if not answers and (text := next(_texts(row, lists), None)):
        answers[text[0]] = (RawTurn(Speaker.ASSISTANT, text[1]),)
    if not answers:
        return [Conversation(next(iter(messages)), context)]
    prompt = _system_prompt(row)
    wholes = {
        name: turns if _asks(turns) else (*context, *turns) for name, turns in answers.items()
    }
    return [
        _until(row, Conversation(name, turns if _is_told(turns) else (*prompt, *turns)))
        for name, turns in wholes.items()
    ]


def _asks(turns: Sequence[RawTurn]) -> bool:
    return any(turn.role is Speaker.USER for turn in turns)


def _is_told(turns: Sequence[RawTurn]) -> bool:
    return any(turn.role is Speaker.SYSTEM for turn in turns)


def _system_prompt(row: Mapping[str, Any]) -> tuple[RawTurn, ...]:
    """Return the prompt of the system that stands beside a list of turns, as ShareGPT has it."""
    value = row.get("system")
    if isinstance(value, str) and len(value.split()) > MOST_WORDS:
        return (RawTurn(Speaker.SYSTEM, value),)
    return ()


def _until(row: Mapping[str, Any], conversation: Conversation) -> Conversation:
    """Return the conversation up to the judged turn, which MT-bench counts in `turn`."""
    places = [n for n, turn in enumerate(conversation.messages) if turn.role is Speaker.ASSISTANT]
    turn = str(row.get("turn") or "").removesuffix(".0")
    if not turn.isdecimal() or not 0 < int(turn[:6]) < len(places):
        return conversation
    end = places[int(turn) - 1] + 1
    return Conversation(conversation.column, conversation.messages[:end], turn=int(turn))


def _lists(row: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the lists of turns in a row, by column."""
    return {name: turns for name, value in row.items() if is_conversation(turns := _listed(value))}


def _listed(value: Any) -> Any:
    """Return a list of turns: one that is written in a cell, or a turn alone, too."""
    if isinstance(value, dict):
        return [value]
    if isinstance(value, str) and WRITTEN.match(value):
        try:
            return listed_in(value)
        except UnreadList:
            return None
    return value


def _texts(row: Mapping[str, Any], lists: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("answer", "text", *ANSWERS):
        if name not in lists and isinstance(value := row.get(name), str) and value.strip():
            yield name, value


# -- Keys ----------------------------------------------------------------------------------------
def _response(
    row: Mapping[str, Any], conversation: Conversation, *, of_several: bool
) -> dict[str, Any]:
    """Return the row of ours for a conversation."""
    topic = _first(row, TOPIC_IDS) or _digest(conversation.user_turns)
    if conversation.turn is not None:
        topic = turn_key(topic, conversation.turn)
    system = _system(row, conversation.column, of_several=of_several)
    key = "" if of_several else _first(row, RESPONSE_IDS)
    if not key:
        key = _key(topic, system or _digest(conversation.contents))
    values = {
        "response": key,
        "topic": topic,
        "text": conversation.messages[-1].content,
        "messages": [turn._asdict() for turn in conversation.messages],
    }
    return values | {"system": system} if system else values


def _system(row: Mapping[str, Any], column: str, *, of_several: bool) -> str:
    if not of_several:
        return _first(row, SYSTEMS[:-1] if _system_prompt(row) else SYSTEMS)
    match = re.search(f"{OF_PAIR.pattern}$", column)
    suffixed = [name + match[0] for name in SYSTEMS] if match else []
    return _first(row, suffixed) or column[:MAX_KEY]


def _first(row: Mapping[str, Any], names: Iterable[str]) -> str:
    values = (row.get(name) for name in names)
    texts = (
        str(value).strip()
        for value in values
        if isinstance(value, str | int) and not isinstance(value, bool)
    )
    return next(filter(None, texts), "")


def turn_key(topic: str, turn: int | str) -> str:
    """Return the key of the topic of an earlier turn of a conversation."""
    return _key(topic, f"turn-{turn}")


def _key(*parts: str) -> str:
    key = "/".join(parts)
    return key if len(key) <= MAX_KEY else _digest(parts)


def _digest(texts: Iterable[str]) -> str:
    return blake2b("\0".join(texts).encode(), digest_size=8).hexdigest()


CONVERSATIONS = FileFormat(
    name="conversations",
    title=marked("conversations (lists of turns)"),
    signature=_signature,
    brings=(RowKind.TOPICS, RowKind.SYSTEMS, RowKind.RESPONSES),
    reader=_read,
    labels=True,
)
