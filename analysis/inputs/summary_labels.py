"""Structured summaries with the labels of their parts. Only reads."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.inputs.analysis_input import AnalysisInput
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import COVERAGE, PAIR, part_of
from analysis.stats.effects.linear_scores import Label
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


def part_labels(
    data: AnalysisInput,
    measures: Sequence[Measure] | None = None,
    votes: pd.DataFrame | None = None,
) -> PartLabels:
    """Return the labels of each part that was asked about.

    A rater counts once: several labels of one unit, such as an overview in two pairs, are averaged.
    """
    assert data.parts is not None  # Reads.SUMMARIES brings them
    section_by_heading = _sections_by_heading(data.parts)
    counted = data.counted if votes is None else votes
    scores: dict[str, dict[Hashable, dict[Hashable, list[float]]]] = {}
    for measure in data.measures if measures is None else measures:
        if not (part := part_of(measure)):
            continue
        answers = counted[counted["question"] == measure.key]
        units = _units(answers, measure, part)
        is_heading = part == "hr" and measure.name == "heading"
        if is_heading:
            units = [section_by_heading.get(str(unit), "") for unit in units]
        names = [part, HEADING] if is_heading or measure.kind == "heading_section" else [part]
        for name in names:
            of_part = scores.setdefault(name, {})
            for unit, rater, score in zip(units, answers["worker"], answers["score"], strict=True):
                of_part.setdefault(unit, {}).setdefault(rater, []).append(float(score))
    return {
        part: {
            unit: {rater: float(np.mean(given)) for rater, given in labels.items()}
            for unit, labels in of_part.items()
        }
        for part, of_part in scores.items()
        if of_part
    }


def _units(votes: pd.DataFrame, measure: Measure, part: str) -> list[Hashable]:
    """Return the key of the part that each vote labels; of a section with the other summary."""
    if measure.kind != PAIR:
        units: list[Hashable] = list(votes[SLOTS.get(measure.kind, "statement")])
        return list(zip(units, votes["summary"], strict=True)) if part == COVERAGE else units
    places = [str(item).rpartition("/")[2] for item in votes["item"]]
    parts = [row[place] for place, row in zip(places, votes.to_dict("records"), strict=True)]
    if part != COVERAGE:
        return parts
    owners = (str(key).rpartition(":")[0] for key in parts)
    others = [
        b if owner == a else a for owner, a, b in zip(owners, votes["a"], votes["b"], strict=True)
    ]
    return list(zip(parts, others, strict=True))


def _sections_by_heading(parts: pd.DataFrame) -> Mapping[str, str]:
    """Return the key of the section by that of its heading."""
    headings = parts[parts["kind"] == "heading"]
    return {
        f"{response}:{line}": f"{response}:{section}"
        for response, line, section in zip(
            headings["response"], headings["line"], headings["section"], strict=True
        )
    }


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
