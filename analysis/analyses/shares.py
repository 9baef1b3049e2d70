"""Share of answers that give a response the better label."""

from analysis.analyses.conditions import to_labels
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.labels.label_shares import label_shares


def shares(data: AnalysisInput) -> Tables:
    """Return the share of answers to each item with a positive label, its interval and n."""
    result = label_shares(data.counted, positive=data.measure.positive, confidence=data.confidence)
    return {"shares": table(result.frame)}


ANALYSIS = Analysis(
    name="shares",
    title="Shares of a label",
    answers="How often does each response get the better label?",
    assumes="Labels are independent.",
    reads=Reads.VOTES,
    applies=to_labels,
    function=shares,
    columns={
        "share": Column(form=NumberFormat.SHARE, interval=INTERVAL),
    },
)
