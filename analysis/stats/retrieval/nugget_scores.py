"""Scores of answers by nuggets, as nuggetizer computes them, and by avoided nuggets.

Pradeep et al. (2024), the AutoNuggetizer framework: an answer supports a nugget (1), partially
(0.5) or not (0). All and vital average that over all nuggets and over the vital ones; strict counts
full support alone; weighted gives an okay nugget half the weight of a vital one. An answer to a
topic without nuggets of a kind scores 0. Okay is the same over the okay nuggets. Avoid is the
supported share of what an answer must not say: less is better, and the other scores leave it out.
"""

from collections.abc import Mapping

SUPPORT: Mapping[str, float] = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
VITAL, OKAY, AVOID = "vital", "okay", "avoid"
NUGGET_SCORES = (
    "vital", "strict vital", "okay", "all", "strict all", "weighted", "strict weighted", "avoid",
)  # fmt: skip
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "vital": {VITAL: 1.0},
    "okay": {OKAY: 1.0},
    "all": {VITAL: 1.0, OKAY: 1.0},
    "weighted": {VITAL: 1.0, OKAY: 0.5},
    "avoid": {AVOID: 1.0},
}
