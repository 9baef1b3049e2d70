"""Mode of all effects of the mixed model (mixed.py) at given components, and its Hessian.

The effects are those of the fixed side f (systems, side, log t), of responses u, and of workers w,
k each. Given f and u workers are independent, so their blocks (k x k, W of them) are eliminated
first, which leaves one system of the size of f and u: H_uu - C' H_ww^-1 C. It is dense, or is
never formed, but solved by iteration (mixed_curvature.py). Of symmetric matrices only the lower
triangle is read.
"""

import time
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.mixed_coupling import Coupling, MetPairs
from analysis.stats.bradley_terry.mixed_curvature import (
    Curvature,
    FactoredCurvature,
    SparseCurvature,
)
from analysis.stats.bradley_terry.mixed_elimination import EliminatedFactor, Elimination
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.tie_models import logistic

NO_TIES = 1e-9
START_TIE = 0.5
TOLERANCE = 1e-7  # of a step; its error is about the square
RAMP, ROUGH = (0.125, 0.25, 0.5, 0.75), 1.0  # shares of discrimination; tolerance of their modes
MAX_STEPS, HALVINGS = 60, 12
UNLIMITED = float("inf")


@dataclass(frozen=True, kw_only=True)
class Components:
    """Standard deviations, in logits but the last, which is of the log of a worker's scale.

    response: of a response about its system in its topic; system_topic: of a system in a topic;
    lean: of a worker's difference between two systems; habit: of a worker's leaning to a side;
    discrimination: of log scale.
    """

    response: float
    system_topic: float
    lean: float
    habit: float
    discrimination: float


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of the fixed side, responses and workers.

    fixed (F,): systems against the first, then style, side and log t, as far as there are any.
    response (R,): about their system. worker (W, k): leanings by contrast, habit, log scale.
    """

    fixed: Floats
    response: Floats
    worker: Floats


@dataclass(frozen=True, eq=False)
class Precision:
    """Precision of the prior: the inverse of its covariance.

    Of the responses (R, R) it is 1 / response^2 on the diagonal, less shared (C,) within each cell.
    worker (k,): of a worker's effects. log_determinant: of all of it.
    """

    own: float
    shared: Floats
    cell: Ints
    worker: Floats
    log_determinant: float

    def of_responses(self, u: Floats) -> Floats:
        """Return the product with u (R,)."""
        sums = total(self.cell, u, len(self.shared))
        return self.own * u - (self.shared * sums)[self.cell]


@dataclass(frozen=True, eq=False)
class ModelDesign:
    """Arrays that stay the same in all steps.

    contrast (n, F): the fixed side of a vote. basis (G, G - 1): orthogonal, in which two systems
    are 1 apart; lean (n, G - 1): the difference of a vote's systems in it. scaled (F,): the
    systems and measures of style, which a worker's scale multiplies. style (K,): places of these
    measures on the fixed side. cells (C,): the number of
    responses of a cell; same (S,): the cell of every two responses of one, and of each with itself.
    met: which worker met which response. row, column (M,): of all sums over two responses, see
    _outer_block. tied: whether t is among the fixed effects, their last. elimination: of the
    system without workers, None where it is solved by iteration.
    """

    votes: MixedVotes
    contrast: Floats
    basis: Floats
    lean: Floats
    scaled: Flags
    style: Ints
    cells: Ints
    same: Ints
    met: MetPairs
    row: Ints
    column: Ints
    tied: bool
    elimination: Elimination | None

    @classmethod
    def of(cls, votes: MixedVotes, *, sparse: bool = False) -> "ModelDesign":
        G = len(votes.systems)
        identity = np.eye(G)
        pair = identity[votes.system[votes.a]] - identity[votes.system[votes.b]]
        # the columns orthogonal to (1, .., 1); two systems are sqrt(2) apart
        basis = np.linalg.qr(np.column_stack([np.ones(G), identity]))[0][:, 1:G] / np.sqrt(2)
        sided, tied = bool(votes.side.any()), bool(votes.ties.any())
        merits = np.column_stack([pair[:, 1:], votes.style_apart])
        contrast = np.column_stack([merits, *([votes.side] * sided)])
        i, j = _pairs_within(votes.cell)
        met = MetPairs.of(votes, basis.shape[1] + 2, grouped=not sparse)
        alone, F = np.arange(len(votes.cell)), contrast.shape[1] + int(tied)
        row = np.concatenate([alone, i, np.maximum(votes.a, votes.b), met.row])
        column = np.concatenate([alone, j, np.minimum(votes.a, votes.b), met.column])
        return cls(
            votes=votes,
            contrast=contrast,
            basis=basis,
            lean=pair @ basis,
            scaled=np.arange(contrast.shape[1]) < merits.shape[1],
            style=np.arange(G - 1, merits.shape[1]),
            cells=np.bincount(votes.cell),
            same=votes.cell[i],
            met=met,
            row=row,
            column=column,
            tied=tied,
            elimination=None
            if sparse
            else Elimination.of(F, votes.topic, row, column, sparse=bool(met.groups)),
        )

    def start(self) -> Effects:
        F, k = self.contrast.shape[1], self.lean.shape[1] + 2
        fixed = np.r_[np.zeros(F), *([np.log(START_TIE)] * self.tied)]
        W = len(self.votes.workers)
        return Effects(fixed, np.zeros(len(self.votes.responses)), np.zeros((W, k)))

    def precision(self, components: Components) -> Precision:
        var, shared = components.response**2, components.system_topic**2
        cell_variance = np.asarray(var + self.cells * shared, dtype=np.float64)
        leans = self.lean.shape[1]
        sds = np.r_[[components.lean] * leans, components.habit, components.discrimination]
        R, W = len(self.votes.cell), len(self.votes.workers)
        log = -(R - len(self.cells)) * np.log(var) - np.log(cell_variance).sum()
        return Precision(
            own=1 / var,
            shared=shared / (cell_variance * var),
            cell=self.votes.cell,
            worker=sds**-2.0,
            log_determinant=float(log - 2 * W * np.log(sds).sum()),
        )


def _pairs_within(cell: Ints) -> tuple[Ints, Ints]:
    """Return every two members of a cell, in both orders, and each with itself: (S,), (S,)."""
    order = np.argsort(cell, kind="stable")
    sizes = np.bincount(cell)
    starts = (np.cumsum(sizes) - sizes)[cell[order]]
    widths = sizes[cell[order]]
    place = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
    return np.repeat(order, widths), order[np.repeat(starts, widths) + place]


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictor of each vote (n,): scale of its worker, difference of merits, eta; t."""

    scale: Floats
    gap: Floats
    eta: Floats
    t: float


