"""The file that a writer keeps when the server is gone: docs/interaction-log.md. Pure."""

import json
from typing import Any, NamedTuple

import msgspec

from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence

FORMAT, VERSION = "crowdwright-writing-backup", 1
MOST_BYTES = 100_000_000  # of a file; two days of writing without a server have less


class BadBackup(CodedError):
    """A file that cannot be read as a backup."""


class Chunk(NamedTuple):
    number: int
    events_json: bytes


class Backup(NamedTuple):
    """The text of the assignment with this token, and the chunks that the server had not."""

    token: str
    text: str
    chunks: list[Chunk]  # by number


class _Chunk(msgspec.Struct):
    number: int
    events: list[Any]


class _BackupFile(msgspec.Struct):
    token: str
    text: str
    chunks: list[_Chunk]


def read(data: bytes) -> Backup:
    """Parse a backup file; its events are checked later. Raises BadBackup."""
    if len(data) > MOST_BYTES:
        raise BadBackup(
            "too_large",
            Sentence("This file is larger than {megabytes} MB.", megabytes=MOST_BYTES // 1_000_000),
        )
    try:
        # Not by msgspec: a text may have half a surrogate pair in it.
        content = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadBackup(
            "json",
            Sentence("This file is incomplete or not JSON. Ask the writer to send it again."),
        ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadBackup("not_backup", Sentence("This file isn't a backup of a participant's text."))
    if content.get("version") != VERSION or isinstance(content["version"], bool):
        raise BadBackup(
            "version",
            Sentence("Unsupported backup version. Use version {version}.", version=VERSION),
        )
    try:
        file = msgspec.convert(content, _BackupFile)
        chunks = [Chunk(chunk.number, _as_json(chunk.events)) for chunk in file.chunks]
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadBackup(
            "damaged", Sentence("This backup is damaged: {error}.", error=error)
        ) from error
    return Backup(file.token, file.text, sorted(chunks))


def _no_number(name: str) -> float:
    raise ValueError(f"{name} isn't a number")


def _as_json(events: list[Any]) -> bytes:
    return json.dumps(events, separators=(",", ":")).encode()
