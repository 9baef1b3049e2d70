"""Structured summaries with the labels of their parts. Only reads."""

from collections.abc import Hashable, Sequence

import pandas as pd

from analysis.inputs.analysis_input import AnalysisInput
from analysis.inputs.summaries import COVERAGE, part_of
from analysis.stats.effects.linear_scores import Label
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.summaries.labelled_summaries import LabelledSection, LabelledSummary

# Part -> what it is about -> rater -> label. Of a section: (its key, the other summary).
# Those of headings by themselves stand under HEADING as well as under their part.
PartLabels = dict[str, dict[Hashable, dict[Hashable, float]]]
HEADING = "heading"
SLOTS = {  # of others: the statement
    "overview_sections": "overview",
    "heading_section": "section",
    "section_summary": "section",
}


def part_labels(data: AnalysisInput) -> PartLabels:
    """Return the labels of each part that was asked about; a rater counts once."""
    by_part: PartLabels = {}
    for measure in data.measures:
        if not (part := part_of(measure)):
            continue
        votes = counted_once(data.counted[data.counted["question"] == measure.key])
        units: list[Hashable] = list(votes[SLOTS.get(measure.kind, "statement")])
        if part == COVERAGE:
            units = list(zip(units, votes["summary"], strict=True))
        labels = by_part.setdefault(part, {})
        if measure.kind == "heading_section":
            by_part[HEADING] = {unit: labels.setdefault(unit, {}) for unit in units}
        for unit, rater, score in zip(units, votes["worker"], votes["score"], strict=True):
            labels.setdefault(unit, {})[rater] = float(score)
    return {part: labels for part, labels in by_part.items() if labels}


def labelled_summaries(parts: pd.DataFrame, votes: PartLabels) -> list[LabelledSummary]:
    """Return the summaries of the topics that have labels, with the labels of their parts."""
    units = [unit for labels in votes.values() for unit in labels]
    keys = {unit[1] if isinstance(unit, tuple) else str(unit).rpartition(":")[0] for unit in units}
    topics = set(parts[parts["response"].isin(keys)]["topic"])
    own_parts = parts[parts["topic"].isin(topics)]
    sections = own_parts[own_parts["kind"] == "section"]
    sections_by_topic = {
        topic: [f"{r}:{line}" for r, line in zip(rows["response"], rows["line"], strict=True)]
        for topic, rows in sections.groupby("topic", sort=False)
    }
    return [
        _summary(str(key), rows, sections_by_topic.get(rows["topic"].iloc[0], []), votes)
        for key, rows in own_parts.groupby("response", sort=True)
        if (rows["kind"] == "overview").any()
    ]


def _summary(
    key: str, rows: pd.DataFrame, topic_sections: list[str], votes: PartLabels
) -> LabelledSummary:
    overview = rows[rows["kind"] == "overview"].iloc[0]
    sections = rows[rows["kind"] == "section"]
    covered = votes.get(COVERAGE, {})
    return LabelledSummary(
        key=key,
        topic=str(overview["topic"]),
        overview={
            part: _label(votes, part, f"{key}:{overview['line']}") for part in ("os", "of", "or_")
        },
        sections=[_section(key, int(line), rows, votes) for line in sections["line"]],
        covered={
            section: covered[section, key]
            for section in topic_sections
            if (section, key) in covered
        },
        every=topic_sections,
        overview_first=bool((overview["line"] < sections["line"]).all()),
    )


def _section(key: str, line: int, rows: pd.DataFrame, votes: PartLabels) -> LabelledSection:
    inside = rows[(rows["section"] == line) & (rows["kind"] == "statement")]
    units = [f"{key}:{line_number}" for line_number in inside["line"]]
    faithful = [
        _label(votes, "sf", unit) if cites else 0.0  # no document entails it where it cites none
        for unit, cites in zip(units, inside["cites"], strict=True)
    ]
    return LabelledSection(
        key=f"{key}:{line}",
        heading=[_label(votes, "hr", unit) for unit in units],
        heading_itself=_heading_itself(f"{key}:{line}", rows[rows["section"] == line], votes),
        relevance=[_label(votes, "srel", unit) for unit in units],
        faithfulness=faithful,
    )


def _heading_itself(section: str, inside: pd.DataFrame, votes: PartLabels) -> Sequence[Label]:
    """Return the labels of a heading, if they were asked for; one without words fits nothing."""
    labels = votes.get(HEADING, {})
    if not labels:
        return ()
    headings = inside[(inside["kind"] == "heading") & (inside["characters"] > 0)]
    return [labels.get(section) if len(headings) else 0.0]


def _label(votes: PartLabels, part: str, unit: str) -> Label:
    """Return the label of a unit; None if only others were asked about."""
    return votes[part].get(unit) if part in votes else 0.0
