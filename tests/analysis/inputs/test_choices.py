"""Best and worst of the same items are one choice, and its marks are one row a unit."""

import pandas as pd

from analysis.inputs.choices import choices_of, marks
from analysis.inputs.measures import Does, Option
from analysis.inputs.scorers import scored_measures
from tests.analysis.inputs.measured import measure

SLOTS = ("a", "b", "c", "d")


def choosing(key, polarity, criterion="Quality"):
    made = measure(key=key, does=Does.CHOOSES, kind="block", criterion=criterion)
    options = tuple(Option(slot, slot, polarity=polarity) for slot in SLOTS)
    return type(made)(**{**made.__dict__, "options": options})


def test_best_and_worst_by_one_criterion_are_one_measure():
    worst, best = choosing("quality_worst", "worst"), choosing("quality_best", "best")
    other = choosing("style_best", "best", criterion="Style")
    first, second = choices_of([worst, best, other])
    assert first.parts == (best, worst)
    assert (first.measure.key, first.measure.title) == ("quality_best-quality_worst", "Quality")
    assert (second.parts, second.measure) == ((other,), other)
    assert [each.key for each in scored_measures([worst, best, other])] == [
        "quality_best-quality_worst",
        "style_best",
    ]


def test_an_answer_has_a_row_for_each_unit_that_it_had_before_it():
    best, worst = choosing("best", "best"), choosing("worst", "worst")
    votes = pd.DataFrame(
        {
            "question": ["best", "worst", "best"],
            "worker": ["bob", "bob", "dora"],
            "item": "i",
            "shown": "a,b,c,d",
            "topic": "t1",
            "value": ["b", "d", "a"],
            "a": "t1a", "b": "t1b", "c": "t1c", "d": "t1d",
        }
    )  # fmt: skip
    (choice,) = choices_of([best, worst])
    found = marks(choice, votes).pivot_table(index="answer", columns="unit", values="mark")
    assert found.to_numpy().tolist() == [[0, 1, 0, -1], [1, 0, 0, 0]]