def predict(design: ModelDesign, effects: Effects) -> Predicted:
    """Return eta = scale (difference in merit) + leaning + side."""
    votes, fixed = design.votes, effects.fixed[: design.contrast.shape[1]]
    scale = np.exp(effects.worker[:, -1])[votes.worker]
    gap = design.contrast @ np.where(design.scaled, fixed, 0.0)
    gap += effects.response[votes.a]
    gap -= effects.response[votes.b]
    eta = scale * gap
    eta += design.contrast @ np.where(design.scaled, 0.0, fixed)
    for contrast, leaning in zip(design.lean.T, effects.worker.T, strict=False):
        eta += contrast * leaning[votes.worker]
    eta += votes.side * effects.worker[:, -2][votes.worker]
    return Predicted(scale, gap, eta, float(np.exp(effects.fixed[-1])) if design.tied else NO_TIES)


def height(design: ModelDesign, effects: Effects, precision: Precision) -> float:
    """Return log-likelihood plus log prior, without the constant of the normal distribution."""
    at, outcome = predict(design, effects), design.votes.outcome
    win = scipy.special.log_expit((at.eta - at.t)[outcome >= 0])
    loss = scipy.special.log_expit((-at.eta - at.t)[outcome <= 0])
    # log(exp(2 t) - 1), finite for any t: a step that goes too far is seen to go down
    log_odds = 2 * at.t + np.log(-np.expm1(-2 * at.t))
    ties = design.votes.ties.sum() * log_odds if design.tied else 0.0
    squares = effects.response @ precision.of_responses(effects.response)
    squares += (effects.worker**2 * precision.worker).sum()
    likelihood = win.sum() + loss.sum() + ties
    return float(likelihood - squares / 2 + precision.log_determinant / 2)


