"""Agreement of the boards of a run with the official orders of its corpus."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.retrieval import to_passages
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, SHARE, TAU, Column, N
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.inputs.scorers import is_scored
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.rank_agreement import order_agreement
from annotation.texts.sentences import marked

DEPTHS = (1, 3, 5, 10)
COLUMNS = (
    "order", "question", "measure", "level", "systems", "rho", "tau", "tau_ap",
    *(f"top{k}" for k in DEPTHS),
)  # fmt: skip
NO_INTERVAL = (
    "Correlations with an official order have no interval: the systems are not a sample, and "
    "resampling topics pulls every correlation towards 0 (such intervals covered 0 to 99% of "
    "simulated studies)."
)
NOT_DEFINED = "All systems in both lists have the same score."
BY = ["question", "measure", "level"]
OVERLAPS = (
    marked("same winner in both leaderboards"),
    marked("share of the official top 3 in our top 3"),
    marked("share of the official top 5 in our top 5"),
    marked("share of the official top 10 in our top 10"),
)


def to_boards(measure: Measure) -> bool:
    """Return whether systems have a board by this measure."""
    return to_passages(measure) or is_scored(measure)


def official_order(data: AnalysisInput) -> Tables:
    """Return correlations and overlaps of each board with each official order."""
    assert data.orders is not None  # Reads.BOARDS
    rows, undefined = [], dict[tuple[str, str], None]()
    for name, order in data.orders.groupby("order", sort=True):
        official = order.set_index("system")["score"]
        for board in _boards(data.frame):
            try:
                row = _agreement(board, official)
            except CannotCompute as reason:
                undefined[str(name), str(reason)] = None
                continue
            rows.append({"order": str(name), **row})
            if np.isnan(row["tau"]):
                undefined[str(name), NOT_DEFINED] = None
    if rows:
        undefined["", NO_INTERVAL] = None
    cells = [[row.get(column) for column in COLUMNS] for row in rows]
    return {
        "agreement": table_of(COLUMNS, cells),
        "undefined": table_of(("order", "reason"), [[*reason] for reason in undefined]),
    }


def _boards(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    for _, board in frame.groupby(BY, sort=False, dropna=False):
        yield board


def _agreement(board: pd.DataFrame, official: "pd.Series[float]") -> dict[str, Any]:
    """Return the row of one board. Raises CannotCompute."""
    scores = board.drop_duplicates("system").set_index("system")["value"].dropna()
    common = sorted(set(scores.index) & set(official.index))
    theirs, ours = (np.asarray(values[common], dtype=np.float64) for values in (official, scores))
    result = order_agreement(theirs, ours, depths=DEPTHS)
    first = board.iloc[0]
    return {
        **{name: first[name] for name in BY},
        "systems": result.n,
        "rho": result.rho,
        "tau": result.tau,
        "tau_ap": result.tau_ap,
        **{f"top{k}": share for k, share in result.top.items()},
    }


ANALYSIS = Analysis(
    name="official_order",
    title="Official order",
    answers="How well do the leaderboards agree with an official order?",
    assumes="Systems are matched by name; systems without a match are excluded.",
    reads=Reads.BOARDS,
    applies=to_boards,
    function=official_order,
    columns={
        "order": Column("Official order"),
        "measure": Column("Board"),
        "level": Column("Grade from", COUNT.form),
        "systems": Column(N.title, N.form, marked("systems in both leaderboards")),
        "rho": Column("Spearman's rho"),
        "tau": Column(TAU.title, meaning=TAU.meaning),
        "tau_ap": Column(
            "Tau-AP",
            meaning=marked("rank correlation weighted towards the top"),
        ),
        **{
            f"top{k}": Column(f"Top {k}", SHARE.form, meaning)
            for k, meaning in zip(DEPTHS, OVERLAPS, strict=True)
        },
    },
    published=False,
)
