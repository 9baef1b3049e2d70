"""A judge beside people: how much more it likes a system, and how far they agree on a part."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.judges.agreement import ALIKE, judge_measure
from analysis.stats.judges.judge_comparison import Judge
from analysis.stats.judges.tables import PeopleVotes, accuracy_of

OPTIONS = ("a", "n", "b")
SYSTEMS = pd.Series({"x": "one", "y": "other"})
WORDS = pd.Series({"x": 300.0, "y": 200.0})


def said(rng, topics, workers, *, lean):
    """Votes on a pair of either system in each topic; people lean to either, each by their own."""
    leans = rng.normal(0, lean, workers)
    rows = []
    for topic in range(topics):
        for worker in rng.choice(workers, 4, replace=False):
            p = 1 / (1 + np.exp(-rng.normal(0, 0.3) - leans[worker]))
            value = rng.choice(OPTIONS, p=[p * 0.8, 0.2, (1 - p) * 0.8])
            rows.append((f"u{topic:02}", f"w{worker}", value, f"t{topic}", "x", "y"))
    return pd.DataFrame(rows, columns=["unit", "worker", "value", "topic", "first", "second"])


def judge_of(rng, votes, value=None):
    labels = votes.drop_duplicates("unit").assign(worker="j")
    labels["value"] = rng.choice(["a", "b"], len(labels)) if value is None else value
    return Judge(
        name="j", labels=labels, asked=labels, people=PeopleVotes.of(votes, options=OPTIONS),
        votes=votes, numbers=np.array([1, 0.5, 0]), is_pair=True,
    )  # fmt: skip


def without(judge, gone):
    votes = judge.votes[~gone]
    return replace(judge, votes=votes, people=PeopleVotes.of(votes, options=OPTIONS))


@pytest.mark.parametrize("habit", ["system", "longer"])
def test_the_difference_to_people_is_over_topics_and_people(habit):
    """As if each topic, person, and person in a topic were left out by hand."""
    rng = np.random.default_rng(1)
    judge = judge_of(rng, said(rng, 15, 12, lean=1.0))

    def value_of(one):
        if habit == "system":
            return one.for_system(SYSTEMS, "one", 0.95)["difference"]
        return one.longer(WORDS, 0.95)["difference"]

    found, votes = value_of(judge), judge.votes
    moved = [
        found.value - np.array([value_of(without(judge, part)).value for part in parts])
        for parts in (
            [votes["topic"] == topic for topic in votes["topic"].unique()],
            [votes["worker"] == worker_name for worker_name in votes["worker"].unique()],
            [votes.index == each for each in votes.index],
        )
    ]
    error, degrees = error_of_leaps(*moved)
    half = scipy.stats.t.ppf(0.975, degrees) * error
    assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half))


def test_people_who_lean_widen_it_and_few_are_taken_as_given():
    wide = {}
    for workers in (9, 10):
        rng = np.random.default_rng(2)
        judge = judge_of(rng, said(rng, 40, workers, lean=1.5))
        difference = judge.for_system(SYSTEMS, "one", 0.95)["difference"]
        wide[workers] = difference.high - difference.low
    assert wide[10] > 1.2 * wide[9]


def test_a_judge_that_never_differs_from_people_has_no_interval_of_no_width():
    rng = np.random.default_rng(3)
    votes = said(rng, 12, 10, lean=0).assign(value="a")
    difference = judge_of(rng, votes, "a").for_system(SYSTEMS, "one", 0.95)["difference"]
    assert (difference.value, difference.why) == (0, ALIKE.format("the preference"))
    assert np.isnan([difference.low, difference.high]).all()


def test_agreement_on_a_part_is_that_of_its_items_alone():
    rng = np.random.default_rng(4)
    judge = judge_of(rng, said(rng, 30, 12, lean=1.0))
    part = np.arange(30) % 2 == 0
    found = judge.agreement_on(part, 0.95)
    units = [judge.people.units[each] for each in np.flatnonzero(part)]
    alone = without(judge, ~judge.votes["unit"].isin(units))
    expected = judge_measure(alone.tables, accuracy_of, name="the accuracy")
    assert found.value == pytest.approx(expected.value)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert (found.units, found.over) == (15, "topics and people")