@dataclass(frozen=True, eq=False)
class VoteBends:
    """Derivatives of each vote's log-likelihood.

    push, bend (n,): slope and negated curvature along eta; tip (n,): the mixed one with log t.
    fixed (n, F), own (n, k), scale (n,): the change of eta with the fixed side, the worker's
    effects and the merits. twist (n,): the curvature of the product of scale and merits, push or,
    by Gauss and Newton, nothing.
    """

    push: Floats
    bend: Floats
    tip: Floats
    twist: Floats
    fixed: Floats
    own: Floats
    scale: Floats
    slope_t: float
    bend_t: float

    @classmethod
    def of(cls, design: ModelDesign, effects: Effects, *, exact: bool) -> "VoteBends":
        votes, at = design.votes, predict(design, effects)
        win, loss = logistic(at.eta - at.t), logistic(-at.eta - at.t)
        up, down = (1 - win) * (votes.outcome >= 0), (1 - loss) * (votes.outcome <= 0)
        bend, ties = up * win + down * loss, int(votes.ties.sum())
        growth = -np.expm1(-2 * at.t)
        scaled = at.scale[:, None] * design.contrast
        return cls(
            push=up - down,
            bend=bend,
            tip=at.t * (down * loss - up * win),
            twist=up - down if exact else np.zeros(len(votes)),
            fixed=np.where(design.scaled, scaled, design.contrast),
            own=np.column_stack([design.lean, votes.side, at.scale * at.gap]),
            scale=at.scale,
            # along log t; the second derivative of t itself vanishes at the mode
            slope_t=float(at.t * (2 * ties / growth - (up + down).sum())),
            bend_t=float(at.t**2 * (bend.sum() + ties * 4 * (1 - growth) / growth**2)),
        )


def gradient_and_curvature(
    design: ModelDesign,
    effects: Effects,
    precision: Precision,
    *,
    exact: bool = True,
) -> tuple[Floats, Floats, Curvature]:
    """Return the gradient of the outer side (F + R,) and of workers (W, k), and the curvature.

    Far from the mode the Hessian need not be positive definite, because merits are multiplied by a
    scale: numpy's LinAlgError. Without that curvature (exact=False; Gauss and Newton) it is, but
    for systems that are never compared.
    """
    votes, bends = design.votes, VoteBends.of(design, effects, exact=exact)
    W = len(effects.worker)
    worker = np.column_stack(
        [total(votes.worker, bends.push * effect, W) for effect in bends.own.T]
    )
    fixed = np.r_[bends.fixed.T @ bends.push, *([bends.slope_t] * design.tied)]
    response = between_responses(votes, bends.push * bends.scale)
    blocks = _worker_blocks(votes, bends, precision.worker)
    lower = np.asarray(np.linalg.cholesky(blocks), dtype=np.float64)
    coupling = _coupling(design, bends).under(lower)
    curvature = (
        _sparse_curvature(design, bends, precision, lower, coupling)
        if design.elimination is None
        else _factored_curvature(design, design.elimination, bends, precision, lower, coupling)
    )
    return (
        np.r_[fixed, response - precision.of_responses(effects.response)],
        worker - precision.worker * effects.worker,
        curvature,
    )


def between_responses(votes: MixedVotes, weight: Floats) -> Floats:
    """Return the weight of each response's votes as a less their weight as b: (R,)."""
    R = len(votes.responses)
    return total(votes.a, weight, R) - total(votes.b, weight, R)


