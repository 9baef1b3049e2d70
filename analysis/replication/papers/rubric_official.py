"""Replication of Dietz 2024, Table 4: Rubric's boards compared with the official order."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.replication.papers.cells import ExpectedValue, PaperTable, compared
from analysis.replication.papers.table_files import BadTable
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.coverage import Bank, cover, qrels_of
from analysis.stats.retrieval.rank_agreement import order_agreement
from analysis.stats.retrieval.rankings import Run, leaderboard
from annotation.corpora.formats.official_orders import (
    LOWER,
    UnreadableOrder,
    direction_of,
    read_leaderboards,
)
from annotation.corpora.official_orders import matched_names

OFFICIAL = "official.json"
LEVELS, DEPTH = (3, 4, 5), 20  # of Table 4, and of Rubric-Cover


def official_table(
    folder: Path, runs: Mapping[str, Run], grades: pd.DataFrame, bank: Bank
) -> PaperTable:
    """Return the correlations of MRR and coverage with the official order. Raises BadTable."""
    official = _official(folder / OFFICIAL, list(runs))
    expected = {}
    for board, scores in _boards(runs, grades, bank):
        common = sorted(set(scores) & set(official))
        try:
            result = order_agreement(
                np.array([official[name] for name in common]),
                np.array([scores[name] for name in common]),
            )
        except CannotCompute as reason:
            raise BadTable("unfit_scores", str(reason)) from reason
        rule = f"over {result.n} systems"
        for name, value in (
            ("Spearman", result.rho), ("Kendall", result.tau), ("tau-AP", result.tau_ap)
        ):  # fmt: skip
            if np.isfinite(value):
                expected[board, name] = ExpectedValue(value, 0.0, rule)
    lead = f"Order of {OFFICIAL}; MRR by the highest grade of a passage. Missing topics are zero."
    return PaperTable("official", "Official order", lead, compared({}, expected))


def _boards(
    runs: Mapping[str, Run], grades: pd.DataFrame, bank: Bank
) -> Iterator[tuple[str, dict[str, float]]]:
    qrels = qrels_of(grades, "maximum")
    for level in LEVELS:
        board = leaderboard(runs, qrels, ["recip_rank"], level=level)
        yield f"MRR, grade {level}", dict(zip(board["system"], board["value"], strict=True))
    for level in LEVELS:
        board = cover(runs, grades, bank, level=level, depth=DEPTH)
        board = board[board["measure"] == "cover"]
        yield f"Cover@20, grade {level}", dict(zip(board["system"], board["value"], strict=True))


def _official(path: Path, systems: list[str]) -> dict[str, float]:
    """Return the official score of each system; higher is better. Raises BadTable."""
    try:
        boards = read_leaderboards(path.read_text(encoding="utf-8")).by_measure
    except (OSError, UnicodeDecodeError, UnreadableOrder) as error:
        raise BadTable("unreadable", f"{path.name} cannot be read: {error}") from error
    measure, values = next(iter(boards.items()))
    sign = -1.0 if direction_of(measure, values.values()) == LOWER else 1.0
    keys = matched_names(list(values), {system: system for system in systems})
    return {key: sign * values[name] for name, key in keys.items()}
