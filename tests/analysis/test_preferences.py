"""Grades, rankings and positions need a question that chooses between two texts."""

import pandas as pd
import pytest

from analysis.analyses.grades import grades
from analysis.analyses.positions import positions
from analysis.analyses.preferences import NoPreference
from analysis.analyses.stability import stability
from analysis.inputs.asked import Asked


def asked(options, **parameters):
    frame = pd.DataFrame(
        [("x|y", "x", "y", "t", "bob", "stars", value, "a,b", True) for value in options],
        columns=["item", "a", "b", "topic", "worker", "question", "value", "shown", "counted"],
    )
    return Asked(
        frame=frame.assign(gold=frame["value"]),
        options=options,
        parameters={"draws": 10} | parameters,
        seed=1,
        options_of={"stars": options},
    )


@pytest.mark.parametrize("analysis", [grades, positions, stability])
def test_scores_are_no_preferences(analysis):
    with pytest.raises(NoPreference, match="does not choose between the two texts"):
        analysis(asked(("1", "2", "3")))


def test_preferences_are_graded():
    assert len(grades(asked(("a", "n", "b")))["grades"]["rows"]) == 2


def test_the_model_of_ties_is_a_parameter():
    options = ("a", "a", "n", "b")
    rao_kupper, davidson = (
        grades(asked(options, ties=ties, tie_parameter="estimated"))["grades"]["rows"]
        for ties in ("rao-kupper", "davidson")
    )
    assert rao_kupper != davidson
