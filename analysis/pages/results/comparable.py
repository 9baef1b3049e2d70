"""What places say of texts: which questions do nothing but rank, and in which topics the texts have
no place, because their comparisons are too few for one or fall into parts. Only reads."""

from collections.abc import Collection, Mapping

from analysis.inputs.measures import Does
from analysis.inputs.scores import scorer_of
from analysis.inputs.selected_rows import selected_rows
from analysis.pages.results.found import RunResults

GRADE = "grade"  # what scores are called that are places, counted from the worst
Unplaced = Mapping[tuple[str, str], str]


def graded_in(found: RunResults) -> set[str]:
    """The questions (keys) whose scores are grades: whoever reads a place needs no grade."""
    return {each.key for each in found.scored if scorer_of(each, found.parameters).name == GRADE}


def unplaced_of(found: RunResults, topics: Collection[str]) -> Unplaced:
    """Why, by question and topic (keys); of these topics. Older runs have not stored it."""
    if not any(each.does == Does.COMPARES for each in found.scored):
        return {}
    steps = selected_rows(found.run, "grades", "grades", column="topic", values=topics)
    return {
        (row["question"], row["topic"]): row["why"]
        for step in steps
        for row in step.rows
        if row.get("why")
    }
