"""The rows of a file of labels as labels: a `LabelLine` of texts, or a `BadLine` with the reason.

`rows` reads the file, `importing` checks the labels against the study.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.reading.lines import Bounds
from annotation.corpora.schema import BadLine
from judging.labels.problems import LabelProblem
from judging.labels.rows import OUR_VOTES, FileKind, LabelRow, Remark, rows_of

# Names of columns by what they hold, beside the slots of the items.
COLUMNS = {
    "item": ("item",),
    "topic": ("topic", "query_id", "qid", "question_id", "topic_id", "query-id"),
    "question": ("question",),
    "instrument": ("instrument",),
    "slot": ("slot",),
    "turn": ("turn",),
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
                "{name} has more than {most:,} rows or grades. Split it or import it on "
                "the command line."
            ).format(name=name, most=most)
        )


@dataclass(frozen=True)
class LabelLine:
    """A label, on an `item` (a key), or on a topic and `contents` (slot -> key).

    Without either, `systems` (slot -> name) tell the item.
    """

    number: int
    value: str
    file: str = ""  # one of a zip file
    item: str = ""
    topic: str = ""
    question: str = ""
    slot: str = ""
    turn: str = ""  # of a conversation, where the topic is that of all its turns
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
    path: Path,
    *,
    slots: Collection[str],
    name: str = "",
    bounds: Bounds | None = None,
    drops_columns: bool = False,
) -> Iterator[LabelLine | BadLine | Remark | FileKind]:
    """Yield the labels of a file; `slots` are possible columns, `name` the file's name.

    Other columns make a row bad, or are dropped and remarked once.
    """
    columns = [*PLAIN, *SLOTS, *slots, *(f"response_{slot}" for slot in slots)]
    dropped: set[tuple[str, str]] = set()
    for row in rows_of(path, name=name or path.name, bounds=bounds, columns=columns):
        if not isinstance(row, LabelRow):
            yield row
            continue
        if drops_columns:
            unread = [column for column in row.cells if not _is_read(column, slots)]
            for column in unread:
                if (row.file, column) not in dropped:
                    dropped.add((row.file, column))
                    reason = gettext("column {column!r} is not imported")
                    yield Remark(row.file, 0, reason.format(column=column[:60]))
            row = row._replace(
                cells={name: cell for name, cell in row.cells.items() if name not in unread}
            )
        try:
            yield _label_line(row, slots)
        except UnfitCell as error:
            yield BadLine(row.file, row.number, error.column, str(error), code=error.code)


def _is_read(column: str, slots: Collection[str]) -> bool:
    try:
        _place(column, slots)
    except UnfitCell:
        return column in OUR_VOTES
    return True


class UnfitCell(ValueError):
    """Refusal of a cell, or of a missing one, in its column."""

    def __init__(
        self, column: str, reason: str, code: LabelProblem = LabelProblem.BLANK_FIELD
    ) -> None:
        super().__init__(reason)
        self.column, self.code = column, code


def _label_line(row: LabelRow, slots: Collection[str]) -> LabelLine:
    """Return the label of a row. Raises UnfitCell."""
    cells = row.cells
    if "vote" in cells and "submission_id" in cells:
        cells = _of_votes(cells, slots)
    parts: dict[str, dict[str, str]] = {"plain": {}, "contents": {}, "systems": {}}
    named: dict[tuple[str, str], str] = {}  # the column that filled a part's field or slot
    for name, cell in cells.items():
        text = _text(cell)
        if "\x00" in text:
            reason = gettext("contains a NUL character")
            raise UnfitCell(name, reason, LabelProblem.UNREADABLE_ROW)
        part, key = _place(name, slots)
        if text and parts[part].setdefault(key, text) != text:
            reason = gettext("contradicts column {other!r}")
            reason = reason.format(other=named[part, key])
            raise UnfitCell(name, reason, LabelProblem.BAD_CELL)
        if text:
            named[part, key] = name
    plain, contents = parts["plain"], parts["contents"]
    systems = {} if contents or plain.get("item") else parts["systems"]
    if not plain.get("value", "").strip():
        raise UnfitCell("value", gettext("is missing"))
    if not plain.get("item") and not contents and not systems:
        raise UnfitCell("item", gettext("is missing, and no slot column identifies the item"))
    if systems and "answer" in cells and plain["value"].strip() in ("C", "c"):
        plain["value"] = "tie"  # as RAGElo writes it
    return LabelLine(number=row.number, file=row.file, contents=contents, systems=systems, **plain)


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
    name = name.strip().casefold()
    slot = name if name in slots else SLOTS.get(name, name.removeprefix("response_"))
    if name in PLAIN:
        return "plain", PLAIN[name]
    if slot in slots:
        return "contents", slot
    if system := SYSTEM.fullmatch(name):
        return "systems", system["slot"] or "response"
    raise UnfitCell(
        name,
        gettext("is neither a label column nor an item slot. Known: {known}").format(
            known=", ".join(dict.fromkeys([*COLUMNS, *slots]))
        ),
        LabelProblem.UNKNOWN_COLUMN,
    )


def _text(cell: Any) -> str:
    """Return a cell as text; a whole number has no point: 2.0 is 2."""
    if cell is None:
        return ""
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)
