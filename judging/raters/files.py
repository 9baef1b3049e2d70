"""Files of labels that were given elsewhere: CSV, JSON Lines and TREC qrels, line by line.

Reading yields a `Line` with its cells as texts, or a `BadLine` that says what is wrong with it.
Whether its item, question and answer are those of a study is `importing`'s to find out. No Django.
"""

import csv
import gzip
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from annotation.corpora.schema import BadLine

FORMATS = {".csv": "csv", ".jsonl": "jsonl", ".qrels": "qrels", ".txt": "qrels", ".trec": "qrels"}
# What a column may be called beside the slots of the items.
PLAIN = {
    "item": "item",
    "topic": "topic",
    "query_id": "topic",
    "question": "question",
    "slot": "slot",
    "value": "value",
    "shown": "shown",
    "comment": "comment",
    "rater": "rater",
    "kind": "kind",
}
DEFUSED = re.compile("^'(?=[=+\\-@＝＋－＠\t\r\n])")  # as annotation.texts.spreadsheets does


@dataclass(frozen=True)
class Line:
    """A label: what it is about by `item` (a key), or by topic and `contents` (slot -> key)."""

    number: int
    value: str
    item: str = ""
    topic: str = ""
    question: str = ""
    slot: str = ""
    shown: str = ""
    comment: str = ""
    rater: str = ""
    kind: str = ""
    contents: Mapping[str, str] = field(default_factory=dict)


def lines_of(path: Path, *, slots: Collection[str]) -> Iterator[Line | BadLine]:
    """The labels of a file. `slots` are the names of slots that a column can hold."""
    name = path.name.removesuffix(".gz")
    form = FORMATS.get(Path(name).suffix)
    if form is None:
        reason = f"its name must end with one of {', '.join(FORMATS)}, or with .gz after it"
        yield BadLine(path.name, 0, "", reason)
        return
    read = {"csv": _csv, "jsonl": _jsonl, "qrels": _qrels}[form]
    number = 0
    try:
        opened = gzip.open if path.name.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
            for number, cells in read(stream):
                yield _line(path.name, number, cells, slots)
    except UnicodeDecodeError:
        yield BadLine(path.name, number + 1, "", "is not UTF-8")
    except (OSError, EOFError, zlib.error, csv.Error) as error:
        yield BadLine(path.name, number + 1, "", f"cannot be read: {error}")


Cells = dict[str, Any] | str  # or why there are none


def _csv(stream: Any) -> Iterator[tuple[int, Cells]]:
    reader = csv.reader(stream, strict=True)
    names = next(reader, [])
    if repeated := {name for name in names if names.count(name) > 1}:
        yield 1, f"column {sorted(repeated)[0]!r} is named twice"
        return
    before = reader.line_num
    for cells in reader:
        number, before = before + 1, reader.line_num
        if len(cells) == len(names):
            yield (
                number,
                {name: DEFUSED.sub("", cell) for name, cell in zip(names, cells, strict=True)},
            )
        elif cells:
            yield number, f"has {len(cells)} cells, but the header names {len(names)}"


def _jsonl(stream: Any) -> Iterator[tuple[int, Cells]]:
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            yield number, msgspec.json.decode(line, type=dict[str, str | int | float | None])
        except (msgspec.DecodeError, RecursionError) as error:
            yield number, f"is no flat JSON object: {error}"


def _qrels(stream: Any) -> Iterator[tuple[int, Cells]]:
    for number, line in enumerate(stream, start=1):
        cells = line.split()
        if len(cells) == 4:
            yield number, {"topic": cells[0], "passage": cells[2], "value": cells[3]}
        elif cells:
            yield number, f"has {len(cells)} parts, not four: topic, 0, passage and grade"


def _line(file: str, number: int, cells: Cells, slots: Collection[str]) -> Line | BadLine:
    if isinstance(cells, str):
        return BadLine(file, number, "", cells)
    plain: dict[str, str] = {}
    contents: dict[str, str] = {}
    for name, cell in cells.items():
        text = _text(cell)
        slot = name.removeprefix("response_") if name not in slots else name
        if "\x00" in text:
            return BadLine(file, number, name, "holds a NUL character")
        if name in PLAIN:
            plain[PLAIN[name]] = text
        elif slot not in slots:
            return BadLine(file, number, name, "is no column of labels and no slot of an item")
        elif text:
            contents[slot] = text
    if not plain.get("value", "").strip():
        return BadLine(file, number, "value", "is missing")
    if not plain.get("item") and not contents:
        return BadLine(file, number, "item", "is missing, and no slot says what it is about")
    return Line(number=number, contents=contents, **plain)


def _text(cell: Any) -> str:
    """A cell as text; a whole number has no point: 2.0 is 2."""
    if cell is None:
        return ""
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)
