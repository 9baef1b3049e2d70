"""Mixed model of votes: ordinal Bradley-Terry with ties, fitted by Laplace's approximation.

Worker w is shown a and b of a topic. With t > 0 and the logistic function sigma,
    P(a) = sigma(eta - t),  P(b) = sigma(-eta - t),  a tie otherwise (Rao and Kupper 1967),
    eta = exp(alpha_w) (m_a - m_b) + lambda_w,sys(a) - lambda_w,sys(b) + (s + h_w) side.
A merit m is that of its system, plus one of the system in the topic, plus the response's own. A
worker's leaning to systems (lambda), to sides (h), and sharpness (alpha) are random, as are the
merits about their system. Systems, s and log t have flat priors, and are integrated out with the
rest, so that components are those of restricted maximum likelihood. Measures of style, where there
are any, are maximised and not integrated out: each would add to the components, and widen the
intervals of systems, even if style matters to nobody (benchmarks/coverage/style.py).

Laplace's approximation (Tierney and Kadane 1986): log p(votes | components) = height of the mode
- log |Hessian| / 2 + constant. It is maximised over the logs of the components.

The determinant costs the cube of the responses. Above MOST_EXACT, the components are those of the
votes on topics drawn at random, of SAMPLED responses together, as components are learned from far
fewer votes than systems' merits are compared by: a sample of 1,500 responses has hundreds of topics
and workers, of the same populations. Merits and their covariance are those of all votes at these
components, by iteration (mixed_curvature.py), the fixed effects a step beyond the mode
(mixed_determinant.py), since the mode's bias is no longer small beside the intervals.
"""

import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.mixed_curvature import (
    Curvature,
    FactoredCurvature,
    SparseCurvature,
)
from analysis.stats.bradley_terry.mixed_determinant import determinant_step
from analysis.stats.bradley_terry.mixed_newton import (
    Components,
    Effects,
    ModelDesign,
    Precision,
    height,
    mode,
    moved,
    rough_mode,
)
from analysis.stats.bradley_terry.mixed_slopes import component_slopes
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.effects.families import max_t
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import check_confidence

NAMES = tuple(field.name for field in fields(Components))
START = Components(response=0.7, system_topic=0.3, lean=0.3, habit=0.4, discrimination=0.4)
FIRST_STEPS = (1 / 200, 1 / 20, 1 / 20, 1 / 100, 1 / 100)  # for a slope of 1, of log components
LEAST, MOST = 0.02, 5.0  # a component at the lower end is none
SLOPE_TOLERANCE = 0.1  # of the log-likelihood along a log component: about .005 of the component
MOST_EXACT, SAMPLED = 2000, 1500  # responses
MOST_IN_CELLS = 20_000_000  # every two responses of a system in a topic
SECONDS = 300.0  # of the processor, for one question


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedResult:
    """The fitted model, all in logits.

    systems_merit (G,): of the systems, their mean 0; systems_covariance (G, G), given components.
    style, style_error (K,): effects of the measures of style, where votes have any.
    merits, merit_sd (R,): of the responses, without what their style adds, and the standard
    deviation about their system's, None above MOST_EXACT responses.
    side (value, low, high): towards the text on the left; None if sides are unknown.
    tie_parameter: t; 0 without ties.
    worker_lean (W, G): a worker's addition to each system, the mean 0; worker_habit,
    worker_scale (W,): leaning to the left, and exp(alpha), 1 the middle one.
    log_likelihood: Laplace's, without constants that the components do not change.
    component_topics: the topics whose votes give the components (and the log-likelihood).
    """

    votes: MixedVotes
    components: Components
    systems_merit: Floats
    systems_covariance: Floats
    style: Floats
    style_error: Floats
    merits: Floats
    merit_sd: Floats | None
    side: tuple[float, float, float] | None
    tie_parameter: float
    worker_lean: Floats
    worker_habit: Floats
    worker_scale: Floats
    log_likelihood: float
    component_topics: int
    evaluations: int
    converged: bool
    confidence: float

    @property
    def freedom(self) -> int:
        """Degrees of freedom of a system's difference: the fewer of topics and workers, less 1."""
        return max(min(len(self.votes.topics), len(self.votes.workers)) - 1, 1)

    def difference(self, first: Hashable, second: Hashable) -> tuple[float, float, float]:
        """Return the first system's merit less the second's, with its interval (Student's t)."""
        i, j = (_place(self.votes.systems, name) for name in (first, second))
        gap = float(self.systems_merit[i] - self.systems_merit[j])
        half = self.error(first, second) * self.critical
        return gap, gap - half, gap + half

    @property
    def critical(self) -> float:
        """Half width of an interval in standard errors."""
        return float(scipy.stats.t.ppf((1 + self.confidence) / 2, self.freedom))

    def error(self, first: Hashable, second: Hashable) -> float:
        """Return the standard error of a difference."""
        i, j = (_place(self.votes.systems, name) for name in (first, second))
        C = self.systems_covariance
        return float(np.sqrt(max(C[i, i] + C[j, j] - 2 * C[i, j], 0.0)))

    def adjusted(self, pairs: Sequence[tuple[Hashable, Hashable]]) -> Floats:
        """Return the p of each pair's difference, adjusted over these pairs (families.py)."""
        size, axes = np.linalg.eigh(self.systems_covariance)
        root = axes * np.sqrt(np.maximum(size, 0.0))
        places = [[_place(self.votes.systems, name) for name in pair] for pair in pairs]
        first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
        gap = self.systems_merit[first] - self.systems_merit[second]
        loadings = root[first] - root[second]
        error = np.maximum(np.sqrt((loadings**2).sum(axis=1)), np.finfo(float).tiny)
        return max_t(2 * scipy.stats.t.sf(np.abs(gap) / error, self.freedom), loadings)


