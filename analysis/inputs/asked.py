"""What an analysis is asked, and the form of its answer: tables, ready for JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from analysis.inputs.settings import confidence_of
from analysis.stats.agreement.alpha import Level

Table = dict[str, Any]  # {"columns": [...], "rows": [[...]]}
Tables = dict[str, Table]


@dataclass(frozen=True)
class Asked:
    """What an analysis gets: the frame that it reads, the options of the question, settings.

    options: of the one question that it reads. options_of: of every question, where it reads all.
    responses: one row a response (response, topic, style, origin, system), where it reads grades.
    texts: the texts beside the grades; passages: those of their topics (text_frames).
    """

    frame: pd.DataFrame
    options: tuple[str, ...]
    parameters: dict[str, Any]
    seed: int
    options_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    responses: pd.DataFrame | None = None
    texts: pd.DataFrame | None = None
    passages: pd.DataFrame | None = None

    @property
    def draws(self) -> int:
        """How often a bootstrap draws."""
        return int(self.parameters.get("draws", 1000))

    @property
    def confidence(self) -> float:
        return confidence_of(self.parameters)

    @property
    def level(self) -> Level:
        """The level of measurement that alpha takes the options for."""
        level: Level = self.parameters.get("level", "ordinal")
        return level


def table(frame: pd.DataFrame) -> Table:
    """A frame as columns and rows of plain values; NaN becomes None."""
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return {"columns": list(frame.columns), "rows": rows}


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    return table(pd.DataFrame(rows, columns=list(columns)))


def frame_of(table: Table) -> pd.DataFrame:
    """The frame behind a stored table."""
    return pd.DataFrame(table["rows"], columns=table["columns"])
