"""Simulated votes on all pairs of responses."""

from itertools import combinations

import numpy as np
import pandas as pd


def vote_on_all_pairs(truth, *, votes_per_pair, rng):
    """Return a frame for MixedVotes: votes on each pair of a topic, shared evenly by workers."""
    T, n = truth.merits.shape
    W = len(truth.habit)
    pairs = np.array(list(combinations(range(n), 2)))
    topic = np.repeat(np.arange(T), len(pairs) * votes_per_pair)
    pair = np.tile(np.repeat(np.arange(len(pairs)), votes_per_pair), T)
    # whole rounds of all workers in random order, so that nobody votes twice on a pair, mostly
    rounds = -(-len(topic) // W)
    worker = np.concatenate([rng.permutation(W) for _ in range(rounds)])[: len(topic)]
    a, b = pairs[pair].T
    left = rng.choice([-1.0, 1.0], len(topic))
    outcome = truth.vote(topic, a, b, worker, left, rng)
    return pd.DataFrame(
        {
            "topic": topic,
            "a": a,
            "b": b,
            "worker": worker,
            "outcome": np.array(["b", "tie", "a"])[outcome + 1],
            "left": np.where(left > 0, "a", "b"),
            "system_a": truth.systems[a],
            "system_b": truth.systems[b],
        }
    )
