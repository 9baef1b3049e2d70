"""Files of labels: CSV, JSON Lines and TREC qrels, line by line.

Reading yields a `LabelLine` of texts, or a `BadLine` with the reason. `importing` checks them
against the study.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.corpora.reading.delimited import csv_fault
from annotation.corpora.reading.lines import Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.schema import BadLine
from annotation.texts.json_faults import json_fault
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import is_for_excel, unguarded
from annotation.texts.translation import translated

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".qrels": "qrels",
    ".txt": "qrels",
    ".trec": "qrels",
}
# Names of columns by what they hold, beside the slots of the items.
COLUMNS = {
    "item": ("item",),
    "topic": ("topic", "query_id", "qid", "question_id", "topic_id", "query-id"),
    "question": ("question",),
    "instrument": ("instrument",),
    "slot": ("slot",),
    "value": ("value", "vote", "label", "winner", "answer", "grade", "score", "preference"),
    "shown": ("shown",),
    "comment": ("comment",),
    "rater": ("rater", "worker", "annotator", "annotator_id", "worker_id", "judge"),
    "kind": ("kind",),
    "first_at": ("first_at",),
    "answered_at": ("answered_at", "timestamp", "created_at", "tstamp", "time"),
}
PLAIN = {name: field for field, names in COLUMNS.items() for name in names}
SYSTEM = re.compile(r"(?:agent|model|system)_(?P<slot>[a-h])|(?P<one>system)")
# Names of slots in the qrels of BEIR and RAGElo.
SLOTS = {"corpus-id": "passage", "docid": "passage", "did": "passage"}
MOST_LINES = 200_000  # of a file that came through the browser: all labels are held at once


class TooManyLines(ValueError):
    """Refusal of an uploaded file with too many lines."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            gettext(
                "{name} has more than {most:,} lines or grades. Divide it, or ask whoever runs "
                "this server to bring it in by the command, which takes files of any length."
            ).format(name=name, most=most)
        )


@dataclass(frozen=True)
class LabelLine:
    """A label, on an `item` (a key), or on a topic and `contents` (slot -> key).

    Without either, `systems` (slot -> name) tell the item.
    """

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
    instrument: str = ""
    first_at: str = ""
    answered_at: str = ""
    contents: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)


def lines_of(
    path: Path, *, slots: Collection[str], name: str = "", bounds: Bounds | None = None
) -> Iterator[LabelLine | BadLine]:
    """Yield the labels of a file; `slots` are possible columns, `name` the file's name."""
    name = name or path.name
    form = FORMATS.get(Path(name.lower().removesuffix(".gz")).suffix)
    if form is None:
        reason = gettext("its name must end with one of {formats}, or with .gz after it").format(
            formats=", ".join(FORMATS)
        )
        yield BadLine(name, 0, "", reason)
        return
    read = {"csv": _csv, "tsv": _tsv, "jsonl": _jsonl, "qrels": _qrels}[form]
    if is_for_excel(name):
        read = _csv_for_excel
    number = 0
    try:
        for number, cells in read(texts_of(path, name=name, bounds=bounds)):
            yield _line(name, number, cells, slots)
    except UnicodeDecodeError:
        yield BadLine(name, number + 1, "", gettext("is not UTF-8"))
    except BrokenFile as error:
        yield BadLine(name, error.line, "", translated(error.reason))
    except csv.Error as error:
        reason = translated(csv_fault(error))
        yield BadLine(name, number + 1, "", reason)


def texts_of(file: Path | bytes, *, name: str, bounds: Bounds | None = None) -> Iterator[str]:
    """Yield the lines of a plain or packed file. Raises Broken or UnicodeDecodeError."""
    try:
        with BytesIO(file) if isinstance(file, bytes) else file.open("rb") as stream:
            is_gzip = name.lower().endswith(".gz")
            for number, line in FileLines(stream, is_gzip=is_gzip, bounds=bounds):
                if isinstance(line, LongLine):
                    raise BrokenFile(number, line.reason)
                yield line.decode()
    except OSError as error:
        raise BrokenFile(
            0, gettext("cannot be opened: is it there, and may it be read?")
        ) from error


NOT_FLAT = marked("is no flat JSON object: a name with a text or a number each")
Cells = dict[str, Any] | str  # or why there are none


def _tsv(stream: Any) -> Iterator[tuple[int, Cells]]:
    return _csv(stream, delimiter="\t")


def _csv(stream: Any, *, delimiter: str = ",") -> Iterator[tuple[int, Cells]]:
    reader = csv.reader(stream, strict=True, delimiter=delimiter)
    names = next(reader, [])
    if repeated := {name for name in names if names.count(name) > 1}:
        yield 1, gettext("column {repeated!r} is named twice").format(repeated=sorted(repeated)[0])
        return
    before = reader.line_num
    for cells in reader:
        number, before = before + 1, reader.line_num
        if len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        elif cells:
            yield (
                number,
                gettext("has {cells} cells, but the header names {names}").format(
                    cells=len(cells), names=len(names)
                ),
            )


