"""What the columns of a file probably are, and what is decided of its rows by itself. Only reads.

All of it is said on the page, and can be said otherwise.
"""

from typing import Any

from annotation.corpora.recognised_columns import proposed, proposed_for_answers
from annotation.corpora.rows import CitationsFrom, CountedFrom
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.corpora.uploads.first_rows import AS_THEY_ARE

MOST_OF_AN_ID = 80  # characters


def first_guess(look: dict[str, Any]) -> dict[str, Any]:
    """Return the probable mapping of a file; empty if its names are ours."""
    if look["kind"] in (*AS_THEY_ARE, "") or look["names"] == [""]:
        return {}
    kind = RowKind(look["kind"])
    mapping = guess(look, kind)
    if not set(look["names"]) <= set(fields_of(kind)) or kind is RowKind.TABLE:
        return mapping
    if not mapping["fixed"] and not mapping["numbered"]:
        return {}
    # A later row may have a field of ours that the first ones lack.
    decided = {*mapping["fixed"], *mapping["numbered"]}
    return mapping | {"columns": {name: name for name in fields_of(kind) if name not in decided}}


def guess(look: dict[str, Any], kind: RowKind) -> dict[str, Any]:
    """Return the probable columns, if the rows are of this kind."""
    if kind is RowKind.TABLE:
        columns = proposed_for_answers(look["names"], look.get("repeated", ()))
    else:
        columns = proposed(look["names"], list(fields_of(kind)))
    fixed = {}
    # Where passages come with answers, one of the first would cite [0] if they counted from it.
    if "passages" in columns and look.get("lowest_cited") and "citations_from" not in columns:
        fixed["citations_from"] = CitationsFrom.ONE.value
    if _ranks_begin_at_0(look, kind, columns):
        fixed["ranks_from"] = CountedFrom.ZERO.value
    numbered = _numbered(look, kind, columns)
    return {"kind": kind.value, "columns": columns, "fixed": fixed, "numbered": numbered}


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
