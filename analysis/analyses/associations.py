"""Correlation between the gold labels of questions."""

import numpy as np
import pandas as pd

from analysis.analyses.conditions import to_pairs
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.effects.associations import associations as correlate
from analysis.stats.effects.associations import question_clusters
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked


def associations(data: AnalysisInput) -> Tables:
    """Return Kendall's tau-b between gold labels of questions, and clusters of questions."""
    labels = data.frame.pivot_table(
        index="item", columns="question", values="gold", aggfunc="first", observed=True
    )
    keys = [key for key in data.options_of if key in labels]
    result = correlate(
        labels[keys],
        options=_common(data, keys),
        draws=data.draws,
        confidence=data.confidence,
        seed=data.seed,
    )
    clusters = question_clusters(result)
    others = pd.DataFrame(
        {
            "question": list(result.questions),
            "tau": result.others,
            "low": result.others_low,
            "high": result.others_high,
            "cluster": clusters.members,
        }
    )
    return {
        "associations": table(_offered(result.frame(), data)),
        "others": table(_offered(others, data)),
    }


def _offered(frame: pd.DataFrame, data: AnalysisInput) -> pd.DataFrame:
    """Remove the intervals, except in the published pipeline.

    Intervals over items cover .78 to .92 of simulated studies (docs/methods/associations.md).
    """
    return frame if data.as_published else frame.assign(low=np.nan, high=np.nan)


def _common(data: AnalysisInput, keys: list[str]) -> tuple[str, ...]:
    """Return the options of all questions, in an order that each question agrees with.

    A preference without a tie has the same options as one with it, and one fewer.
    """
    longest = max((data.options_of[key] for key in keys), key=len, default=())
    for key in keys:
        if [option for option in longest if option in data.options_of[key]] != [
            *data.options_of[key]
        ]:
            raise CannotCompute(
                "labels_not_comparable",
                "The correlation of questions cannot be computed because the questions have "
                "different scales.",
            )
    return longest


ANALYSIS = Analysis(
    name="associations",
    title="Correlation of questions",
    answers="Which questions get similar labels?",
    assumes=(
        "Items are independent. Pairs of one topic aren't fully independent, so there is no "
        "interval."
    ),
    reads=Reads.ALL_GOLD,
    applies=to_pairs,
    function=associations,
    least=2,
    columns={
        "cluster": Column(form=NumberFormat.WHOLE,
                          meaning=marked("questions with the same number form a group")),
    },
)  # fmt: skip