def fit_mixed(
    votes: MixedVotes,
    *,
    start: Components | None = None,
    confidence: float = 0.95,
    seconds: float = SECONDS,
) -> MixedResult:
    """Fit one question, from the components `start` (START by default).

    Raises CannotCompute (too_many_responses, too_slow, not_identified), BadSetting.
    """
    check_confidence(confidence)
    until = time.thread_time() + seconds
    large = len(votes.responses) > MOST_EXACT
    with _refusals(votes, seconds):
        surface = _Surface(ModelDesign.of(topic_sample(votes) if large else votes), until)
        estimate, curvature = _estimated(surface, start or START)
        if large:
            return _of_all(votes, estimate, until, confidence)
        return _result(surface, curvature, estimate, confidence)


def fit_effects(
    votes: MixedVotes,
    components: Components,
    *,
    confidence: float = 0.95,
    seconds: float = SECONDS,
) -> MixedResult:
    """Return the model at components that are known from an earlier fit of the same votes.

    Raises CannotCompute (too_slow, not_identified), BadSetting.
    """
    check_confidence(confidence)
    until = time.thread_time() + seconds
    with _refusals(votes, seconds):
        known = _Estimate(components=components)
        if len(votes.responses) > MOST_EXACT:
            return _of_all(votes, known, until, confidence)
        surface = _Surface(ModelDesign.of(votes), until)
        value, curvature = surface.at(_logs(components))
        return _result(surface, curvature, replace(known, log_likelihood=value), confidence)


@contextmanager
def _refusals(votes: MixedVotes, seconds: float) -> Iterator[None]:
    """Raise CannotCompute for the errors of a fit."""
    try:
        yield
    except TimeoutError:
        raise CannotCompute(
            "too_slow",
            f"The mixed model of {len(votes):,} votes was stopped after {seconds:g} seconds.",
        ) from None
    except np.linalg.LinAlgError:
        raise CannotCompute(
            "not_identified",
            "The mixed model cannot be computed because the votes do not identify its effects: "
            "there are too few, or some systems are never compared with each other.",
        ) from None


def topic_sample(votes: MixedVotes) -> MixedVotes:
    """Return the votes on topics in a fixed random order, as many as have SAMPLED responses.

    More of them where some systems would not be compared. Raises CannotCompute
    (too_many_responses).
    """
    order = np.random.default_rng(0).permutation(len(votes.topics))
    responses = np.bincount(votes.topic, minlength=len(votes.topics))[order].cumsum()
    cells = np.bincount(votes.cell).astype(np.float64)
    if (cells**2).sum() <= MOST_IN_CELLS:
        for most in (SAMPLED, MOST_EXACT, 2 * MOST_EXACT):
            sample = votes.of_topics(order[responses <= most])
            if len(sample) and sample.joined:
                return sample
    raise CannotCompute(
        "too_many_responses",
        f"The mixed model cannot be computed because it has {len(votes.responses):,} responses, "
        f"and no sample of topics with {2 * MOST_EXACT:,} or fewer compares all systems.",
    )


@dataclass(frozen=True, kw_only=True)
class _Estimate:
    """Components and their estimation, fields of MixedResult; the defaults are of known ones."""

    components: Components
    log_likelihood: float = float("nan")
    component_topics: int = 0
    evaluations: int = 0
    converged: bool = True


def _estimated(surface: "_Surface", start: Components) -> tuple[_Estimate, FactoredCurvature]:
    optimum = scipy.optimize.minimize(
        surface,
        _logs(start),
        jac=True,
        method="BFGS",
        options={"gtol": SLOPE_TOLERANCE, "hess_inv0": np.diag(FIRST_STEPS), "maxiter": 50},
    )
    value, curvature = surface.at(optimum.x)
    estimate = _Estimate(
        components=_components(optimum.x),
        log_likelihood=value,
        component_topics=len(surface.design.votes.topics),
        evaluations=surface.evaluations,
        converged=bool(optimum.success),
    )
    return estimate, curvature