def _csv_for_excel(stream: Any) -> Iterator[tuple[int, Cells]]:
    for number, cells in _csv(stream):
        if isinstance(cells, str):
            yield number, cells
        else:
            yield number, {name: unguarded(cell) for name, cell in cells.items()}


def _jsonl(stream: Any) -> Iterator[tuple[int, Cells]]:
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            cells = msgspec.json.decode(line, type=dict[str, str | int | float | None])
        except (msgspec.DecodeError, RecursionError) as error:
            is_flawed = not isinstance(error, msgspec.ValidationError)
            fault = translated(json_fault(error, line)) if is_flawed else gettext(NOT_FLAT)
            yield number, fault
        else:
            twice = _twice(line) if line.count(":") > len(cells) else ""
            yield number, gettext("names {name} twice").format(name=twice) if twice else cells


def _twice(line: str) -> str:
    """Return a repeated name in a flat JSON object, of which readers take the last silently."""
    pairs: list[tuple[str, Any]] = json.loads(line, object_pairs_hook=list, parse_int=str)
    times = Counter(name for name, _ in pairs)
    return next((name for name, n in times.items() if n > 1), "")


def _qrels(stream: Any) -> Iterator[tuple[int, Cells]]:
    for number, line in enumerate(stream, start=1):
        cells = line.split()
        if not cells or _is_comment(cells):
            continue
        if len(cells) == 4 or (cells[4:5] and cells[4].startswith("#")):
            yield number, {"topic": cells[0], "passage": cells[2], "value": cells[3]}
        else:
            yield (
                number,
                gettext("has {cells} parts, not four: topic, 0, passage and grade").format(
                    cells=len(cells)
                ),
            )


def _is_comment(cells: list[str]) -> bool:
    """Return whether a line begins with #, and not with the key of a topic that does."""
    is_grade = len(cells) == 4 and cells[3].lstrip("+-").replace(".", "", 1).isdecimal()
    return cells[0].startswith("#") and not is_grade


class UnfitCell(ValueError):
    """Refusal of a cell, or of a missing one, in its column."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column


def _line(file: str, number: int, cells: Cells, slots: Collection[str]) -> LabelLine | BadLine:
    if isinstance(cells, str):
        return BadLine(file, number, "", cells)
    try:
        return _label_line(number, cells, slots)
    except UnfitCell as error:
        return BadLine(file, number, error.column, str(error))


def _label_line(number: int, cells: dict[str, Any], slots: Collection[str]) -> LabelLine:
    """Return the label of a row. Raises UnfitCell."""
    if "vote" in cells and "submission_id" in cells:
        cells = _of_votes(cells, slots)
    parts: dict[str, dict[str, str]] = {"plain": {}, "contents": {}, "systems": {}}
    named: dict[tuple[str, str], str] = {}  # the column that filled a part's field or slot
    for name, cell in cells.items():
        text = _text(cell)
        if "\x00" in text:
            raise UnfitCell(name, gettext("holds a NUL character"))
        part, key = _place(name, slots)
        if text and parts[part].setdefault(key, text) != text:
            reason = gettext("says something else than column {other!r}, which means the same")
            raise UnfitCell(name, reason.format(other=named[part, key]))
        if text:
            named[part, key] = name
    plain, contents = parts["plain"], parts["contents"]
    systems = {} if contents or plain.get("item") else parts["systems"]
    if not plain.get("value", "").strip():
        raise UnfitCell("value", gettext("is missing"))
    if not plain.get("item") and not contents and not systems:
        raise UnfitCell("item", gettext("is missing, and no slot says what it is about"))
    if systems and "answer" in cells and plain["value"].strip() in ("C", "c"):
        plain["value"] = "tie"  # as RAGElo writes it
    return LabelLine(number=number, contents=contents, systems=systems, **plain)


def _of_votes(cells: dict[str, Any], slots: Collection[str]) -> dict[str, Any]:
    """Return the cells of a row of our own votes that are part of a label."""
    kept = {}
    for name, cell in cells.items():
        with suppress(UnfitCell):  # such as the position of the item
            _place(name, slots)
            kept[name] = cell
    kept.pop("winner", None)  # the vote, once more
    return kept


def _place(name: str, slots: Collection[str]) -> tuple[str, str]:
    """Return the part of a label that a column is about, and its field or slot there.

    Raises UnfitCell.
    """
    slot = name if name in slots else SLOTS.get(name, name.removeprefix("response_"))
    if name in PLAIN:
        return "plain", PLAIN[name]
    if slot in slots:
        return "contents", slot
    if system := SYSTEM.fullmatch(name):
        return "systems", system["slot"] or "response"
    raise UnfitCell(name, gettext("is no column of labels and no slot of an item"))


def _text(cell: Any) -> str:
    """Return a cell as text; a whole number has no point: 2.0 is 2."""
    if cell is None:
        return ""
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)
