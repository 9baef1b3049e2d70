"""Rows with columns of other names as rows of ours. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.corpora.recognised_columns import is_called_id, plain, proposed


@dataclass(frozen=True)
class Columns:
    """Mapping of file columns to our fields, and the values that all rows share."""

    ours: Mapping[str, str] = field(default_factory=dict)  # our field -> their column
    fixed: Mapping[str, str] = field(default_factory=dict)  # our field -> the value of all rows
    numbered: Collection[str] = ()  # our fields of which the rows have none: ids
    # Of objects, which need not have the same fields: those that were seen when this was said, and
    # our ids that Crowdwright gives to rows.
    seen: Collection[str] = ()
    given: Collection[str] = ()
    # Of a wide table of answers: the column of each system -> what the system is called.
    systems: Mapping[str, str] = field(default_factory=dict)

    def row(self, theirs: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with our field names; numeric keys become text."""
        values = {name: theirs[column] for name, column in self.ours.items() if column in theirs}
        values |= self.all_rows
        return {name: _as_text(name, value) for name, value in values.items()}

    @property
    def all_rows(self) -> dict[str, str]:
        """Return the values that every row has, and a stopgap for an ID that is assigned later."""
        return {**self.fixed, **dict.fromkeys(self.numbered, "-")}

    def late_ids(self, theirs: Mapping[str, Any]) -> dict[str, bool]:
        """Return late columns that may hold the id of a row, and whether they are named so.

        No earlier row had these columns, so the researcher was not asked about them.
        """
        if not self.seen or not (late := theirs.keys() - set(self.seen)):
            return {}
        filled = sorted(name for name in late if theirs[name] not in (None, ""))
        return {
            name: plain(name) in self.given or is_called_id(name)
            for name in filled
            if any(proposed((name,), (ours,)) for ours in self.given)
        }

    def rows(self, theirs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows that a row holds: one, or one for each system with an answer."""
        row = self.row(theirs)
        if not self.systems:
            return [row]
        return [
            {**row, "answer": _as_text("answer", theirs[column]), "system": system}
            for column, system in self.systems.items()
            if theirs.get(column) not in (None, "")
        ]


def _as_text(name: str, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number and name not in ("rank", "score") else value
