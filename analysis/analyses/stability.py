"""How many votes an item does the ranking need?"""

from collections.abc import Hashable

import pandas as pd

from analysis.analyses.preferences import require_preference
from analysis.inputs.asked import Asked, Tables, table
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.stability import ranking_stability

DRAWS = 50  # each ranks all topics once for every number of votes


def stability(asked: Asked) -> Tables:
    """Kendall's tau-b of the rankings from fewer votes an item to the ranking from all."""
    require_preference(asked.options)
    frame = asked.frame[asked.frame["counted"]]
    votes = pd.DataFrame(
        {
            "problem": frame["topic"],
            "a": frame["a"],
            "b": frame["b"],
            "outcome": frame["value"],
        }
    )
    outcomes: dict[Hashable, int] = {
        label: {"a": 1, "b": -1}.get(label, 0) for label in asked.options
    }
    found = ranking_stability(
        Comparisons.from_frame(votes, outcomes=outcomes),
        draws=min(asked.draws, DRAWS),
        ties=asked.parameters.get("ties", "rao-kupper"),
        tie_parameter=asked.parameters.get("tie_parameter", 0.05),
        ridge=asked.parameters.get("ridge", 0.2),
        confidence=asked.confidence,
        seed=asked.seed,
    )
    columns = {
        "votes_per_item": found.votes_per_item,
        "tau": found.tau,
        "low": found.low,
        "high": found.high,
    }
    frame = pd.DataFrame(columns)
    frame["problems"], frame["items"], frame["draws"] = found.problems, found.items, found.draws
    return {"stability": table(frame)}
