"""Votes drawn from the mixed model (mixed.py), to try designs and methods on a known truth."""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.tie_models import logistic


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth:
    """True effects from which votes are drawn.

    merits (T, n): of the n responses to T topics; systems (n,): of the responses.
    lean (W, G), habit (W,), scale (W,): of the workers. tie_parameter, side: of all.
    """

    merits: Floats
    systems: Ints
    lean: Floats
    habit: Floats
    scale: Floats
    tie_parameter: float
    side: float

    def vote(
        self, topic: Ints, a: Ints, b: Ints, worker: Ints, left: Floats, rng: np.random.Generator
    ) -> Ints:
        """Return votes 1, 0 or -1 on responses a and b; left is 1 where a is on the left, or -1."""
        gap = self.merits[topic, a] - self.merits[topic, b]
        lean = self.lean[worker, self.systems[a]] - self.lean[worker, self.systems[b]]
        eta = self.scale[worker] * gap + lean + (self.side + self.habit[worker]) * left
        u = rng.random(len(eta))
        win = u < logistic(eta - self.tie_parameter)
        loss = u > 1 - logistic(-eta - self.tie_parameter)
        return win.astype(np.int64) - loss
