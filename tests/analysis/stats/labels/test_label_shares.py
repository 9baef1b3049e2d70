"""Shares of a label against scipy's Wilson interval."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from analysis.stats.errors import BadSetting
from analysis.stats.labels.label_shares import label_shares
from tests.analysis.coded_errors import cannot_compute


def votes(*labels):
    return pd.DataFrame({"item": "i", "value": labels})


@given(yes=st.integers(0, 30), no=st.integers(0, 30), confidence=st.floats(0.5, 0.99))
def test_the_interval_is_that_of_scipy(yes, no, confidence):
    if yes + no == 0:
        return
    frame = votes(*["yes"] * yes, *["no"] * no)
    (row,) = label_shares(frame, positive={"yes"}, confidence=confidence).frame.to_dict("records")
    known = binomtest(yes, yes + no).proportion_ci(confidence, method="wilson")
    assert row["share"] == pytest.approx(yes / (yes + no))
    assert (row["low"], row["high"]) == pytest.approx((known.low, known.high), abs=1e-12)
    assert row["n"] == yes + no


def test_several_labels_may_be_positive_and_empty_ones_do_not_count():
    frame = label_shares(votes("yes", "partly", "no", None), positive={"yes", "partly"}).frame
    assert frame["share"].tolist() == [2 / 3]


def test_it_says_what_is_missing():
    with cannot_compute("no_labels"):
        label_shares(votes(None), positive={"yes"})
    with cannot_compute("no_positive_option"):
        label_shares(votes("yes"), positive=())
    with pytest.raises(BadSetting):
        label_shares(votes("yes"), positive={"yes"}, confidence=1)
