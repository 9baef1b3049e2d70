"""Votes drawn from the mixed model (mixed.py), to try designs and methods on a known truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.tie_models import logistic
from analysis.stats.errors import BadSetting


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


def draw_truth(
    components: Components,
    *,
    systems_merit: Sequence[float],
    responses_per_system: int,
    topics: int,
    workers: int,
    tie_parameter: float,
    side: float,
    rng: np.random.Generator,
) -> Truth:
    """Draw topics, responses and workers. Raises BadSetting."""
    for name, value in (
        ("topics", topics),
        ("workers", workers),
        ("responses_per_system", responses_per_system),
        ("systems", len(systems_merit)),
    ):
        if value < 1:
            raise BadSetting(name, value, "1 or more")
    G = len(systems_merit)
    systems = np.repeat(np.arange(G), responses_per_system)
    of_system = components.system_topic * rng.normal(size=(topics, G))
    response_merit = components.response * rng.normal(size=(topics, len(systems)))
    return Truth(
        merits=np.asarray(systems_merit)[systems] + of_system[:, systems] + response_merit,
        systems=systems,
        lean=components.lean / np.sqrt(2) * rng.normal(size=(workers, G)),
        habit=components.habit * rng.normal(size=workers),
        scale=np.exp(components.discrimination * rng.normal(size=workers)),
        tie_parameter=tie_parameter,
        side=side,
    )
