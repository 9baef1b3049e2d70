"""Containers of bank files: JSON Lines, one object, or a list, optionally gzipped. Pure."""

import gzip
import io
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from annotation.corpora.formats.faults import FormatFault
from annotation.texts.sentences import Sentence
from annotation.texts.untrusted import TooDeep, Unstorable, require_storable

MOST_BYTES = 20_000_000  # unpacked
MOST_FAULTS = 100


class Faults(ValueError):
    """Refusal of a file, with (line, fault) of its first bad rows and their total `count`."""

    def __init__(self, faults: list[tuple[int, FormatFault]], count: int = 0) -> None:
        super().__init__(faults[0][1].reason)
        self.faults, self.count = faults, count or len(faults)


class Rows(NamedTuple):
    """The rows of a file with their lines; `is_list` if the file is one JSON list."""

    rows: list[tuple[int, dict[str, Any]]]
    is_list: bool


def rows_of(content: bytes) -> Rows:
    """Return the rows of a file. Raises Faults."""
    text = unpacked(content)
    whole = _whole(text)
    parts = whole if isinstance(whole, list) else [whole]
    faults: list[tuple[int, FormatFault]] = []
    rows = []
    for number, row in _lines(text) if whole is None else enumerate(parts, start=1):
        fault = row if isinstance(row, FormatFault) else _fault_of(row)
        if fault is None:
            rows.append((number, row))
        else:
            faults.append((number, fault))
    if faults:
        raise Faults(faults[:MOST_FAULTS], len(faults))
    if not rows:
        raise Faults([(0, FormatFault("", Sentence("has no rows")))])
    return Rows(rows, isinstance(whole, list))


def written(rows: Iterable[dict[str, Any]], *, is_list: bool = False) -> bytes:
    """Return the rows as JSON Lines, or as a JSON list."""
    if is_list:
        return msgspec.json.encode(list(rows)) + b"\n"
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def unpacked(content: bytes) -> str:
    """Return the text of a file. Raises Faults."""
    if content[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
                content = stream.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise Faults([(0, FormatFault("", Sentence("is a damaged gzip file")))]) from error
    if len(content) > MOST_BYTES:
        reason = Sentence("is larger than {n} MB", n=MOST_BYTES // 1_000_000)
        raise Faults([(0, FormatFault("", reason))])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Faults([(0, FormatFault("", Sentence("is not UTF-8")))]) from error


def _whole(text: str) -> Any:
    """Return the value of a file with a single JSON value, or None for JSON Lines."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _lines(text: str) -> Iterable[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line)
            except RecursionError:
                yield number, FormatFault("", Sentence("is nested too deeply"))
            except msgspec.DecodeError:
                yield number, FormatFault("", Sentence("is not JSON"))


def _fault_of(row: Any) -> FormatFault | None:
    """Return the fault of a row that can't be stored."""
    if not isinstance(row, dict):
        return FormatFault("", Sentence("is not a JSON object"))
    try:
        require_storable(row)
    except TooDeep:
        return FormatFault("", Sentence("is nested too deeply"))
    except Unstorable:
        return FormatFault("", Sentence("has an invalid character"))
    return None
