"""True effects of topics, responses and workers, drawn from the components of the mixed model."""

from collections.abc import Sequence

import numpy as np

from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_votes import Truth
from analysis.stats.errors import BadSetting


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
