"""SGSS: evenness of a summary's coverage of the sections of all summaries on its topic.

Sakai et al., section 3: Comp = 1 - JSD_2(F, U), the Jensen-Shannon divergence (base 2) of the gains
over the K sections of all summaries, F_k = g_k / sum g, from the uniform U. The own sections of a
summary gain 1, others by their labels: 1 (covered), .5 (partly) or 0.
"""

from collections.abc import Sequence

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute


def comprehensiveness(gains: Sequence[float]) -> float:
    """Return Comp of a summary from its gains over all K sections, own ones with 1.

    1 is even coverage. Raises CannotCompute (no_sections_covered), BadSetting.
    """
    g = np.asarray(gains, dtype=np.float64)
    if not len(g) or (g < 0).any() or (g > 1).any():
        raise BadSetting("gains", list(gains), "one or more numbers from 0 to 1")
    if not g.sum():
        raise CannotCompute(
            "no_sections_covered",
            "Comprehensiveness cannot be computed because the summary covers no section.",
        )
    F, U = g / g.sum(), np.full(len(g), 1 / len(g))
    middle = (F + U) / 2
    return float(1 - (_divergence(F, middle) + _divergence(U, middle)) / 2)


def _divergence(p: Floats, q: Floats) -> float:
    """Return the Kullback-Leibler divergence in bits; terms with p = 0 add nothing."""
    positive = p > 0
    return float((p[positive] * np.log2(p[positive] / q[positive])).sum())
