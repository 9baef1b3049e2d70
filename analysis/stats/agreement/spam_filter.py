"""Rules that keep or drop workers' votes by their spam probability."""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Flags, Floats
from analysis.stats.errors import BadSetting
from analysis.stats.votes import Votes


@dataclass(frozen=True, kw_only=True)
class KeepRule:
    """Either `most_spam` or `drop_worst`, and the minimum.

    most_spam: keep workers whose spam probability is at most this.
    drop_worst: drop this share of the workers, rounded down, those of highest spam probability; of
        equals the later in the order of the workers.
    minimum: keep at least this many votes of an item, if it has them: where the rule leaves fewer,
        the votes of its most competent workers come back. 0 as in Gienapp et al. (2025), whose
        text promises three while its code leaves fewer on 296 to 802 of 1,352 items.

    Raises BadSetting.
    """

    most_spam: float | None = 0.7
    drop_worst: float | None = None
    minimum: int = 0

    def __post_init__(self) -> None:
        shares = [share for share in (self.most_spam, self.drop_worst) if share is not None]
        if len(shares) != 1:
            raise BadSetting("rule", self, "one of most_spam and drop_worst, the other None")
        if not 0 <= shares[0] <= 1:
            raise BadSetting("rule", self, "with a share between 0 and 1")
        if self.minimum < 0:
            raise BadSetting("minimum", self.minimum, "0 or more")


def trusted_workers(spam: Floats, rule: KeepRule) -> Flags:
    """Return the mask of the W workers kept; spam (W,) is NaN without votes, never kept."""
    if rule.most_spam is not None:
        return np.asarray(spam <= rule.most_spam)
    present = int((~np.isnan(spam)).sum())
    best_first = np.argsort(spam, kind="stable")  # NaN last
    trusted = np.zeros(len(spam), dtype=bool)
    trusted[best_first[: present - int((rule.drop_worst or 0) * present)]] = True
    return trusted


def with_minimum(votes: Votes, stays: Flags, spam: Floats, judged: Flags, minimum: int) -> Flags:
    """Return the kept votes, filled up to the minimum of each item.

    All arrays are (n,), aligned with the votes. Votes of least spam come back first, of equals the
    one of the earlier worker; votes that are not judged never do.
    """
    if not minimum:
        return stays
    # Staying votes rank first: one that is dropped may have less spam than one that stays, when
    # the two were judged in different folds.
    order = np.lexsort((votes.worker, spam, ~stays, ~judged, votes.item))
    item = votes.item[order]
    rank = np.empty(len(item), dtype=np.int64)
    rank[order] = np.arange(len(item)) - np.searchsorted(item, item)
    return np.asarray(stays | (judged & (rank < minimum)))
