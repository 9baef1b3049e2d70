"""Slopes of Laplace's log-likelihood of the mixed model (mixed.py) along its log components.

With height h at the mode x, precision P of the prior and Hessian H without the rows of style,

    L = h - log |H| / 2,   dL = dh - tr(V dP) / 2 + g' H^-1 dP x,   V = H^-1,

because the mode moves by -H^-1 dP x, along which h is flat. g is the gradient of log |H| / 2 in the
effects: it needs the third derivatives of the votes and, of V, only what a vote's own effects have
in common (Kristensen et al. 2016 derive the same by automatic differentiation).
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, total
from analysis.stats.bradley_terry.mixed_curvature import FactoredCurvature
from analysis.stats.bradley_terry.mixed_newton import (
    Components,
    Effects,
    ModelDesign,
    VoteBends,
    between_responses,
    predict,
)
from analysis.stats.bradley_terry.tie_models import logistic


def component_slopes(
    design: ModelDesign, effects: Effects, components: Components, curvature: FactoredCurvature
) -> Floats:
    """Return the slopes at the mode along the logs of the five components: (5,)."""
    inverse = _Inverse.of(design, curvature)
    adjoint = curvature.solve(*_gradient(design, effects, inverse))
    return np.concatenate(
        [
            _of_responses(design, effects, components, inverse, adjoint[0]),
            _of_workers(design, effects, components, inverse, adjoint[1]),
        ]
    )


@dataclass(frozen=True, eq=False)
class _Inverse:
    """Parts of V, whose rows of style are zero.

    fixed (F + R, F): of the fixed side and responses, with the fixed side; pairs (M,): at the rows
    and columns of the design; worker (W, k, k); beside (W, k, F): of workers and the fixed side;
    met (k, E): of workers and the responses that they met.
    """

    fixed: Floats
    pairs: Floats
    worker: Floats
    beside: Floats
    met: Floats

    @classmethod
    def of(cls, design: ModelDesign, curvature: FactoredCurvature) -> "_Inverse":
        coupling, places = curvature.coupling, design.met
        F, K, elimination = coupling.fixed.shape[2], design.style, curvature.factor.elimination
        store = curvature.factor.inverse()
        fixed, pairs = store[elimination.fixed], store[elimination.entries]
        styled = fixed[:, K]
        of_style = np.linalg.solve(styled[K], styled.T)
        if len(K):
            fixed -= styled @ of_style[:, :F]
            pairs -= (styled[F + design.row] * of_style.T[F + design.column]).sum(axis=1)
        # products of lower^-1 C with outer, where they are needed
        of_fixed = coupling.fixed[places.worker]  # (E, k, F)
        met = np.einsum("ekf,ef->ke", of_fixed, fixed[F:][places.response])
        if places.groups:
            met += coupling.met_times_blocks(pairs[len(pairs) - len(places.row) :])
        else:
            responses = elimination.whole(store)[F:, F:]
            met += coupling.met_times(responses - styled[F:] @ of_style[:, F:])
        of_responses = (coupling.rows @ fixed[F:]).reshape(len(met), -1, F)
        beside = coupling.fixed @ fixed[:F] + of_responses.swapaxes(0, 1)
        crossed = np.einsum("wkf,wjf->wkj", beside, coupling.fixed)
        for c in range(len(met)):
            for d in range(len(met)):
                product = met[c] * coupling.met[d]
                crossed[:, c, d] += total(places.worker, product, places.workers)
        root = np.linalg.inv(curvature.lower)
        back = root.swapaxes(1, 2)
        k = crossed.shape[1]
        return cls(
            fixed=fixed,
            pairs=pairs,
            worker=back @ (np.eye(k) + crossed) @ root,
            beside=-back @ beside,
            met=-np.einsum("ekj,je->ke", back[places.worker], met),
        )


def _gradient(design: ModelDesign, effects: Effects, inverse: _Inverse) -> tuple[Floats, Floats]:
    """Return the gradient of log |H| / 2: of the outer side (F + R,), of workers (W, k)."""
    votes, bends = design.votes, VoteBends.of(design, effects, exact=True)
    T, F = int(design.tied), design.contrast.shape[1]
    s, own, w, n = bends.scale, bends.own, votes.worker, len(votes)
    merit = design.contrast * design.scaled
    ties = int(votes.ties.sum())
    side = np.where(design.scaled, 0.0, design.contrast).sum(axis=1)
    at_side = int(np.argmin(design.scaled)) if not design.scaled.all() else 0

    # V between the directions of a vote: c of merits, side, t, and its worker's effects
    met = inverse.met[:, design.met.a] - inverse.met[:, design.met.b]
    w_c = np.einsum("nkf,nf->nk", inverse.beside[w][:, :, :F], merit) + met.T
    w_side = inverse.beside[w, :, at_side]
    fixed = inverse.fixed
    c_fixed = merit @ fixed[:F] + fixed[F + T + votes.a] - fixed[F + T + votes.b]
    c_c = (c_fixed[:, :F] * merit).sum(axis=1) + _twice(design, inverse, merit)
    c_side, side_side = c_fixed[:, at_side], fixed[at_side, at_side]
    c_z = s * c_c + side * c_side + (own * w_c).sum(axis=1)
    w_z = s[:, None] * w_c + side[:, None] * w_side
    w_z += np.einsum("nkj,nj->nk", inverse.worker[w], own)
    side_z = s * c_side + side * side_side + (own * w_side).sum(axis=1)
    q = s * c_z + side * side_z + (own * w_z).sum(axis=1)
    scale_scale = inverse.worker[w, -1, -1]
    r = 2 * s * w_c[:, -1] + own[:, -1] * scale_scale
    u, t_t, c_t, w_t = np.zeros(n), 0.0, np.zeros(n), np.zeros((n, own.shape[1]))
    if T:
        c_t, w_t, t_t = c_fixed[:, F], inverse.beside[w, :, F], float(fixed[F, F])
        u = 2 * (s * c_t + side * fixed[at_side, F] + (own * w_t).sum(axis=1))

    # coefficients of changes of eta, of the difference of merits, and of a worker's log scale
    third = _Third.of(design, effects)
    along_eta = (third.bend_by_eta * (q + third.t**2 * t_t) + bends.bend * r) / 2
    along_eta += third.bend_by_t * u / 2
    y_c, y_scale = bends.bend * c_z + bends.tip * c_t, bends.bend * w_z[:, -1]
    y_scale += bends.tip * w_t[:, -1]
    along_merit = s * y_scale - bends.push * s * scale_scale / 2
    along_scale = s * y_c + own[:, -1] * y_scale - bends.push * r / 2

    W = len(effects.worker)
    worker = np.column_stack([total(w, along_eta * effect, W) for effect in own.T])
    worker[:, -1] += total(w, along_scale, W)
    outer = [bends.fixed.T @ along_eta + merit.T @ along_merit]
    if T:
        tip_by_t = bends.tip + third.t**2 * third.bend_by_eta
        twice = third.bend_by_t @ q + bends.tip @ r + tip_by_t @ u
        outer.append(np.array([(twice + t_t * third.of_t(bends.bend_t, ties)) / 2]))
    outer.append(between_responses(votes, along_eta * s + along_merit))
    return np.concatenate(outer), worker


@dataclass(frozen=True, eq=False)
class _Third:
    """Change of each vote's bend with eta and with log t (n,); the latter is that of tip with eta.

    A tie's own bend along log t changes as well (of_t).
    """

    t: float
    bend_by_eta: Floats
    bend_by_t: Floats

    @classmethod
    def of(cls, design: ModelDesign, effects: Effects) -> "_Third":
        at, outcome = predict(design, effects), design.votes.outcome
        win, loss = logistic(at.eta - at.t), logistic(-at.eta - at.t)
        up = (outcome >= 0) * win * (1 - win) * (1 - 2 * win)
        down = (outcome <= 0) * loss * (1 - loss) * (1 - 2 * loss)
        return cls(at.t, up - down, -at.t * (up + down))

    def of_t(self, bend_t: float, ties: int) -> float:
        """Return the change with log t of the bend along it."""
        left = float(np.exp(-2 * self.t))
        of_ties = -8 * self.t * left * (1 + left) / (1 - left) ** 3
        return 2 * bend_t + self.t**2 * (float(self.bend_by_t.sum()) + ties * of_ties)


def _twice(design: ModelDesign, inverse: _Inverse, merit: Floats) -> Floats:
    """Return what V of a vote's two responses adds to that of its difference of merits: (n,)."""
    votes, F = design.votes, merit.shape[1]
    fixed = inverse.fixed[F + int(design.tied) :, :F]
    beside = ((fixed[votes.a] - fixed[votes.b]) * merit).sum(axis=1)
    variance = inverse.pairs[: len(fixed)]
    of_votes = inverse.pairs[len(fixed) + len(design.same) :][: len(votes)]
    return np.asarray(beside + variance[votes.a] + variance[votes.b] - 2 * of_votes)


