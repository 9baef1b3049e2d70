"""What an analysis is asked, and the form of its answer: tables, ready for JSON."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

Table = dict[str, Any]  # {"columns": [...], "rows": [[...]]}
Tables = dict[str, Table]


@dataclass(frozen=True)
class Asked:
    """What an analysis gets: the frame that it reads, the options of the question, settings.

    `responses` has one row a response: response (key), topic, style, origin, system; empty for
    analyses that do not need it.
    """

    frame: pd.DataFrame
    options: tuple[str, ...]
    parameters: dict[str, Any]
    seed: int
    responses: pd.DataFrame | None = None

    @property
    def draws(self) -> int:
        """How often a bootstrap draws."""
        return int(self.parameters.get("draws", 1000))

    @property
    def confidence(self) -> float:
        return float(self.parameters.get("confidence", 0.95))


def table(frame: pd.DataFrame) -> Table:
    """A frame as columns and rows of plain values; NaN becomes None."""
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return {"columns": list(frame.columns), "rows": rows}


def table_of(columns: tuple[str, ...], rows: list[list[Any]]) -> Table:
    return table(pd.DataFrame(rows, columns=list(columns)))


def frame_of(table: Table) -> pd.DataFrame:
    """The frame behind a stored table."""
    return pd.DataFrame(table["rows"], columns=table["columns"])
