"""Pairs that the next votes should go to (next_votes.py), by topic, from a mixed model."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.stats.arrays import Ints
from analysis.stats.bradley_terry.mixed import MixedResult
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.next_votes import pair_posterior, seen_by_votes

AHEAD = 5  # a single vote seldom turns an order round
MOST_RESPONSES = 30  # of a topic: each pair is compared with each other
MOST_CELLS = 4_000_000  # of that, for the topics that are computed together
COLUMNS = ("topic", "responses", "votes", "wrong", "a", "b", "gain")


def next_by_topic(result: MixedResult, *, ahead: int = AHEAD) -> pd.DataFrame:
    """Return one row a topic, columns as COLUMNS.

    votes: that it has; wrong: the expected share of its pairs in the wrong order; a, b: the pair on
    which `ahead` votes help most; gain: the expected decrease of pairs in the wrong order. Topics
    of more than MOST_RESPONSES are left out.
    """
    votes = result.votes
    sd, tie = seen_by_votes(
        result.components,
        result.tie_parameter,
        systems_variance=float(np.var(result.systems_merit)),
    )
    rows = []
    for topics, entries, wins in _problems(votes):
        posterior = pair_posterior(wins, sd=sd, tie_parameter=max(tie, 1e-6), ahead=ahead)
        best = posterior.gain.argmax(axis=0)
        votes_by_topic = (wins.sum(axis=(0, 1)) - _ties(votes, topics)).tolist()
        for p, topic in enumerate(topics.tolist()):
            a, b = entries[p, posterior.first[best[p]]], entries[p, posterior.second[best[p]]]
            names = votes.topics[topic], votes.responses[a], votes.responses[b]
            error, gain = float(posterior.expected_error[p]), float(posterior.gain[best[p], p])
            rows.append(
                [names[0], len(entries[p]), votes_by_topic[p], error, names[1], names[2], gain]
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _problems(votes: MixedVotes) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield portions of topics of n responses: topics (P,), responses (P, n), wins (n, n, P).

    A tie counts in both directions. Responses are sorted by topic.
    """
    sizes = np.bincount(votes.topic, minlength=len(votes.topics))
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(votes.responses)) - starts[votes.topic]
    of_vote = votes.topic[votes.a]
    for n in sorted(set(sizes[(sizes >= 2) & (sizes <= MOST_RESPONSES)].tolist())):
        portion = max(1, MOST_CELLS // (n * (n - 1) // 2) ** 2)
        same = np.flatnonzero(sizes == n)
        for first in range(0, len(same), portion):
            topics = same[first : first + portion]
            mine = np.isin(of_vote, topics)
            p, outcome = np.searchsorted(topics, of_vote[mine]), votes.outcome[mine]
            a, b = place[votes.a[mine]], place[votes.b[mine]]
            wins = np.zeros((n, n, len(topics)), dtype=np.int64)
            np.add.at(wins, (a, b, p), outcome >= 0)
            np.add.at(wins, (b, a, p), outcome <= 0)
            yield topics, starts[topics][:, None] + np.arange(n), wins


def _ties(votes: MixedVotes, topics: Ints) -> Ints:
    """Return the number of ties of each topic."""
    return np.bincount(votes.topic[votes.a[votes.ties]], minlength=len(votes.topics))[topics]
