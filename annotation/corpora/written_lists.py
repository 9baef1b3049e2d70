"""Lists of passages in one cell: as JSON, as Python or NumPy printed them, one on each line. Pure.

NumPy prints no commas between texts: as Python that would be one text, without a word of complaint.
"""

import ast
import re
from typing import Any

import msgspec

from annotation.texts.sentences import Sentence

MOST_CHARACTERS = 16_000_000
UNREAD = Sentence("is unreadable: use JSON or one passage per line")
WRITTEN = re.compile(r"(?:np\.)?(?:array\()?\[\s*(['\"{]|\]|[rbu]['\"])")
WRAPPED = re.compile(r"(?:np\.)?array\((\[.*\])\s*(?:,\s*dtype=[\w.<>'\"]+)?\s*\)", re.DOTALL)
MARKER = re.compile(r"\s*(?:\[\d+\]|\(\d+\)|\d+[.):]|[-*•])\s+")  # of a list that was written down
# A text as Python writes it, or an object without objects inside.
TEXT = re.compile(r"""[rbuRBU]{0,2}(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)


# What a program prints: lists in lists, numbers, objects, tuples and sets of texts.
PRINTED = re.compile(
    r"\[\s*(?:\[\s*['\"\[{]|[A-Za-z_][\w.]*\(|(?:nan|None|null)\s*[,\]]|[-+]?\d[\d.]*\s*,\s*[-+]?\d)"
    r"|[({]\s*[rbu]?(['\"])"
)


class UnreadList(ValueError):
    """A cell that begins like a list and cannot be read as one."""


def listed_in(cell: str) -> list[str | dict[str, Any]]:
    """Return the passages that a cell holds. Raises UnreadList."""
    cell = cell.strip()
    if not WRITTEN.match(cell):
        if _are_texts(cell):
            raise UnreadList(UNREAD)
        if PRINTED.match(cell) and cell[-1] in "])}":
            return _printed(cell)
        return [MARKER.sub("", line, count=1).strip() for line in cell.splitlines() if line.strip()]
    if wrapped := WRAPPED.fullmatch(cell):
        cell = wrapped[1]
    if len(cell) <= MOST_CHARACTERS:
        try:
            return msgspec.convert(msgspec.json.decode(cell), list[str | dict[str, Any]])
        except (ValueError, RecursionError):
            pass
        if (elements := _elements(cell)) is not None:
            return elements
    raise UnreadList(UNREAD)


def _are_texts(cell: str) -> bool:
    """Return whether a cell is several quoted texts, outside of a list."""
    place, count = 0, 0
    while cell[-1:] in ("'", '"') and (match := TEXT.match(cell, place)):
        count, place = count + 1, match.end()
        while place < len(cell) and (cell[place].isspace() or cell[place] == ","):
            place += 1
    return count > 1 and place == len(cell)


def _printed(cell: str) -> list[str | dict[str, Any]]:
    """Return the elements of a tuple, a set or an object. Raises UnreadList for other things."""
    if cell[0] in "({" and ")}"["({".index(cell[0])] == cell[-1]:
        if (one := _value(cell)) is not None and isinstance(one, dict):
            return [one]
        if (elements := _elements(f"[{cell[1:-1]}]", needs_commas=True)) is not None:
            return elements
    raise UnreadList(UNREAD)


def _elements(cell: str, *, needs_commas: bool = False) -> list[str | dict[str, Any]] | None:
    """Return the elements of a list as Python or NumPy printed it, or None."""
    values: list[str | dict[str, Any]] = []
    place, end = 1, len(cell) - 1
    while True:
        before = place
        while place < end and (cell[place].isspace() or cell[place] == ","):
            place += 1
        if (
            values
            and place < end
            and (place == before or needs_commas > (cell.count(",", before, place)))
        ):
            return None  # two texts without anything between them are glued together
        if place >= end:
            return values if cell[place:].strip() == "]" else None
        if cell[place] == "{":
            after = _end_of_object(cell, place)
        elif match := TEXT.match(cell, place):
            after = match.end()
        else:
            return None  # a number, a name, or "...": elements that were left out
        element = _value(cell[place:after])
        if not isinstance(element, str | dict):
            return None
        values.append(element)
        place = after


def _end_of_object(cell: str, start: int) -> int:
    depth, place = 0, start
    while place < len(cell):
        if cell[place] in "'\"" and (text := TEXT.match(cell, place)):
            place = text.end()
            continue
        depth += (cell[place] in "{[(") - (cell[place] in "}])")
        place += 1
        if not depth:
            break
    return place


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
