"""Majority vote: the simplest label of an item, and the baseline for every better one."""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import no_votes
from analysis.stats.votes import Votes


@dataclass(frozen=True, eq=False, kw_only=True)
class MajorityResult:
    """The label of each of the N items, as an index into the options; -1 without votes.

    share: of the item's votes, those for the label (NaN without votes); a majority of 3 of 5 is
    share >= .6. tied: another option has as many votes, and the label is the first of them in the
    order of the options.
    """

    votes: Votes
    gold: Ints
    share: Floats
    tied: Flags


def majority_vote(votes: Votes) -> MajorityResult:
    """Return the option chosen most often for each item. Raises CannotCompute (no_votes)."""
    if not len(votes):
        raise no_votes("A majority")
    counts = votes.counts()
    m = counts.sum(axis=1)
    most = counts.max(axis=1)
    share = np.divide(most, m, out=np.full(len(m), np.nan), where=m > 0)
    return MajorityResult(
        votes=votes,
        gold=np.where(m > 0, counts.argmax(axis=1), -1),
        share=share,
        tied=(m > 0) & ((counts == most[:, None]).sum(axis=1) > 1),
    )
