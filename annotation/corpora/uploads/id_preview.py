"""The ids that the first rows of a file will get, where it has none. Only reads."""

from contextlib import closing
from typing import Any

from annotation.corpora.import_report import KeyLedger
from annotation.corpora.numbering import Numbering
from annotation.corpora.schema import RowKind


def numbered_fields(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[str]:
    """Return the ID fields of a file that Crowdwright numbers."""
    if kind == RowKind.TABLE:
        return [name for name in ("topic", "response") if not _column(look, mapping, name)]
    return list(mapping.get("numbered", ()))


def ids_of(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[list[str]]:
    """Return the IDs that the first rows would get in an empty corpus."""
    fields = numbered_fields(look, mapping, kind)
    with closing(KeyLedger()) as ledger:
        numbering = Numbering(ledger=ledger)
        rows = [_PreviewRow(look, mapping, cells) for cells in look["rows"]]
        return [[_id(numbering, kind, field, row) for field in fields] for row in rows]


def _column(look: dict[str, Any], mapping: dict[str, Any], field: str) -> str:
    if columns := mapping.get("columns"):
        return str(columns.get(field, ""))
    return field if field in look["names"] else ""


class _PreviewRow:
    """Cells by our fields."""

    def __init__(self, look: dict[str, Any], mapping: dict[str, Any], cells: list[str]) -> None:
        self._look, self._mapping = look, mapping
        self._cells: dict[str, str] = dict(zip(look["names"], cells, strict=False))

    def __getitem__(self, field: str) -> str:
        return self._cells.get(_column(self._look, self._mapping, field), "")


def _id(numbering: Numbering, kind: str, field: str, row: _PreviewRow) -> str:
    if kind == RowKind.TABLE:
        topic = row["topic"] or numbering.topic(row["question"])
        if field == "topic":
            return topic
        return row["response"] or numbering.response(
            topic, system=row["system"], text=row["answer"]
        )
    if field == "topic":
        return numbering.topic(row["query"])
    if field == "passage":
        rank = row["rank"].strip()
        return numbering.passage(
            row["topic"],
            rank=int(rank) if rank.isdecimal() else None,
            title=row["title"],
            text=row["text"],
        )
    return numbering.response(row["topic"], system=row["system"], text=row["text"])
