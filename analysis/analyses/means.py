"""Mean score of each response."""

from analysis.analyses.conditions import to_scores
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.effects.means import mean_scores
from annotation.texts.sentences import marked


def means(data: AnalysisInput) -> Tables:
    """Return the mean score of each item, with its interval and n."""
    result = mean_scores(data.counted, confidence=data.confidence)
    return {"means": table(result.frame[["item", "mean", "low", "high", "n", "sd"]])}


ANALYSIS = Analysis(
    name="means",
    title="Mean scores",
    answers="What is the mean score of each response?",
    assumes="Scale options are equally spaced.",
    reads=Reads.VOTES,
    applies=to_scores,
    function=means,
    columns={
        "mean": Column(
            form=NumberFormat.TWO, meaning=marked("mean of the ratings"), interval=INTERVAL
        ),
    },
)
