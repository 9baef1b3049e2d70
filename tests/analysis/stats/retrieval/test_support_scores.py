"""Support of statements by the passages that they cite, by hand."""

import pandas as pd
import pytest

from analysis.stats.retrieval.support_scores import support_board
from tests.analysis.coded_errors import cannot_compute

STATEMENTS = pd.DataFrame(
    [
        ("x", "t", 1, True, 1.0),
        ("x", "t", 2, True, 0.5),
        ("x", "t", 3, False, float("nan")),
        ("x", "u", 1, False, float("nan")),
        ("y", "t", 1, True, float("nan")),
    ],
    columns=["system", "topic", "statement", "cited", "support"],
)


def test_support_precision_is_over_cited_and_recall_over_all_statements():
    board = support_board(STATEMENTS, ["x", "y"], ["t", "u"]).set_index(["system", "measure"])
    assert board["value"]["x", "support precision"] == pytest.approx(0.75 / 2)
    assert board["value"]["x", "support recall"] == pytest.approx(0.5 / 2)
    assert board["value"]["y", "support precision"] == 0  # its only citation is unjudged
    assert board["judged"]["y", "support recall"] == 0
    assert board["missing"]["y", "support recall"] == 1
    with cannot_compute("missing_columns"):
        support_board(STATEMENTS.drop(columns="cited"), ["x"], ["t"])
