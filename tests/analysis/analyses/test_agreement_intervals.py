"""Alpha is shown with an interval for other workers and other items at once, or with none."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.agreement import BOTH, TOPICS, agreement
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.pages.results.details import corrected_line
from analysis.stats.agreement.alpha import krippendorff_alpha, percent_agreement
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.design_checks import About
from analysis.stats.votes import Votes
from tests.analysis.analyses.test_confidence import OPTIONS, some_votes
from tests.analysis.inputs.measured import measure
from tests.hooks import numbers


def tables(frame, **parameters):
    asked = AnalysisInput(frame, [measure(*OPTIONS, key="q")], {"draws": 100} | parameters, seed=1)
    found = agreement(asked)
    return frame_of(found["agreement"]), frame_of(found["undefined"])


def alpha_over(frame, what):
    return frame[(frame["measure"] == "alpha") & (frame["resampled"] == what)].iloc[0]


def test_the_interval_to_report_is_over_workers_and_items():
    table, undefined = tables(some_votes())
    both, items = alpha_over(table, BOTH), alpha_over(table, "items")
    assert both["value"] == items["value"]
    assert both["low"] < both["value"] < both["high"]
    assert both["high"] - both["low"] > 0.9 * (items["high"] - items["low"])
    assert "alpha" not in set(undefined["measure"])


def test_few_workers_have_an_interval_about_themselves_over_topics():
    frame = some_votes()
    few = frame[~frame["worker"].isin(["w0", "w10", "w11"])]
    topics = few["item"].map({item: f"t{n % 15}" for n, item in enumerate(few["item"].unique())})
    table, undefined = tables(few.assign(topic=topics))
    row = alpha_over(table, TOPICS)
    assert row[["low", "high"]].notna().all()
    assert row["about"] == About.THESE
    alone = table[table["resampled"] == "workers"]
    assert len(alone)
    assert alone[["low", "high"]].isna().all(axis=None)
    assert "alpha" not in set(undefined["measure"])
    _, undefined = tables(few.assign(topic="t"))
    reason = next(iter(undefined[undefined["measure"] == "alpha"]["reason"]))
    assert numbers(reason) == [10, 1]


def test_two_items_are_no_perfect_agreement_with_an_interval():
    # issue 10: alpha 1 [1, 1], with half of the draws undefined, and not said
    rows = [("x|y", "x", "y", "t", w, "a") for w in "uvw"]
    rows += [("p|q", "p", "q", "t", w, "b") for w in "uvw"]
    frame = pd.DataFrame(rows, columns=["item", "a", "b", "topic", "worker", "value"])
    table, undefined = tables(frame.assign(counted=True))
    assert alpha_over(table, "items")["value"] == 1
    assert table[table["measure"] == "alpha"][["low", "high"]].isna().all(axis=None)
    of_alpha = undefined[undefined["measure"] == "alpha"].set_index("resampled")["reason"]
    lost, draws = numbers(of_alpha["items"])
    assert draws == 100
    assert 0 < lost <= draws


def test_the_published_pipeline_has_the_rows_that_it_had():
    table, _ = tables(some_votes(), compat="gienapp2025")
    assert set(table["resampled"]) == {"items", "workers"}


def many_options(options, level="nominal", items=1300, workers=40):
    rng = np.random.default_rng(3)
    rows = [
        (item, worker, str(rng.integers(options)))
        for item in range(items)
        for worker in rng.permutation(workers)[:3]
    ]
    frame = pd.DataFrame(rows, columns=["item", "worker", "value"])
    return Votes.from_frame(frame, options=[str(k) for k in range(options)])


def test_a_thousand_options_ask_for_little_memory():
    # issue 10: 10 GiB, which is a matrix of all options for each item
    votes = many_options(1000)
    tracemalloc.start()
    percent_agreement(votes, draws=0)
    assert tracemalloc.get_traced_memory()[1] < 500e6
    tracemalloc.stop()
    votes = many_options(1000, items=60, workers=12)
    tracemalloc.start()
    krippendorff_alpha(votes, level="nominal", draws=2)
    found = crossed_alpha(votes, level="nominal")
    assert found.low < found.value < found.high
    assert tracemalloc.get_traced_memory()[1] < 500e6
    tracemalloc.stop()


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_options_that_nobody_chose_change_nothing(level):
    votes = many_options(7, items=40)
    more = Votes.from_frame(votes_frame(votes), options=[str(k) for k in range(50)])
    few, many = (crossed_alpha(each, level=level) for each in (votes, more))
    assert (few.value, few.low, few.high) == pytest.approx((many.value, many.low, many.high))


def votes_frame(votes):
    return pd.DataFrame(
        {
            "item": [votes.items[k] for k in votes.item],
            "worker": [votes.workers[k] for k in votes.worker],
            "value": [votes.options[k] for k in votes.value],
        }
    )


@pytest.mark.parametrize(
    ("row", "figures"),
    [
        ({"low": 0.1, "high": 0.3, "interval_over": "workers and items"}, [95, 0.1, 0.3, 40]),
        ({"low": 0.1, "high": 0.3}, [95, 0.1, 0.3, 40]),  # a run of before: over items
        ({"low": None, "high": None, "alpha_items": 30}, [30]),
    ],
)
def test_the_line_of_competent_raters_has_its_interval_and_its_items(row, figures):
    line = corrected_line({"value": 0.2, "items": 40, **row}, "95%")
    assert numbers(line) == [0.2, *figures]


def test_an_interval_over_items_alone_is_of_these_raters():
    row = {"value": 0.2, "items": 40, "low": 0.1, "high": 0.3}
    assert corrected_line(row, "95%") != corrected_line(row | {"interval_over": BOTH}, "95%")
