"""Mapping of a file as detected, before anybody changes it. Only reads.

All of it is said on the page, and can be said otherwise.
"""

from typing import Any

from annotation.corpora.recognised_columns import proposed
from annotation.corpora.rows import CitationsFrom, CountedFrom
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.corpora.uploads.questions import AS_THEY_ARE

MOST_OF_AN_ID = 80  # characters


def first_guess(look: dict[str, Any]) -> dict[str, Any]:
    """Return the probable mapping of a file; empty if its names are ours."""
    if look["kind"] in (*AS_THEY_ARE, "") or look["names"] == [""]:
        return {}
    kind = RowKind(look["kind"])
    mapping = guess(look, kind)
    are_ours = set(look["names"]) <= set(fields_of(kind))
    if not are_ours or kind in (RowKind.TABLE, RowKind.PASSAGE_TABLE):
        return mapping
    if not mapping["fixed"] and not mapping["numbered"]:
        return {}
    # A later row may have a field of ours that the first ones lack.
    decided = {*mapping["fixed"], *mapping["numbered"]}
    return mapping | {"columns": {name: name for name in fields_of(kind) if name not in decided}}


def guess(look: dict[str, Any], kind: RowKind) -> dict[str, Any]:
    """Return the probable columns, if the rows are of this kind."""
    detected = next((one for one in look.get("ranking", ()) if one["kind"] == kind), None)
    columns = detected["columns"] if detected else proposed(look["names"], list(fields_of(kind)))
    columns = {ours: theirs for ours, theirs in columns.items() if theirs in look["names"]}
    fixed = {}
    # Where passages come with answers, one of the first would cite [0] if they counted from it.
    if "passages" in columns and look.get("lowest_cited") and "citations_from" not in columns:
        fixed["citations_from"] = CitationsFrom.ONE.value
    if kind is RowKind.PASSAGE_TABLE and _is_numbered_from_1(look, columns):
        fixed["citations_from"] = CitationsFrom.ONE.value
    if _ranks_begin_at_0(look, kind, columns):
        fixed["ranks_from"] = CountedFrom.ZERO.value
    numbered = _numbered(look, kind, columns)
    mapping = {"kind": kind.value, "columns": columns, "fixed": fixed, "numbered": numbered}
    if detected and detected["systems"]:
        mapping["systems"] = detected["systems"]
    return mapping


def _is_numbered_from_1(look: dict[str, Any], columns: dict[str, str]) -> bool:
    """Return whether the first passage of the file is called 1, and its answers cite from 1."""
    if "answer" not in columns or "citations_from" in columns or look.get("lowest_cited") == 0:
        return False
    if not (column := columns.get("passage") or columns.get("rank")):
        return False
    place = look["names"].index(column)
    first = look["rows"][0][place].strip("[]() ") if look["rows"] else ""
    return first == "1"


def _ranks_begin_at_0(look: dict[str, Any], kind: RowKind, columns: dict[str, str]) -> bool:
    fields = fields_of(kind)
    return (
        "ranks_from" in fields
        and "ranks_from" not in columns
        and columns.get("rank") in look.get("from_0", ())
    )


def _numbered(look: dict[str, Any], kind: RowKind, columns: dict[str, str]) -> list[str]:
    """Return the id that rows certainly lack: nothing else is missing, and no column fits."""
    id_field = OWN_KEYS.get(kind)
    fields = fields_of(kind)
    missing = {name for name in fields if fields[name] and name not in columns}
    left = [name for name in look["names"] if name not in columns.values()]
    if id_field is None or missing != {id_field} or any(_may_be_an_id(look, name) for name in left):
        return []
    return [id_field]


def _may_be_an_id(look: dict[str, Any], column: str) -> bool:
    """Return whether each of the first rows has a short word of its own there."""
    place = look["names"].index(column)
    values = [row[place] if place < len(row) else "" for row in look.get("rows", ())]
    return len(set(values)) == len(values) and all(
        value and len(value) <= MOST_OF_AN_ID and len(value.split()) == 1 for value in values
    )