def _worker_blocks(votes: MixedVotes, each: VoteBends, prior: Floats) -> Floats:
    """Return H_ww: (W, k, k)."""
    W, k = len(votes.workers), len(prior)
    blocks = np.empty((W, k, k))
    for c in range(k):
        for d in range(c, k):
            sums = total(votes.worker, each.bend * each.own[:, c] * each.own[:, d], W)
            blocks[:, c, d] = blocks[:, d, c] = sums
    blocks[:, -1, -1] -= total(votes.worker, each.twist * each.own[:, -1], W)
    blocks[:, range(k), range(k)] += prior
    return blocks


def _coupling(design: ModelDesign, each: VoteBends) -> Coupling:
    votes, met = design.votes, design.met
    W, k, F, T = met.workers, each.own.shape[1], each.fixed.shape[1], int(design.tied)
    fixed, at_places = np.empty((W, k, F + T)), np.empty((k, len(met.worker)))
    for c in range(k):
        alone = each.bend * each.own[:, c]
        both = alone - each.twist if c == k - 1 else alone
        for f in range(F):
            weight = (both if design.scaled[f] else alone) * each.fixed[:, f]
            fixed[:, c, f] = total(votes.worker, weight, W)
        if T:
            fixed[:, c, F] = total(votes.worker, each.tip * each.own[:, c], W)
        at_places[c] = met.between(both * each.scale)
    return Coupling(fixed, at_places, met)


def _factored_curvature(
    design: ModelDesign,
    elimination: Elimination,
    each: VoteBends,
    precision: Precision,
    lower: Floats,
    coupling: Coupling,
) -> Curvature:
    store = _outer_block(design, elimination, each, precision, coupling)
    factor = EliminatedFactor.of(elimination, store)
    return FactoredCurvature(lower, coupling, factor.rest, factor)


def _outer_block(
    design: ModelDesign,
    elimination: Elimination,
    each: VoteBends,
    precision: Precision,
    coupling: Coupling,
) -> Floats:
    """Return the store of H of the fixed side and responses after elimination of workers.

    All entries between two responses are summed at once: the prior's, the votes', the workers'.
    """
    weights = [*_among_responses(design, each, precision), -coupling.of_groups()]
    store = total(elimination.sums, np.concatenate(weights), elimination.size)
    fixed, beside = coupling.of_fixed()
    fixed = np.tril(_fixed_block(design, each) - fixed)
    store[elimination.fixed] = np.concatenate(
        [fixed + np.tril(fixed, -1).T, _beside_fixed(design, each) - beside]
    )
    if not coupling.places.groups:
        coupling.take_from(elimination.whole(store)[len(fixed) :, len(fixed) :])
    return store


def _among_responses(
    design: ModelDesign, each: VoteBends, precision: Precision
) -> tuple[Floats, Floats, Floats]:
    """Return what stands between responses: the diagonal, within cells, and by votes, once."""
    votes, R = design.votes, len(design.votes.cell)
    weight = each.bend * each.scale**2
    diagonal = precision.own + total(votes.a, weight, R) + total(votes.b, weight, R)
    return diagonal, -precision.shared[design.same], -weight


def _fixed_block(design: ModelDesign, each: VoteBends) -> Floats:
    """Return H of the fixed side, its lower triangle: (F + T, F + T)."""
    F, T = each.fixed.shape[1], int(design.tied)
    block = np.zeros((F + T, F + T))
    block[:F, :F] = each.fixed.T @ (each.bend[:, None] * each.fixed)
    if T:
        block[F, F] = each.bend_t
        block[F, :F] = each.tip @ each.fixed
    return block


def _beside_fixed(design: ModelDesign, each: VoteBends) -> Floats:
    """Return H of responses and the fixed side: (R, F + T)."""
    votes, fixed = design.votes, each.fixed
    columns = [between_responses(votes, each.bend * f * each.scale) for f in fixed.T]
    if design.tied:
        columns.append(between_responses(votes, each.tip * each.scale))
    return np.column_stack(columns)


