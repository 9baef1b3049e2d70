"""The confidence that a run was asked for is that of all its intervals."""

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.agreement import agreement, differentiable
from analysis.analyses.grades import grades
from analysis.inputs.asked import Asked, frame_of

OPTIONS = ("a", "n", "b")


def some_votes():
    """30 pairs of five topics; five of nine workers a pair, who prefer the slot a a little."""
    rng = np.random.default_rng(1)
    rows = [
        (f"x{k}|y{k}", f"x{k % 3}", f"y{k % 2}", f"t{k % 5}", f"w{w}", rng.choice(OPTIONS))
        for k in range(30)
        for w in rng.permutation(9)[:5]
    ]
    frame = pd.DataFrame(rows, columns=["item", "a", "b", "topic", "worker", "value"])
    return frame.assign(question="q", counted=True, gold=frame["value"])


@pytest.mark.parametrize(
    ("analysis", "name", "low", "high"),
    [
        (agreement, "agreement", "low", "high"),
        (differentiable, "parts", "low", "high"),
        (grades, "grades", "merit_low", "merit_high"),
    ],
)
def test_less_confidence_makes_narrower_intervals(analysis, name, low, high):
    widths = []
    for confidence in (0.5, 0.95):
        parameters = {"confidence": confidence, "draws": 100}
        asked = Asked(some_votes(), OPTIONS, parameters, seed=1, options_of={"q": OPTIONS})
        found = frame_of(analysis(asked)[name])
        widths.append((found[high] - found[low]).to_numpy(dtype=float))
    assert (widths[0] < widths[1]).all()
