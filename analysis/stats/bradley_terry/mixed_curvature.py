"""Hessian of the mixed model (mixed_newton.py) without workers, factored or solved by iteration.

Workers are eliminated by their small blocks. S = H_uu - C' H_ww^-1 C of responses remains, with the
few fixed effects. `FactoredCurvature` holds the Cholesky factor of both (mixed_elimination.py),
dense where all topics share workers: R^3 / 3 multiplications.

`SparseCurvature` never forms S: crossed effects fill every factor (Gao and Owen 2017). It solves
S x = b by conjugate gradients, as many at once as there are fixed effects, and eliminates the
responses from the fixed effects by that. H_uu joins responses of one topic only, so its factor is
sparse, and preconditions: all eigenvalues of H_uu^-1 S are between the smallest share of a worker's
precision that is the prior's, and 1, whatever the size. So iterations do not grow with the study
(Papaspiliopoulos, Roberts and Zanella 2020; Pandolfi, Papaspiliopoulos and Zanella 2024).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.mixed_coupling import Coupling
from analysis.stats.bradley_terry.mixed_elimination import EliminatedFactor

TOLERANCE = 1e-10  # of the residual, by the right-hand side
MAX_ITERATIONS = 1000


@dataclass(frozen=True, eq=False)
class Curvature:
    """Cholesky factors at the effects, of the workers' blocks and of the rest; and their coupling.

    lower (W, k, k); coupling: lower^-1 C; rest (c, c), lower: of what is eliminated last, of which
    the fixed side comes first.
    """

    lower: Floats
    coupling: Coupling
    rest: Floats

    def of_fixed(self, F: int) -> Floats:
        """Return the inverse of the Hessian for the fixed side: (F, F)."""
        alone = np.eye(len(self.rest), F)
        half = scipy.linalg.solve_triangular(self.rest, alone, lower=True, check_finite=False)
        return np.asarray(half.T @ half)

    def solve(self, outer: Floats, worker: Floats) -> tuple[Floats, Floats]:
        """Return the step for a gradient: outer (F + R,), worker (W, k)."""
        half = np.asarray(np.linalg.solve(self.lower, worker[:, :, None])[:, :, 0], np.float64)
        step = self._without_workers(outer - self.coupling.to_outer(half))
        rest = half - self.coupling.to_workers(step)
        back = np.linalg.solve(self.lower.swapaxes(1, 2), rest[:, :, None])
        return np.asarray(step), np.asarray(back[:, :, 0])

    def _without_workers(self, reduced: Floats) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class FactoredCurvature(Curvature):
    """The same with the factor of the fixed side and responses, whose core is the rest."""

    factor: EliminatedFactor

    @property
    def log_determinant(self) -> float:
        workers = np.log(np.diagonal(self.lower, axis1=1, axis2=2)).sum()
        return float(2 * workers) + self.factor.log_determinant

    def log_determinant_without(self, maximised: Ints) -> float:
        """Return the log determinant without these rows and columns of the fixed side."""
        if not len(maximised):
            return self.log_determinant
        covariance = self.of_fixed(int(maximised.max()) + 1)[np.ix_(maximised, maximised)]
        return self.log_determinant + float(np.linalg.slogdet(covariance)[1])

    def _without_workers(self, reduced: Floats) -> Floats:
        return self.factor.solve(reduced)


@dataclass(frozen=True, eq=False)
class _ResponsesLeft:
    """S of the responses: H_uu (R, R), its factor, and lower^-1 C of the workers (W k, R)."""

    responses: scipy.sparse.csr_array
    factor: scipy.sparse.linalg.SuperLU
    workers: scipy.sparse.csr_array
    to_responses: scipy.sparse.csr_array

    def solve(self, b: Floats) -> Floats:
        """Return S^-1 b (R, m), by conjugate gradients.

        Raises numpy's LinAlgError where S is not positive definite.
        """
        x, residual = np.zeros_like(b), b.copy()
        direction = z = self.factor.solve(residual)
        along = (residual * z).sum(axis=0)
        enough = TOLERANCE * np.maximum(np.sqrt((b**2).sum(axis=0)), np.finfo(float).tiny)
        for _ in range(MAX_ITERATIONS):
            if (np.sqrt((residual**2).sum(axis=0)) <= enough).all():
                return x
            image = self.responses @ direction
            image -= self.to_responses @ (self.workers @ direction)
            bend = (direction * image).sum(axis=0)
            if (bend < 0).any() or (along < 0).any():
                break
            # a column that is solved stays as it is
            length = np.divide(along, bend, out=np.zeros_like(along), where=bend > 0)
            x += length * direction
            residual -= length * image
            z = self.factor.solve(residual)
            before, along = along, (residual * z).sum(axis=0)
            growth = np.divide(along, before, out=np.zeros_like(along), where=before > 0)
            direction = z + growth * direction
        raise np.linalg.LinAlgError("conjugate gradients")


@dataclass(frozen=True, eq=False)
class SparseCurvature(Curvature):
    """The same by iteration; rest, lower: of the fixed side alone, (F, F), all else eliminated.

    beside, solved (R, F): S of responses and the fixed side, and S^-1 of that.
    """

    left: _ResponsesLeft
    beside: Floats
    solved: Floats

    @classmethod
    def of(
        cls,
        lower: Floats,
        coupling: Coupling,
        responses: scipy.sparse.csc_array,
        fixed: Floats,
        beside: Floats,
    ) -> Self:
        """Return it for H: responses (R, R), fixed (F, F; lower triangle), beside (R, F).

        Raises numpy's LinAlgError where H is not positive definite.
        """
        places, k, F = coupling.places, len(coupling.met), len(fixed)
        rows = (places.worker * k + np.arange(k)[:, None]).ravel()
        workers = scipy.sparse.csr_array(
            (coupling.met.ravel(), (rows, np.tile(places.response, k))),
            shape=(places.workers * k, places.responses),
        )
        factor = scipy.sparse.linalg.splu(
            responses,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
        if (factor.U.diagonal() <= 0).any():
            raise np.linalg.LinAlgError("responses")
        to_responses = workers.T.tocsr()
        left = _ResponsesLeft(responses.tocsr(), factor, workers, to_responses)
        of_workers = coupling.fixed.reshape(-1, F)
        beside = beside - to_responses @ of_workers
        solved = left.solve(beside)
        block = np.tril(fixed) - np.tril(of_workers.T @ of_workers) - np.tril(beside.T @ solved)
        rest = np.asarray(np.linalg.cholesky(block), dtype=np.float64)
        return cls(lower, coupling, rest, left, beside, solved)

    def _without_workers(self, reduced: Floats) -> Floats:
        F = len(self.rest)
        response = self.left.solve(reduced[F:, None])[:, 0]
        fixed = scipy.linalg.cho_solve((self.rest, True), reduced[:F] - self.beside.T @ response)
        return np.concatenate([np.asarray(fixed), response - self.solved @ fixed])

    def solve_random(self, response: Floats, worker: Floats) -> tuple[Floats, Floats]:
        """Return H_vv^-1 x, of responses (R, m) and workers (W, k, m) alone."""
        half = np.linalg.solve(self.lower, worker)
        flat = half.reshape(-1, response.shape[1])
        r = self.left.solve(response - self.left.to_responses @ flat)
        rest = half - (self.left.workers @ r).reshape(half.shape)
        return r, np.asarray(np.linalg.solve(self.lower.swapaxes(1, 2), rest))
