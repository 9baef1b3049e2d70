"""The first rows of a file, which decide of which kind its rows are."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.detection.kinds import EXPORTED, IDENTIFYING, Detection, named_kind
from annotation.corpora.mapping import Columns
from annotation.corpora.reading.source_rows import SourceRow, UnreadRow
from annotation.corpora.schema import RowKind, fields_of, listed

MOST_ROWS, MOST_CHARACTERS = 200, 1_000_000


def deciding_rows(rows: Iterator[SourceRow | UnreadRow]) -> Iterator[SourceRow | UnreadRow]:
    """Yield the rows that decide of which kind they are; the iterator goes on behind them."""
    characters = 0
    for count, row in enumerate(rows, start=1):
        yield row
        characters += len(str(row.values)) if isinstance(row, SourceRow) else 0
        if count >= MOST_ROWS or characters > MOST_CHARACTERS:
            return


def names_of(rows: Iterable[Any]) -> list[str]:
    """Return the fields of all objects, in their order."""
    return list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))


def certain_kind(
    detection: Detection, names: Iterable[str]
) -> tuple[RowKind | None, Columns | None]:
    """Return the kind, and the columns of other names; nothing where somebody has to be asked."""
    kind, has = named_kind(names), set(names)
    is_ours = kind is not None and has & set(fields_of(kind)) == has
    if is_ours or not detection.ranking or detection.kind not in list(RowKind):
        return kind, None
    best = detection.ranking[0]
    is_named = all(ours == theirs for ours, theirs in best.columns.items())
    if RowKind(best.kind) is kind and is_named and not has >= EXPORTED:
        return kind, None
    if detection.is_unsure:
        return kind, None
    return RowKind(best.kind), Columns(best.columns)


def unknown_kind(names: Iterable[str]) -> str:
    """Return why rows with these fields are of no kind."""
    fields = listed(sorted(names)) or "nothing"
    return gettext("unknown format: found {held}, expected one of {keys}").format(
        held=fields, keys=", ".join(IDENTIFYING)
    )
