"""Measures of how texts were written."""

import numpy as np
import pandas as pd

from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads, to_none
from analysis.stats.effects.means import mean_scores
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

QUARTILES = np.array([0.25, 0.5, 0.75])


def process(data: AnalysisInput) -> Tables:
    """Return quartiles and the mean with its t interval, by measure and style, and over all."""
    long = data.frame.melt(["assignment", "style"], var_name="measure", value_name="score")
    long = long.dropna(subset="score").astype({"score": float})
    if long.empty:
        raise CannotCompute(
            "no_measured_logs",
            "The writing process cannot be analysed because no submitted text has a measured log.",
        )
    both = pd.concat([long, long.assign(style="all")])
    both["item"] = both["measure"] + "|" + both["style"]
    means = mean_scores(both[["item", "score"]], confidence=data.confidence).frame
    quartiles = both.groupby("item")["score"].quantile(QUARTILES).unstack()
    quartiles.columns = ["lower_quartile", "median", "upper_quartile"]
    frame = means.merge(quartiles.reset_index(), on="item")
    frame[["measure", "style"]] = frame["item"].str.split("|", expand=True)
    columns = [
        "measure", "style", "median", "lower_quartile", "upper_quartile", "mean", "low", "high",
        "n",
    ]  # fmt: skip
    return {"process": table(frame[columns])}


ANALYSIS = Analysis(
    name="process",
    title="Writing process",
    answers="How long did writers take, and how much did they type, paste and delete?",
    assumes="Log data are evidence about a text, not a verdict on its writer.",
    reads=Reads.PROCESS,
    applies=to_none,
    function=process,
    columns={
        "mean": Column(form=NumberFormat.TWO, meaning=marked("mean over texts"), interval=INTERVAL),
    },
)
