"""Workers who choose the text on one side."""

import numpy as np
import pandas as pd
import scipy

from analysis.stats.manipulation.compared_votes import ComparedVotes

HONEST_SIDE_SD = 0.4  # logits: the habits of honest workers (measured on a published corpus)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(21)


def one_side(votes: ComparedVotes) -> pd.DataFrame:
    """Return one row a worker with votes for a side, the least q first.

    Columns: worker, votes (for either side), left (share), p, q (p times the number of workers).
    Under the null, the habit of a worker is normal about that of all, with SD HONEST_SIDE_SD, and p
    is twice the smaller tail of the binomial distribution mixed over it.
    """
    W = len(votes.workers)
    decided = (votes.left != 0) & (votes.outcome != 0)
    for_left = (votes.left * votes.outcome > 0) & decided
    n = np.bincount(votes.worker[decided], minlength=W)
    k = np.bincount(votes.worker[for_left], minlength=W)
    usual = (k.sum() + 1) / (n.sum() + 2)
    share = scipy.special.expit(scipy.special.logit(usual) + HONEST_SIDE_SD * NODES)
    weight = WEIGHTS / WEIGHTS.sum()
    low = scipy.stats.binom.cdf(k[:, None], n[:, None], share) @ weight
    high = scipy.stats.binom.sf(k[:, None] - 1, n[:, None], share) @ weight
    p = np.minimum(2 * np.minimum(low, high), 1.0)
    frame = pd.DataFrame({"worker": list(votes.workers), "votes": n, "left": k / np.maximum(n, 1)})
    frame = frame.assign(p=p)[n > 0]
    frame["q"] = np.minimum(frame["p"] * len(frame), 1.0)
    return frame.sort_values("p", kind="stable", ignore_index=True)