def _of_responses(
    design: ModelDesign,
    effects: Effects,
    components: Components,
    inverse: _Inverse,
    adjoint: Floats,
) -> Floats:
    """Return the slopes of the components of responses and of systems in topics: (2,)."""
    votes, u, size = design.votes, effects.response, design.cells
    R, C = len(u), len(size)
    variance, shared = components.response**2, components.system_topic**2
    of_cell = variance + size * shared
    # dP = -2 I / variance + 2 weight J, and -2 shared / of_cell^2 J, with J of ones in a cell
    weight = np.array([shared / of_cell * (1 / variance + 1 / of_cell), -shared / of_cell**2])
    alone = np.array([-2 / variance, 0.0])
    adjoint = adjoint[len(effects.fixed) :]
    sums = total(votes.cell, u, C)
    both = total(votes.cell, adjoint, C) * sums
    trace = total(design.same, inverse.pairs[R : R + len(design.same)], C)
    own_trace = inverse.pairs[:R].sum()
    squares = alone * (u @ u) + 2 * weight @ sums**2
    traces = alone * own_trace + 2 * weight @ trace
    moves = alone * (u @ adjoint) + 2 * weight @ both
    prior = -np.array([R - C + (variance / of_cell).sum(), (size * shared / of_cell).sum()])
    return np.asarray(prior - squares / 2 - traces / 2 + moves)


def _of_workers(
    design: ModelDesign,
    effects: Effects,
    components: Components,
    inverse: _Inverse,
    adjoint: Floats,
) -> Floats:
    """Return the slopes of leanings to systems, of habits, and of discrimination: (3,)."""
    W, k = effects.worker.shape
    sds = np.r_[[components.lean] * (k - 2), components.habit, components.discrimination]
    variances = np.diagonal(inverse.worker, axis1=1, axis2=2).sum(axis=0)
    moves = (effects.worker * adjoint).sum(axis=0)
    slopes = ((effects.worker**2).sum(axis=0) + variances - 2 * moves) / sds**2 - W
    return np.array([slopes[: k - 2].sum(), *slopes[k - 2 :]])
