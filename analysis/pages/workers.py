"""Competence of the workers, for the page of results."""

from dataclasses import dataclass

import pandas as pd

from analysis import findings
from analysis.models import AnalysisRun


@dataclass(frozen=True)
class WorkerRow:
    """Competence of one worker: the mean over questions, its range, and the votes behind it."""

    worker: str
    pooled: float
    low: float
    high: float
    votes: int
    by_question: list[float | None]


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of the workers' mean competence; how many lie below one half."""

    median: float | None
    low: float | None
    high: float | None
    below: int


def worker_rows(run: AnalysisRun) -> list[WorkerRow]:
    """Workers, the least competent first: those a researcher wants to look at."""
    frame = findings.tables(run, "competence", "competence")
    if frame.empty:
        return []
    table = frame.pivot_table(index="worker", columns="question", values="competence")
    table = table.reindex(columns=findings.question_keys(run))
    votes = frame.groupby("worker")["votes"].sum()
    rows = [
        WorkerRow(
            str(worker),
            float(cells.mean()),
            float(cells.min()),
            float(cells.max()),
            int(votes[str(worker)]),
            [None if pd.isna(cell) else float(cell) for cell in cells],
        )
        for worker, cells in table.iterrows()
    ]
    return sorted(rows, key=lambda row: row.pooled)


def spread_of(workers: list[WorkerRow]) -> Spread:
    pooled = pd.Series([row.pooled for row in workers], dtype=float)
    if pooled.empty:
        return Spread(None, None, None, 0)
    low, median, high = pooled.quantile([0.25, 0.5, 0.75])
    return Spread(float(median), float(low), float(high), int((pooled < 0.5).sum()))
