"""Limits of ranks of texts: questions that only rank, and topics without ranks.

A topic has no ranks if its comparisons are too few or fall into parts.
"""

from collections.abc import Collection, Mapping

from analysis.inputs.measures import Does
from analysis.inputs.scorers import scorer_of
from analysis.inputs.selected_rows import selected_rows
from analysis.pages.results.run_results import RunResults

GRADE = "grade"  # what scores are called that are places, counted from the worst
Unplaced = Mapping[tuple[str, str], str]


def graded_in(found: RunResults) -> set[str]:
    """Return the questions (keys) whose scores are grades, which ranks make redundant."""
    return {
        measure.key
        for measure in found.scored
        if scorer_of(measure, found.parameters).name == GRADE
    }


def unplaced_of(found: RunResults, topics: Collection[str]) -> Unplaced:
    """Return the reasons by question and topic (keys); older runs have stored none."""
    if not any(measure.does == Does.COMPARES for measure in found.scored):
        return {}
    steps = selected_rows(found.run, "grades", "grades", column="topic", values=topics)
    return {
        (row["question"], row["topic"]): row["why"]
        for step in steps
        for row in step.rows
        if row.get("why")
    }
