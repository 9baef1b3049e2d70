"""The columns of an uploaded file as rows of its page: first values, content, imported as."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.schema import RowKind, fields_of
from annotation.corpora.uploads import gathering
from annotation.corpora.uploads.field_titles import title_of
from annotation.corpora.uploads.questions import AS_THEY_ARE

MOST_VALUES, MOST_LETTERS = 3, 60  # of the first values of a column
SYSTEMS = "systems:"  # a column with the answers of one system


def columns_of(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return a row for each column: its number, values, content, choices and the chosen field."""
    chosen = chosen_fields(look, mapping, kind)
    unkept = {path.partition(".")[0] for path in look.get("unkept", ())}
    choices = _choices(look, kind)
    rows = []
    for number, name in enumerate(look["names"]):
        cells = [row[number] for row in look["rows"] if number < len(row)]
        is_read = bool(chosen.get(name)) if choices else name not in unkept
        rows.append(
            {
                "number": number,
                "name": name,
                "values": first_values(cells),
                "content": _content(look, name),
                "chosen": chosen.get(name, ""),
                "choices": [
                    choice
                    for choice in choices
                    if choice[0] != SYSTEMS or name in gathering.systems_of(look)
                ],
                "is_unread": not is_read,
            }
        )
    return rows


def chosen_fields(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> dict[str, str]:
    """Return the columns that are read -> our field, or SYSTEMS."""
    if kind in AS_THEY_ARE or kind not in list(RowKind):
        return {}
    fields = fields_of(RowKind(kind))
    columns = mapping.get("columns") or (
        {} if mapping else {name: name for name in look["names"] if name in fields}
    )
    chosen = {theirs: ours for ours, theirs in columns.items() if theirs in look["names"]}
    return chosen | dict.fromkeys(mapping.get("systems", {}), SYSTEMS)


def _choices(look: dict[str, Any], kind: str) -> list[tuple[str, str]]:
    if kind in AS_THEY_ARE or kind not in list(RowKind) or kind in FORMATS:
        return []
    choices = [("", gettext("Not imported"))]
    if gathering.systems_of(look) and kind == RowKind.TABLE:
        choices.append((SYSTEMS, gettext("Answers by one system")))
    return choices + [(name, title_of(kind, name)) for name in fields_of(RowKind(kind))]


def first_values(cells: Iterable[str]) -> list[str]:
    """Return the first different values of a column, shortened."""
    values: list[str] = []
    for cell in dict.fromkeys(" ".join(cell.split()) for cell in cells):
        letters = MOST_LETTERS - sum(map(len, values))
        if not cell or len(values) == MOST_VALUES or letters < 10:
            continue
        values.append(cell if len(cell) <= letters else f"{cell[: letters - 1]}…")
    return values


def _content(look: dict[str, Any], name: str) -> dict[str, int] | None:
    """Return how many cells are filled, and how many values differ."""
    if name not in look.get("filled", {}):
        return None
    filled, different = look["filled"][name]
    return {"rows": look["row_count"], "filled": filled, "different": different}


# -- What a page sends ---------------------------------------------------------------------------
def said_of(columns: dict[str, str], shown: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return our field -> "column:NAME" or "systems:", and the columns of systems.

    `columns` are the chosen fields by column, `shown` those that the page came with. Of two
    columns with the same field the changed one gets it.
    """
    said: dict[str, str] = {}
    systems = [name for name in columns if columns[name] == SYSTEMS]
    if systems:
        said["answer"] = SYSTEMS
    order = sorted(columns, key=lambda name: columns[name] != shown.get(name, ""))
    for name in order:
        if columns[name] not in ("", SYSTEMS):
            said[columns[name]] = f"column:{name}"
    return said, systems
