"""Differences of two revisions: all orders of the changes, and shares that add up."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.retrieval.revisions import EXACT, revision_difference
from tests.analysis.coded_errors import cannot_compute

VALUES = pd.DataFrame(
    [
        (system, "t", entry, value)
        for system, values in {"x": (1, 1, 0, 1), "y": (1, 0, 1, 0)}.items()
        for entry, value in zip("abcd", values, strict=True)
    ],
    columns=["system", "topic", "entry", "value"],
)
BEFORE = {"t": {"a": 1.0, "b": 1.0}}


def compared(now, before=BEFORE, **changes):
    return revision_difference(VALUES, before, {"t": now}, ["x", "y"], **changes)


def test_an_edit_is_one_change_with_the_difference_of_both_wordings():
    result = compared({"a": 1.0, "c": 1.0}, replaces={"c": "b"})
    assert result.board["before"].tolist() == [1, 0.5]
    assert result.board["now"].tolist() == [0.5, 1]
    assert result.board["difference"].tolist() == [-0.5, 0.5]
    causes = result.causes.set_index("system")
    assert causes["entry"].to_dict() == {"x": "c", "y": "c"}
    assert causes["replaces"].to_dict() == {"x": "b", "y": "b"}
    assert causes["difference"].to_dict() == {"x": -0.5, "y": 0.5}


def test_without_a_link_an_edit_is_an_entry_added_and_one_retired():
    causes = compared({"a": 1.0, "c": 1.0}).causes
    assert set(causes["change"]) == {"added", "retired"}


def plain_shapley(before, now, values):
    """Return the mean marginal gain of each change over all orders, by a loop over them."""
    changed = [entry for entry in {**before, **now} if before.get(entry, 0) != now.get(entry, 0)]

    def score(bank):
        total = sum(bank.values())
        return sum(bank[e] * values[e] for e in bank) / total if total else 0

    shares = dict.fromkeys(changed, 0.0)
    orders = list(permutations(changed))
    for order in orders:
        bank = dict(before)
        for entry in order:
            was = score(bank)
            bank[entry] = now.get(entry, 0)
            shares[entry] += (score(bank) - was) / len(orders)
    return shares


BANKS = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.5, 1.0]), min_size=1)


@given(BANKS, BANKS, st.lists(st.sampled_from([0, 0.5, 1]), min_size=6, max_size=6))
@settings(max_examples=60)
def test_shares_equal_the_mean_over_all_orders_and_add_up(before, now, given_values):
    values = dict(zip("abcdef", given_values, strict=True))
    rows = [("x", "t", entry, value) for entry, value in values.items()]
    frame = pd.DataFrame(rows, columns=VALUES.columns)
    result = revision_difference(frame, {"t": before}, {"t": now}, ["x"])
    ours = dict(zip(result.causes["entry"], result.causes["difference"], strict=True))
    assert ours == pytest.approx(plain_shapley(before, now, values))
    assert sum(ours.values()) == pytest.approx(result.board["difference"].item())


def test_shares_of_many_changes_add_up_and_are_close_to_the_exact_ones():
    rng = np.random.default_rng(1)
    entries = [f"e{n}" for n in range(EXACT + 8)]
    rows = [("x", "t", entry, float(rng.random() < 0.5)) for entry in entries]
    frame = pd.DataFrame(rows, columns=VALUES.columns)
    before = {"t": dict.fromkeys(entries[:4], 1.0)}
    now = {"t": dict.fromkeys(entries, 1.0)}
    result = revision_difference(frame, before, now, ["x"])
    assert len(result.causes) == EXACT + 4
    assert result.causes["difference"].sum() == pytest.approx(result.board["difference"].item())
    again = revision_difference(frame, before, now, ["x"])
    assert again.causes.equals(result.causes)


def test_topics_in_one_revision_alone_are_named_and_left_out():
    before, now = {"t": {"a": 1.0}, "u": {"z": 1.0}}, {"t": {"b": 1.0}}
    result = revision_difference(VALUES, before, now, ["x", "y"])
    assert result.left_out == ("u",)
    assert result.board["topics"].tolist() == [1, 1]
    with cannot_compute("empty_bank"):
        revision_difference(VALUES, {"u": {"z": 1.0}}, now, ["x"])


def test_values_that_nobody_gave_are_counted():
    result = compared({"a": 1.0, "new": 1.0}, replaces={"new": "b"})
    assert result.board["unknown"].tolist() == [1, 1]
    assert result.board["now"].tolist() == [0.5, 0.5]
