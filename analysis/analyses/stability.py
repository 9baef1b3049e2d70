"""Stability of the ranking with fewer votes an item."""

from collections.abc import Hashable

import pandas as pd

from analysis.analyses.conditions import to_comparisons
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import COUNT, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.settings import OF_WORKERS, ridge_of
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.stability import ranking_stability

DRAWS = 50  # each ranks all topics once for every number of votes


def stability(data: AnalysisInput) -> Tables:
    """Return Kendall's tau-b of rankings from fewer votes an item to the ranking from all."""
    frame = data.counted
    votes = pd.DataFrame(
        {
            "problem": frame["topic"],
            "a": frame["a"],
            "b": frame["b"],
            "outcome": frame["value"],
        }
    )
    outcomes: dict[Hashable, int] = dict(data.measure.outcomes.items())
    result = ranking_stability(
        Comparisons.from_frame(votes, outcomes=outcomes),
        by="votes" if data.setting("ranking") in OF_WORKERS else "labels",
        draws=min(data.draws, DRAWS),
        ties=data.setting("ties"),
        tie_parameter=data.setting("tie_parameter"),
        ridge=ridge_of(data.setting("ridge")),
        confidence=data.confidence,
        seed=data.seed,
    )
    columns = {
        "votes_per_item": result.votes_per_item,
        "tau": result.tau,
        "low": result.low,
        "high": result.high,
    }
    frame = pd.DataFrame(columns)
    frame["problems"], frame["items"], frame["draws"] = result.problems, result.items, result.draws
    return {"stability": table(frame)}


ANALYSIS = Analysis(
    name="stability",
    title="Stability of the ranking",
    answers="How stable is the ranking with fewer votes per item?",
    assumes="Votes on an item are exchangeable.",
    reads=Reads.VOTES,
    applies=to_comparisons,
    function=stability,
    columns={
        "votes_per_item": COUNT,
        "problems": Column("Topics", NumberFormat.WHOLE),
    },
)
