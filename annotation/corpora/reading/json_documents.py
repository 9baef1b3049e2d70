"""Rows of a JSON document: a list of objects, or what other programs wrap around one. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from annotation.corpora.reading.lines import BrokenFile
from annotation.corpora.reading.source_rows import SourceRow
from annotation.texts.json_faults import json_fault, place_of

WHITE = re.compile(r"\s*")
BEGINNING, BETWEEN = re.compile(r"\s*\[\s*(?=\{)"), re.compile(r"\s*,\s*(?=\{)")  # of a list
MIN_QUERIES = 3  # by their ids: of fewer the names may be those of fields
ORIENT_INDEX = 2  # columns at least, of a table that pandas wrote column by column


def rows(data: bytes) -> Iterator[SourceRow]:
    """Yield the elements of a list with their lines; or the one object. Raises BrokenFile."""
    try:
        if data.lstrip()[:1] == b"[":
            yield from _elements(data, msgspec.json.decode(data, type=list[msgspec.Raw]))
            return
        document = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        if (inner := _only_list(document)) is not None:
            yield from _elements(data, inner)
        elif (other_rows := _other_rows(document)) is not None:
            yield from other_rows
        else:
            yield SourceRow(1, 1, msgspec.json.decode(data))
    except (RecursionError, msgspec.DecodeError, UnicodeDecodeError) as error:
        if several := concatenated(data):
            yield from (SourceRow(1, row, one) for row, one in enumerate(several, start=1))
            return
        place = len(data) if (stopped := place_of(error)) is None else stopped
        yield from complete_rows(data)
        start = data.rfind(b"\n", 0, place) + 1  # the sentence counts within the line
        line = data.count(b"\n", 0, place) + 1
        raise BrokenFile(line, json_fault(error, data, start=start)) from error


def concatenated(data: bytes) -> list[dict[str, Any]]:
    """Return objects as Python and jq write them: NaN is empty, and no line is between them."""
    decoder, objects, place = json.JSONDecoder(parse_constant=lambda _: None), [], 0
    try:
        text = data.decode().strip()
        while place < len(text):
            value, end = decoder.raw_decode(text, place)
            objects.append(value)
            place = WHITE.match(text, end).end()  # type: ignore[union-attr]
        json.dumps(objects, ensure_ascii=False).encode()  # half a character is no text
    except (ValueError, RecursionError):
        return []
    if len(objects) == 1 and isinstance(objects[0], list):
        objects = objects[0]
    return objects if all(isinstance(one, dict) for one in objects) else []


def complete_rows(data: bytes) -> Iterator[SourceRow]:
    """Yield the objects of a list that stand before the first fault in it."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    text = data.decode(errors="surrogateescape")
    match = BEGINNING.match(text)
    place, line, row = match.end() if match else len(text), 1, 0
    line += text.count("\n", 0, place)
    while place < len(text):
        try:
            value, end = decoder.raw_decode(text, place)
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            return
        row += 1
        yield SourceRow(line, row, value)
        between = BETWEEN.match(text, end)
        if between is None:
            return
        line += text.count("\n", place, between.end())
        place = between.end()


def _elements(data: bytes, elements: list[msgspec.Raw]) -> Iterator[SourceRow]:
    line, end = 1, 0
    for row, element in enumerate(elements, start=1):
        raw = bytes(element)
        start = data.find(raw, end)
        line += data.count(b"\n", end, start)
        yield SourceRow(line, row, msgspec.json.decode(raw))
        end = start + len(raw)
        line += raw.count(b"\n")


def _only_list(document: dict[str, msgspec.Raw]) -> list[msgspec.Raw] | None:
    """Return the list of objects that the object wraps: {"data": [...], "version": 1}."""
    lists = [raw for value in document.values() if (raw := bytes(value)).startswith(b"[")]
    others = [value for value in document.values() if bytes(value)[:1] in (b"{", b"[")]
    if len(lists) != 1 or len(others) != 1:
        return None
    elements = msgspec.json.decode(lists[0], type=list[msgspec.Raw])
    is_of_objects = bool(elements) and all(bytes(one).startswith(b"{") for one in elements)
    return elements if is_of_objects else None


