"""Verdicts on figures, by one rule each, for every page that shows them.

A verdict is a word beside a figure; pages translate it. This module loads nothing, so that pages
without statistics can show verdicts.
"""

from enum import StrEnum

LEAST_WORKERS = 10  # with fewer no interval over workers and units reaches its coverage
LEAST_RATERS_ALONE = 5  # of an interval over raters, the texts given; choices.py measures it
LEAST_UNITS = 10  # items or topics; benchmarks/coverage/votes.py measures both


class About(StrEnum):
    """Raters that an interval is about.

    THESE: over topics, the raters taken as fixed. LIKE_THESE: over topics and raters. Intervals
    over raters alone, for other raters of the same texts, take only LEAST_RATERS_ALONE.
    """

    THESE = "these raters"
    LIKE_THESE = "raters like these"


class SampleVerdict(StrEnum):
    """Verdict on the number of raters, or topics, for an interval about others like them."""

    ENOUGH = "enough"
    TOO_FEW = "too few"


class LimitVerdict(StrEnum):
    """The lack that keeps a study from naming a winner, whatever its votes."""

    NONE = ""
    TOPICS = "topics"
    RATERS = "raters"


class LeadVerdict(StrEnum):
    """Verdict on the best group.

    WINS: it is better than all others for raters like these. LEADS: it is so for these raters, who
    are too few to stand for others. NO_CLEAR_WINNER: another group is not clearly worse.
    NOT_ENOUGH_DATA: fewer than two groups could be compared.
    """

    WINS = "wins"
    LEADS = "leads"
    NO_CLEAR_WINNER = "no clear winner"
    NOT_ENOUGH_DATA = "not enough data"


class AgreementVerdict(StrEnum):
    """Krippendorff's alpha beside that of published crowds who compared texts.

    UNCLEAR: no interval, or one that holds 0, as votes by chance do. LOW, HIGH: the whole interval
    is below, or above, the published range (TYPICAL_ALPHA). LOW_OR_TYPICAL, TYPICAL_OR_HIGH: alpha
    is, and its interval reaches into the range. TYPICAL: alpha is in the range.
    """

    UNCLEAR = "unclear"
    LOW = "low"
    LOW_OR_TYPICAL = "low or typical"
    TYPICAL = "typical"
    TYPICAL_OR_HIGH = "typical or high"
    HIGH = "high"


class BiasVerdict(StrEnum):
    """Evidence for a bias.

    FOUND: the interval excludes no bias. NONE_FOUND: it holds no bias, and only small ones beside.
    UNCLEAR: it holds no bias and large ones, or there is no interval.
    """

    FOUND = "found"
    NONE_FOUND = "none found"
    UNCLEAR = "unclear"


# Least and greatest alpha of the seven questions of Gienapp et al. (SIGIR 2025).
TYPICAL_ALPHA = (0.11, 0.28)
SMALL_EFFECT = 0.2  # logits: of 100 votes on equal texts 55 go to one side


def raters_verdict(raters: int) -> SampleVerdict:
    return SampleVerdict.ENOUGH if raters >= LEAST_WORKERS else SampleVerdict.TOO_FEW


def topics_verdict(topics: int) -> SampleVerdict:
    return SampleVerdict.ENOUGH if topics >= LEAST_UNITS else SampleVerdict.TOO_FEW


def limit_of(*, topics: int, raters: int) -> LimitVerdict:
    """Return why no winner can be named with so many; of both lacks, that of topics."""
    if topics_verdict(topics) == SampleVerdict.TOO_FEW:
        return LimitVerdict.TOPICS
    return (
        LimitVerdict.RATERS
        if raters_verdict(raters) == SampleVerdict.TOO_FEW
        else LimitVerdict.NONE
    )


def lead_of(*, compared: int, best: int, about: About) -> LeadVerdict:
    """Return what can be claimed of the groups that were compared, the first included.

    best: how many of them are not clearly worse than the first, with it.
    """
    if compared < 2:
        return LeadVerdict.NOT_ENOUGH_DATA
    if best > 1:
        return LeadVerdict.NO_CLEAR_WINNER
    return LeadVerdict.WINS if about is About.LIKE_THESE else LeadVerdict.LEADS


def agreement_of(alpha: float, low: float | None, high: float | None) -> AgreementVerdict:
    """Return what an alpha and its interval say; None where there is none."""
    if low is None or high is None or low <= 0:
        return AgreementVerdict.UNCLEAR
    least, most = TYPICAL_ALPHA
    if alpha < least:
        return AgreementVerdict.LOW if high < least else AgreementVerdict.LOW_OR_TYPICAL
    if alpha > most:
        return AgreementVerdict.HIGH if low > most else AgreementVerdict.TYPICAL_OR_HIGH
    return AgreementVerdict.TYPICAL


def bias_of(low: float | None, high: float | None, *, small: float = SMALL_EFFECT) -> BiasVerdict:
    """Return what the interval of a bias says, in which 0 is no bias; None where there is none."""
    if low is None or high is None:
        return BiasVerdict.UNCLEAR
    if low > 0 or high < 0:
        return BiasVerdict.FOUND
    return BiasVerdict.NONE_FOUND if max(-low, high) <= small else BiasVerdict.UNCLEAR