def _sparse_curvature(
    design: ModelDesign, each: VoteBends, precision: Precision, lower: Floats, coupling: Coupling
) -> Curvature:
    """Return the curvature of which the responses are never eliminated."""
    responses = _response_matrix(design, each, precision)
    return SparseCurvature.of(
        lower, coupling, responses, _fixed_block(design, each), _beside_fixed(design, each)
    )


def _response_matrix(
    design: ModelDesign, each: VoteBends, precision: Precision
) -> scipy.sparse.csc_array:
    """Return H_uu: (R, R)."""
    votes, R, row, column = design.votes, len(design.votes.cell), design.row, design.column
    diagonal, within, by_votes = _among_responses(design, each, precision)
    # a vote stands once between two responses
    weights = np.concatenate([diagonal, within, by_votes, by_votes])
    row, column = np.r_[row, column[-len(votes) :]], np.r_[column, row[-len(votes) :]]
    return scipy.sparse.csc_array((weights, (row, column)), shape=(R, R))


def times_random(
    design: ModelDesign, effects: Effects, precision: Precision, response: Floats, worker: Floats
) -> tuple[Floats, Floats]:
    """Return H_vv x, of responses (R, m) and workers (W, k, m) alone."""
    each = VoteBends.of(design, effects, exact=True)
    C = _coupling(design, each).rows
    blocks = _worker_blocks(design.votes, each, precision.worker)
    by_effect = worker.swapaxes(0, 1)
    r = _response_matrix(design, each, precision) @ response
    r += C.T @ by_effect.reshape(-1, response.shape[1])
    of_responses = (C @ response).reshape(by_effect.shape)
    return np.asarray(r), np.asarray(blocks @ worker + of_responses.swapaxes(0, 1))


def curved(
    design: ModelDesign, effects: Effects, precision: Precision
) -> tuple[Floats, Floats, Curvature]:
    """Return gradient and curvature, the exact one where it is positive definite."""
    try:
        return gradient_and_curvature(design, effects, precision)
    except np.linalg.LinAlgError:
        return gradient_and_curvature(design, effects, precision, exact=False)


def rough_mode(design: ModelDesign, precision: Precision, *, until: float = UNLIMITED) -> Effects:
    """Return effects near the mode, from which Newton's method converges at once.

    Merits and the scales that multiply them overshoot together, so scales are allowed to differ
    step by step. Raises what `mode` raises.
    """
    effects = design.start()
    for share in RAMP:
        narrower = precision.worker.copy()
        narrower[-1] /= share**2
        nearby = replace(precision, worker=narrower)
        effects, _, _ = mode(design, effects, nearby, until=until, tolerance=ROUGH)
    return effects


def mode(
    design: ModelDesign,
    effects: Effects,
    precision: Precision,
    *,
    until: float = UNLIMITED,
    tolerance: float = TOLERANCE,
) -> tuple[Effects, float, Curvature]:
    """Return the effects of the greatest height, by Newton's method with halved steps.

    Raises numpy's LinAlgError where the Hessian is not positive definite, and TimeoutError after
    `until`, in seconds of this thread.
    """
    now = height(design, effects, precision)
    for _ in range(MAX_STEPS):
        check_time(until)
        outer, worker, curvature = curved(design, effects, precision)
        step = curvature.solve(outer, worker)
        length = max(np.abs(step[0]).max(), np.abs(step[1]).max(initial=0.0))
        for halving in range(HALVINGS):
            ahead = moved(effects, step, 0.5**halving)
            new_height = height(design, ahead, precision)
            if new_height >= now - 1e-9 * abs(now):
                break
        effects, now = ahead, new_height
        if length < tolerance:
            break
    return effects, now, curvature


def check_time(until: float) -> None:
    """Raise TimeoutError if the thread has used more than these seconds of the processor."""
    if time.thread_time() > until:
        raise TimeoutError


def moved(effects: Effects, step: tuple[Floats, Floats], by: float = 1.0) -> Effects:
    """Return the effects after a part of a step."""
    F = len(effects.fixed)
    return Effects(
        effects.fixed + by * step[0][:F],
        effects.response + by * step[0][F:],
        effects.worker + by * step[1],
    )
