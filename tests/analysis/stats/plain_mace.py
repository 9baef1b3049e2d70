"""MACE as a plain loop: the oracle of the tests, and the peer of a benchmark."""

import numpy as np
from scipy.special import digamma


def plain_mace(votes, theta, xi, iterations, priors):
    """MACE as its paper tells it, vote by vote: theta (W, 2) spam and know, xi (W, K).

    Returns the posterior (N, K), theta, xi and the log-likelihood after so many M-steps.
    """
    N, W, K = len(votes.items), len(votes.workers), len(votes.options)
    triples = list(zip(votes.item, votes.worker, votes.value, strict=True))
    for step in range(iterations + 1):
        joint = np.full((N, K), 1 / K)
        for i, w, v in triples:
            for k in range(K):
                joint[i, k] *= theta[w, 0] * xi[w, v] + (theta[w, 1] if v == k else 0)
        posterior = joint / joint.sum(axis=1, keepdims=True)
        if step == iterations:
            return posterior, theta, xi, np.log(joint.sum(axis=1)).sum()
        knowing, strategy = np.zeros((W, 2)), np.zeros((W, K))
        for i, w, v in triples:
            spam = theta[w, 0] * xi[w, v]
            knew = posterior[i, v] * theta[w, 1] / (spam + theta[w, 1])
            knowing[w] += [1 - knew, knew]
            strategy[w, v] += 1 - knew
        knowing += np.array([priors.spam, priors.know]) + priors.smoothing
        strategy += priors.strategy + priors.smoothing
        theta = np.exp(digamma(knowing) - digamma(knowing.sum(axis=1, keepdims=True)))
        xi = np.exp(digamma(strategy) - digamma(strategy.sum(axis=1, keepdims=True)))
    return None
