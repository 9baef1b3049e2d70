"""What scores tell of systems when there is enough of them, and what a label is as a score."""

import pytest

from analysis.inputs.scores import unit_scores
from analysis.pages.results.run_results import RunResults
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from tests.analysis.inputs.test_scores import SYSTEMS, TOPICS, run_of
from tests.analysis.runs.polls import analysed, vote
from tests.cast import small_study, tiny_instrument

pytestmark = pytest.mark.django_db(transaction=True)


def test_enough_topics_and_workers_tell_the_best_system_from_the_worst():
    results = RunResults(run_of("crowdrag-pointwise", topics=TOPICS))
    rows = results.records("groups", "means", by="system", question=results.headline)
    letters = {row["group"]: set(row["letters"]) for row in rows}
    assert list(letters) == [name.lower() for name in SYSTEMS]
    assert not letters["amber"] & letters["dune"]
    assert rows[0]["low"] > rows[-1]["high"]


def test_a_label_that_is_the_better_one_is_a_score_by_its_share():
    yes = OptionSpec("y", "Yes", "label", polarity="positive")
    scale = ScaleSpec("label", "options", options=[yes, OptionSpec("n", "No", "label")])
    question = QuestionSpec("better", "better", "label", "Is it right?")
    instrument = tiny_instrument(
        name="crowdrag-pointwise", item_kind="response", scales=[scale], questions=[question]
    )
    study = small_study(
        instrument=instrument, responses=3, quota=9, batch={"closes_when_full": False}
    )
    for name, letters in {"bob": "yyn", "dora": "yny", "emil": "ynn"}.items():
        vote(study, name, letters)
    table = unit_scores(analysed(study))
    table = table[table["level_of_unit"] == "response"]
    assert dict(zip(table["unit"], table["value"], strict=True)) == {
        "t1a": 1,
        "t1b": pytest.approx(1 / 3),
        "t1c": pytest.approx(1 / 3),
    }
    assert set(table["method"]) == {"share of a label"}
    assert (table["n"] == 3).all()
