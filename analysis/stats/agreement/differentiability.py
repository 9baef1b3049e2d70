"""Items on which a majority forms, and the rest: agreement on each part.

The differentiability split of the Crowd RAG Corpus 2025 (Gienapp et al., SIGIR 2025, Table 4):
an item is differentiable if in at least 5 of the 7 dimensions some option has at least 3 of its 5
votes. The option may be the neutral one: that gives the published 1,062 and 290 pairs, while
counting only majorities that prefer a side would give 591 and 761. The split is made by agreement
itself, so alpha is high on the one part and about 0 or below on the other even for random votes:
compare either part with the same part of another study, never with alpha of all items.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import (
    AlphaResult,
    Level,
    NothingPairable,
    OneValueOnly,
    krippendorff_alpha,
)
from analysis.stats.errors import BadSetting, no_votes
from analysis.stats.votes import Votes


@dataclass(frozen=True, kw_only=True)
class Split:
    """Items with a majority in enough questions, and all others, both sorted by id.

    questions: their number; at_least: questions that need a majority; share: of an item's votes.
    """

    differentiable: tuple[Hashable, ...]
    others: tuple[Hashable, ...]
    questions: int
    at_least: int
    share: float


@dataclass(frozen=True, kw_only=True)
class SplitAgreement:
    """Alpha of one question on each part; where a part has none, the reason in a sentence."""

    differentiable: AlphaResult | None
    others: AlphaResult | None
    differentiable_reason: str
    others_reason: str


def differentiability(
    questions: Mapping[str, Votes], *, share: float = 0.6, at_least: int | None = None
) -> Split:
    """Split the items by whether a majority forms on them.

    share: an item has a majority in a question if one option has at least this share of its votes
    there (3 of 5); with a share of half or less several options may. at_least: the number of the Q
    questions with a majority, by default 5/7 of them, rounded up. Items are matched by id; a
    question in which an item has no votes has no majority. Raises CannotCompute (no_votes),
    BadSetting.
    """
    if not 0 < share <= 1:
        raise BadSetting("share", share, "above 0 and at most 1")
    Q = len(questions)
    needed = ceil(5 * Q / 7) if at_least is None else at_least
    if Q and not 1 <= needed <= Q:
        raise BadSetting("at_least", at_least, f"1 to {Q}, the number of questions")
    if not any(len(votes) for votes in questions.values()):
        raise no_votes("The split by differentiability")
    forms = pd.concat([_majorities(votes, share) for votes in questions.values()])
    enough = forms.groupby(level=0).sum() >= needed
    return Split(
        differentiable=tuple(enough.index[enough].tolist()),
        others=tuple(enough.index[~enough].tolist()),
        questions=Q,
        at_least=needed,
        share=share,
    )


def split_agreement(
    votes: Votes,
    split: Split,
    *,
    level: Level = "ordinal",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> SplitAgreement:
    """Compute Krippendorff's alpha of one question on each part of a split, over items.

    Raises BadSetting, and CannotCompute (options_not_numeric) for the level.
    """
    alphas: list[AlphaResult | None] = []
    reasons = []
    for part in (split.differentiable, split.others):
        wanted = set(part)
        of_part = np.array([item in wanted for item in votes.items], dtype=bool)[votes.item]
        try:
            alpha = krippendorff_alpha(
                votes.only(of_part), level=level, draws=draws, confidence=confidence, seed=seed
            )
        except (NothingPairable, OneValueOnly) as reason:
            alphas.append(None)
            reasons.append(str(reason))
        else:
            alphas.append(alpha)
            reasons.append("")
    return SplitAgreement(
        differentiable=alphas[0],
        others=alphas[1],
        differentiable_reason=reasons[0],
        others_reason=reasons[1],
    )


def _majorities(votes: Votes, share: float) -> "pd.Series[bool]":
    """Return whether a majority forms, for each item with votes."""
    counts = votes.counts()
    m = counts.sum(axis=1)
    # a hair less than the share, since .6 * 5 is not 3 in every arithmetic
    forms = counts.max(axis=1, initial=0) >= share * m - 1e-9
    voted = [item for item, some in zip(votes.items, m > 0, strict=True) if some]
    return pd.Series(forms[m > 0], index=pd.Index(voted, dtype=object))