def _other_rows(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of an object that is a table; None for another one."""
    return (
        _split(document)
        or _of_hub(document)
        or _by_system(document)
        or _keyed(document)
        or _columns(document)
        or _queries(document)
    )


def _split(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"columns": [...], "data": [[...], ...]}, as pandas writes."""
    if not {"columns", "data"} <= document.keys():
        return None
    columns, data = (msgspec.json.decode(document[name]) for name in ("columns", "data"))
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        return None
    if not isinstance(data, list) or not all(
        isinstance(row, list) and len(row) == len(columns) for row in data
    ):
        return None
    rows = (dict(zip(columns, row, strict=True)) for row in data)
    return [SourceRow(1, number, row) for number, row in enumerate(rows, start=1)]


def _of_hub(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"rows": [{"row_idx": 0, "row": {...}}]}, as Hugging Face serves them."""
    rows = msgspec.json.decode(document["rows"]) if "rows" in document else None
    if not isinstance(rows, list) or not all(
        isinstance(one, dict) and isinstance(one.get("row"), dict) for one in rows
    ):
        return None
    return [SourceRow(1, number, one["row"]) for number, one in enumerate(rows, start=1)]


def _by_system(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"gpt": [{...}], "llama": [{...}]}: lists of alike objects by system."""
    if len(document) < ORIENT_INDEX or not all(
        bytes(value).startswith(b"[") for value in document.values()
    ):
        return None
    lists = {name: msgspec.json.decode(value) for name, value in document.items()}
    rows = [(name, row) for name, rows in lists.items() for row in rows]
    first = rows[0][1] if rows else None
    if not isinstance(first, dict) or not all(
        isinstance(row, dict) and row.keys() == first.keys() for _, row in rows
    ):
        return None
    named = not {"system", "model"}.isdisjoint(first)
    return [
        SourceRow(1, number, row if named else {"system": name, **row})
        for number, (name, row) in enumerate(rows, start=1)
    ]


def _columns(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"question": {"0": ...}, "answer": {"0": ...}}, as pandas writes."""
    if len(document) < ORIENT_INDEX or not all(
        bytes(value).startswith((b"{", b"[")) for value in document.values()
    ):
        return None
    columns: dict[str, Any] = {name: msgspec.json.decode(value) for name, value in document.items()}
    first = next(iter(columns.values()))
    if any(
        type(column) is not type(first) or len(column) != len(first) for column in columns.values()
    ):
        return None
    places = list(first) if isinstance(first, dict) else list(range(len(first)))
    if isinstance(first, dict) and any(list(column) != places for column in columns.values()):
        return None
    return [
        SourceRow(1, number, {name: column[place] for name, column in columns.items()})
        for number, place in enumerate(places, start=1)
    ]


def _keyed(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"0": {"question": ...}, "1": ...}: objects by their numbers."""
    if len(document) < MIN_QUERIES or not all(key.isdecimal() for key in document):
        return None
    if not all(bytes(value).startswith(b"{") for value in document.values()):
        return None
    rows: list[dict[str, Any]] = [msgspec.json.decode(value) for value in document.values()]
    if any(all(name.isdecimal() for name in row) for row in rows):
        return None
    return [
        SourceRow(1, number, {"id": key, **row})
        for number, (key, row) in enumerate(zip(document, rows, strict=True), start=1)
    ]


def _queries(document: dict[str, msgspec.Raw]) -> list[SourceRow] | None:
    """Return the rows of {"q1": "What …?", "q2": …}: texts by their ids."""
    if len(document) < MIN_QUERIES or not all(any(map(str.isdigit, key)) for key in document):
        return None
    if not all(bytes(value).startswith(b'"') for value in document.values()):
        return None
    return [
        SourceRow(1, number, {"topic": key, "query": msgspec.json.decode(value)})
        for number, (key, value) in enumerate(document.items(), start=1)
    ]