def _of_all(votes: MixedVotes, estimate: _Estimate, until: float, confidence: float) -> MixedResult:
    """Return the effects of all votes at the components of a sample of topics."""
    surface = _Surface(ModelDesign.of(votes, sparse=True), until)
    precision = surface.design.precision(estimate.components)
    start = rough_mode(surface.design, precision, until=until)
    surface.effects, _, curvature = mode(surface.design, start, precision, until=until)
    assert isinstance(curvature, SparseCurvature)
    step = determinant_step(surface.design, surface.effects, precision, curvature, until=until)
    surface.effects = replace(surface.effects, fixed=surface.effects.fixed + step)
    return _result(surface, curvature, estimate, confidence)


def _place(names: Sequence[Hashable], name: Hashable) -> int:
    if name not in names:
        raise BadSetting("system", name, "one of the systems")
    return list(names).index(name)


@dataclass(frozen=True, eq=False)
class _Evaluation:
    """Value at the mode of some components, and what the next mode starts from."""

    logs: Floats
    precision: Precision
    value: float
    curvature: FactoredCurvature


class _Surface:
    """Laplace's log-likelihood, negated, and its slopes along the log components."""

    def __init__(self, design: ModelDesign, until: float = float("inf")) -> None:
        self.design, self.until = design, until
        self.effects = design.start()
        self.evaluations = 0
        self.last: _Evaluation | None = None

    def __call__(self, logs: Floats) -> tuple[float, Floats]:
        """Return value and slopes."""
        value, curvature = self.at(logs)
        slopes = component_slopes(self.design, self.effects, _components(logs), curvature)
        beyond = (logs < np.log(LEAST)) | (logs >= np.log(MOST))  # where components stay
        return -value, -np.where(beyond, 0.0, slopes)

    def at(self, logs: Floats) -> tuple[float, FactoredCurvature]:
        """Return value and curvature, from the mode of the last components moved to these."""
        if self.last is not None and (self.last.logs == logs).all():
            return self.last.value, self.last.curvature
        self.evaluations += 1
        precision = self.design.precision(_components(logs))
        start = (
            rough_mode(self.design, precision, until=self.until)
            if self.last is None
            else self._ahead(self.last, precision)
        )
        self.effects, top, curvature = mode(self.design, start, precision, until=self.until)
        assert isinstance(curvature, FactoredCurvature)
        value = top - curvature.log_determinant_without(self.design.style) / 2
        self.last = _Evaluation(logs.copy(), precision, value, curvature)
        return value, curvature

    def _ahead(self, last: "_Evaluation", precision: Precision) -> Effects:
        """Return the mode that follows to first order, if it is higher than the last one."""
        u, worker = self.effects.response, self.effects.worker
        pull = last.precision.of_responses(u) - precision.of_responses(u)
        outer = np.r_[np.zeros_like(self.effects.fixed), pull]
        step = last.curvature.solve(outer, (last.precision.worker - precision.worker) * worker)
        ahead = moved(self.effects, step)
        return max(self.effects, ahead, key=lambda at: height(self.design, at, precision))


def _result(
    surface: _Surface, curvature: Curvature, estimate: _Estimate, confidence: float
) -> MixedResult:
    design, effects = surface.design, surface.effects
    votes = design.votes
    G, F, K = len(votes.systems), len(effects.fixed), votes.style_apart.shape[1]
    covariance = curvature.of_fixed(F)
    about_mean = np.eye(G)[:, 1:] - 1 / G
    systems = about_mean @ effects.fixed[: G - 1]
    side = None
    if votes.side.any():
        z = float(scipy.stats.norm.ppf((1 + confidence) / 2))
        at = G - 1 + K
        s, error = float(effects.fixed[at]), float(np.sqrt(covariance[at, at]))
        side = (s, s - z * error, s + z * error)
    return MixedResult(
        votes=votes,
        **vars(estimate),
        systems_merit=systems,
        systems_covariance=about_mean @ covariance[: G - 1, : G - 1] @ about_mean.T,
        style=effects.fixed[G - 1 : G - 1 + K],
        style_error=np.sqrt(covariance.diagonal()[G - 1 : G - 1 + K]),
        merits=systems[votes.system] + effects.response,
        merit_sd=_merit_sd(design, curvature),
        side=side,
        tie_parameter=float(np.exp(effects.fixed[-1])) if design.tied else 0.0,
        worker_lean=effects.worker[:, :-2] @ design.basis.T,
        worker_habit=effects.worker[:, -2],
        worker_scale=np.exp(effects.worker[:, -1]),
        confidence=confidence,
    )


def _merit_sd(design: ModelDesign, curvature: Curvature) -> Floats | None:
    if design.elimination is None or not isinstance(curvature, FactoredCurvature):
        return None
    variance = curvature.factor.inverse()[design.elimination.entries[: len(design.votes.cell)]]
    return np.sqrt(variance)


def _logs(components: Components) -> Floats:
    return np.log(list(asdict(components).values()))


def _components(logs: Floats) -> Components:
    sds = np.exp(np.clip(logs, np.log(LEAST), np.log(MOST)))
    return Components(**dict(zip(NAMES, sds.tolist(), strict=True)))
