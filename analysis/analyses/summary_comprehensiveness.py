"""Agreement of Comp and SGSS with absolute labels of comprehensiveness.

Sakai et al. 2026, section 4.1: each labeller also says how comprehensive a summary is, on three
points. Comp follows from the sections instead, so the labels show whether it measures the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.analyses.summary_scoring import COMP
from analysis.inputs.analysis_input import AnalysisInput, Table, table_of
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import PAIR, is_comprehensiveness
from analysis.stats.effects.method_comparison import LEAST_GROUPS, rank_correlations
from analysis.stats.errors import CannotCompute

COLUMNS = (
    "question", "measured_by", "tau", "tau_low", "tau_high", "summaries", "labels", "topics",
)  # fmt: skip
SCORES = (COMP, "xux", "sgss")


def comprehensiveness_labels(
    data: AnalysisInput, scores: Mapping[str, Mapping[str, tuple[str, float]]]
) -> tuple[Table, list[list[str]]]:
    """Return tau-b of scores and mean labels over summaries, and reasons for missing ones.

    `scores` are topic and value by score and response.
    """
    rows: list[list[Any]] = []
    reasons = []
    for measure in filter(is_comprehensiveness, data.measures):
        labels = dict(_labels(data, measure))
        for name in SCORES:
            of_score = scores.get(name, {})
            both = [key for key in labels if key in of_score]
            if not both:
                continue
            topics = [of_score[key][0] for key in both]
            means = [sum(labels[key]) / len(labels[key]) for key in both]
            try:
                result = rank_correlations(
                    [of_score[key][1] for key in both],
                    means,
                    groups=topics,
                    confidence=data.confidence,
                )
            except CannotCompute as reason:
                reasons.append([measure.key, str(reason)])
                continue
            n = sum(len(labels[key]) for key in both)
            ends = (result.tau_low, result.tau_high)
            rows.append([measure.key, name, result.tau, *ends, len(both), n, len(set(topics))])
        if rows and len({of_score[key][0] for key in both}) < LEAST_GROUPS:
            reasons.append([measure.key, f"An interval for tau needs {LEAST_GROUPS} topics."])
    return table_of(COLUMNS, rows), reasons


def _labels(data: AnalysisInput, measure: Measure) -> Iterator[tuple[str, Sequence[float]]]:
    """Yield each summary with a label by rater: the mean over the pairs that show it."""
    votes = data.counted[data.counted["question"] == measure.key].dropna(subset="score")
    if measure.kind == PAIR:
        places = votes["item"].str.rpartition("/")[2]
        keys = [row[place] for place, row in zip(places, votes.to_dict("records"), strict=True)]
        votes = votes.assign(response=keys)
    means = votes.groupby(["response", "worker"], sort=False)["score"].mean()
    for key, of_summary in means.groupby(level=0, sort=False):
        yield str(key), of_summary.tolist()
