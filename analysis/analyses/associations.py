"""Correlation between the gold labels of questions."""

import numpy as np
import pandas as pd

from analysis.analyses.conditions import to_pairs
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import COUNT, Column
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.effects.associations import NotComparable, question_clusters
from analysis.stats.effects.associations import associations as correlate


def associations(asked: AnalysisInput) -> Tables:
    """Return Kendall's tau-b between gold labels of questions, and clusters of questions."""
    labels = asked.frame.pivot_table(
        index="item", columns="question", values="gold", aggfunc="first", observed=True
    )
    keys = [key for key in asked.options_of if key in labels]
    found = correlate(
        labels[keys],
        options=_common(asked, keys),
        draws=asked.draws,
        confidence=asked.confidence,
        seed=asked.seed,
    )
    clusters = question_clusters(found)
    others = pd.DataFrame(
        {
            "question": list(found.questions),
            "tau": found.others,
            "low": found.others_low,
            "high": found.others_high,
            "cluster": clusters.members,
        }
    )
    return {
        "associations": table(_offered(found.frame(), asked)),
        "others": table(_offered(others, asked)),
    }


def _offered(frame: pd.DataFrame, asked: AnalysisInput) -> pd.DataFrame:
    """Remove the intervals, except in the published pipeline.

    Intervals over items cover .78 to .92 of simulated studies (docs/methods.md).
    """
    return frame if asked.as_published else frame.assign(low=np.nan, high=np.nan)


def _common(asked: AnalysisInput, keys: list[str]) -> tuple[str, ...]:
    """Return the options of all questions, in an order that each question agrees with.

    A preference without a tie has the same options as one with it, and one fewer.
    """
    longest = max((asked.options_of[key] for key in keys), key=len, default=())
    for key in keys:
        if [each for each in longest if each in asked.options_of[key]] != [*asked.options_of[key]]:
            raise NotComparable("the questions have different scales")
    return longest


ANALYSIS = Analysis(
    name="associations",
    title="Questions answered alike",
    answers="Which questions rank the same texts in the same way?",
    assumes="Items are independent draws; pairs of one topic are not quite, so that an "
    "interval over items would promise too much: none is offered.",
    reads=Reads.ALL_GOLD,
    applies=to_pairs,
    function=associations,
    least=2,
    columns={
        "tau": Column("Kendall’s tau-b"),
        "items": COUNT,
        "cluster": COUNT,
    },
)
