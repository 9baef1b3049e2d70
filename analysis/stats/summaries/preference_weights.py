"""SGSS: weights of the parts of a score, learned from preferences between two summaries.

Sakai et al.: SGSS is linear in its parts, w . phi, so the weights are those of a logistic
regression of "the left one is better" on phi_left - phi_right, without an intercept. Prediction is
measured on topics that were not used: agreement of single labels (AR) and its mean over pairs
(MAR).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats
from analysis.stats.errors import BadSetting, CannotCompute

STEPS, FLAT, NOTHING = 100, 1e-12, 1e-9
LEAST_TOPICS, LEAST_PAIRS = 5, 15  # of an interval of MAR: benchmarks/coverage/mean_agreement.py


def _no_preferences() -> CannotCompute:
    return CannotCompute(
        "no_preferences", "Weights cannot be computed because there are no preferences."
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PreferenceWeights:
    """Weights (F,) of the parts, se (F,) their standard errors, n preferences, log-likelihood."""

    parts: Sequence[str]
    weights: Floats
    se: Floats
    log_likelihood: float
    n: int
    ridge: float


def preference_weights(
    differences: Floats, left: Flags, *, parts: Sequence[str], ridge: float = 0.0
) -> PreferenceWeights:
    """Fit weights of the parts to preferences.

    differences (n, F): phi_left - phi_right of each label; left (n,): it preferred the left one.
    ridge: the penalty ridge / 2 |w|^2, for collinear parts. Raises CannotCompute (no_preferences,
    separable_preferences), BadSetting.
    """
    if ridge < 0:
        raise BadSetting("ridge", ridge, "0 or more")
    if not len(left):
        raise _no_preferences()
    # A preference for the right one is one for the left one with the sides changed.
    turned = np.where(left[:, None], differences, -differences).astype(np.float64)
    if not ridge and _separated(turned):
        raise CannotCompute(
            "separable_preferences",
            "Weights cannot be computed because they would be infinite: some weighting of the "
            "parts predicts every preference. Set summaries.ridge above 0 or collect more "
            "pairs.",
        )
    weights = _fitted(turned, ridge)
    covariance = np.linalg.pinv(_curvature(turned, weights, ridge))
    return PreferenceWeights(
        parts=tuple(parts),
        weights=weights,
        se=np.sqrt(np.diag(covariance)),
        log_likelihood=-_loss(turned, weights, 0),
        n=len(left),
        ridge=ridge,
    )


def agreement_rate(ahead: float, left: Flags) -> float:
    """Return AR of one pair: the share of labels that the score predicts; ahead is left - right.

    A score that is equal on both sides predicts nothing, and half of the labels by chance.
    """
    if not len(left):
        raise _no_preferences()
    if ahead == 0:
        return 0.5
    return float(np.mean(left if ahead > 0 else ~left))


@dataclass(frozen=True)
class MeanAgreement:
    """MAR with its interval over topics; low, high: None without one, for the reason `why`."""

    value: float
    low: float | None
    high: float | None
    why: str = ""


def mean_agreement(
    rates: Floats, topics: Sequence[Hashable], *, confidence: float = 0.95
) -> MeanAgreement:
    """Return the mean of AR (P,) with a t interval over topics, on the scale of logits.

    Pairs of a topic are alike: the error is that of the sums of their deviations. Half a pair is
    added to both sides before the logit. Raises CannotCompute (no_preferences).
    """
    if not len(rates):
        raise _no_preferences()
    mean, P = float(np.mean(rates)), len(rates)
    sums = pd.Series(rates - mean).groupby(list(topics)).sum().to_numpy()
    G = len(sums)
    if G < LEAST_TOPICS or P < LEAST_PAIRS:
        return MeanAgreement(
            mean,
            None,
            None,
            f"An interval for MAR needs {LEAST_PAIRS} test pairs on {LEAST_TOPICS} topics: "
            f"you have {P} on {G}.",
        )
    se = float(np.sqrt(G / (G - 1) * (sums**2).sum())) / P
    if se < NOTHING:
        return MeanAgreement(
            mean,
            None,
            None,
            "No interval for MAR: agreement is the same in all topics.",
        )
    middle = (mean * P + 0.5) / (P + 1)
    reach = float(scipy.stats.t.ppf((1 + confidence) / 2, G - 1)) * se / (middle * (1 - middle))
    low, high = scipy.special.expit(scipy.special.logit(middle) + np.array([-reach, reach]))
    return MeanAgreement(mean, float(min(low, mean)), float(max(high, mean)))


def split_by_topic(
    topics: Sequence[Hashable], *, train: float = 0.5, seed: int = 0
) -> tuple[Flags, Flags]:
    """Return the masks of training and test labels: all of a topic are on one side.

    Raises BadSetting.
    """
    names = sorted(set(topics), key=str)
    if not 0 < train < 1 or len(names) < 2:
        raise BadSetting("train", train, "between 0 and 1, with two topics or more")
    count = min(max(1, round(train * len(names))), len(names) - 1)
    chosen = np.random.default_rng(seed).permutation(len(names))[:count]
    training_topics = {names[index] for index in chosen}
    training = np.array([topic in training_topics for topic in topics])
    return training, ~training


def _separated(turned: Floats) -> bool:
    """Return whether a direction is against no preference, and for one: no finite maximum."""
    n, F = turned.shape
    solution = scipy.optimize.linprog(
        -turned.sum(axis=0), A_ub=-turned, b_ub=np.zeros(n), bounds=[(-1, 1)] * F
    )
    return solution.x is not None and float((turned @ solution.x).sum()) > NOTHING


def _fitted(turned: Floats, ridge: float) -> Floats:
    """Return the weights (F,) by Newton's method with halved steps."""
    w = np.zeros(turned.shape[1])
    for _ in range(STEPS):
        slope = _slope(turned, w, ridge)
        if np.abs(slope).max() < FLAT * len(turned):
            break
        step = np.linalg.pinv(_curvature(turned, w, ridge)) @ slope
        before = _loss(turned, w, ridge)
        while _loss(turned, w - step, ridge) > before and np.abs(step).max() > FLAT:
            step = step / 2
        w = w - step
    return w


def _loss(turned: Floats, w: Floats, ridge: float) -> float:
    return float(np.logaddexp(0, -turned @ w).sum() + ridge / 2 * w @ w)


def _slope(turned: Floats, w: Floats, ridge: float) -> Floats:
    return np.asarray(-turned.T @ scipy.special.expit(-turned @ w) + ridge * w)


def _curvature(turned: Floats, w: Floats, ridge: float) -> Floats:
    p = scipy.special.expit(turned @ w)
    return np.asarray((turned * (p * (1 - p))[:, None]).T @ turned + ridge * np.eye(len(w)))
