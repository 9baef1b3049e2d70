"""Verdicts on figures, by one rule each, for every page that shows them.

A verdict is a word beside a figure; pages translate it. The numbers of raters and topics that it
takes are those of design_checks.py.
"""

from enum import StrEnum

from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, About


class Sample(StrEnum):
    """Whether raters, or topics, are enough for an interval that is about others like them."""

    ENOUGH = "enough"
    TOO_FEW = "too few"


class Limit(StrEnum):
    """The lack that keeps a study from naming a winner, whatever its votes."""

    NONE = ""
    TOPICS = "topics"
    RATERS = "raters"


class Lead(StrEnum):
    """What can be claimed about the best group.

    WINS: it is better than all others for raters like these. LEADS: it is so for these raters, who
    are too few to stand for others. NO_CLEAR_WINNER: another group is not clearly worse.
    NOT_ENOUGH_DATA: fewer than two groups could be compared.
    """

    WINS = "wins"
    LEADS = "leads"
    NO_CLEAR_WINNER = "no clear winner"
    NOT_ENOUGH_DATA = "not enough data"


def raters_verdict(raters: int) -> Sample:
    return Sample.ENOUGH if raters >= LEAST_WORKERS else Sample.TOO_FEW


def topics_verdict(topics: int) -> Sample:
    return Sample.ENOUGH if topics >= LEAST_UNITS else Sample.TOO_FEW


def limit_of(*, topics: int, raters: int) -> Limit:
    """Return why no winner can be named with so many; of both lacks, that of topics."""
    if topics_verdict(topics) == Sample.TOO_FEW:
        return Limit.TOPICS
    return Limit.RATERS if raters_verdict(raters) == Sample.TOO_FEW else Limit.NONE


def lead_of(*, compared: int, best: int, about: About) -> Lead:
    """Return what can be claimed of the groups that were compared, the first included.

    best: how many of them are not clearly worse than the first, with it.
    """
    if compared < 2:
        return Lead.NOT_ENOUGH_DATA
    if best > 1:
        return Lead.NO_CLEAR_WINNER
    return Lead.WINS if about is About.LIKE_THESE else Lead.LEADS
