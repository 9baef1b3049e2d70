"""Step of the fixed effects of a large mixed model (mixed.py) for the determinant of its Hessian.

The mode of fixed and random effects together is drawn to 0 in the fixed ones, because the
determinant of the random effects' Hessian H_vv changes with them (Breslow and Lin 1995): with 17
votes a response, a difference of .50 became .42. One Newton step on Laplace's log-likelihood is

    -(1/2) d log|H_vv| / d h = -(1/2) tr(H_vv^-1 dH_vv / dh),  along h = each column of H^-1.

Traces are means of z' H_vv^-1 dH_vv z over random signs z (Hutchinson 1990), the derivative is a
difference.
"""

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.mixed_curvature import SparseCurvature
from analysis.stats.bradley_terry.mixed_newton import (
    Effects,
    ModelDesign,
    Precision,
    check_time,
    moved,
    times_random,
)

PROBES = 32
NUDGE = 1e-4  # of the fixed effects


def determinant_step(
    design: ModelDesign,
    effects: Effects,
    precision: Precision,
    curvature: SparseCurvature,
    *,
    until: float,
) -> Floats:
    """Return what the determinant adds to each fixed effect at the mode: (F,)."""
    F, rng = len(effects.fixed), np.random.default_rng(0)
    response = rng.choice([-1.0, 1.0], (len(effects.response), PROBES))
    worker = rng.choice([-1.0, 1.0], (*effects.worker.shape, PROBES))
    of_response, of_worker = curvature.solve_random(response, worker)
    step = np.empty(F)
    for f in range(F):
        check_time(until)
        alone = np.zeros(F + len(effects.response))
        alone[f] = 1
        along = curvature.solve(alone, np.zeros_like(effects.worker))
        by, traces = NUDGE / np.abs(along[0][:F]).max(), []
        for sign in (1, -1):
            nudged = moved(effects, along, sign * by)
            r, w = times_random(design, nudged, precision, response, worker)
            traces.append(((of_response * r).sum() + (of_worker * w).sum()) / PROBES)
        step[f] = (traces[1] - traces[0]) / (4 * by)
    return step
