"""Trouble on demand: which calls fail, how, and how often."""

from dataclasses import dataclass
from enum import StrEnum


class TroubleKind(StrEnum):
    # Nothing is done, and nothing charged.
    BUSY = "busy"  # 429 with headers that say how long
    AWAY = "away"  # 503
    ERROR = "error"  # 500
    LOST = "lost"  # the connection ends
    # It is done and charged, but how the answer comes is wrong.
    ERROR_AFTER = "error-after"  # 500 all the same
    HTML = "html"  # a page instead
    HALF = "half"  # the first half of the JSON
    CUT = "cut"  # the connection ends in the middle of the answer
    SLOW = "slow"  # after some seconds
    HANG = "hang"  # never
    # The answer comes, and says what it should not.
    LENGTH = "length"  # it ended at the most tokens
    REFUSAL = "refusal"
    PROSE = "prose"  # words, and no judgment
    FOREIGN = "foreign"  # in another language
    THIRD = "third"  # a text that nobody showed
    UNCOUNTED = "uncounted"  # without the numbers of tokens


UNDONE = {TroubleKind.BUSY, TroubleKind.AWAY, TroubleKind.ERROR, TroubleKind.LOST}


@dataclass
class Trouble:
    kind: TroubleKind
    times: int = 1
    every: int = 1  # only each so many calls
    after: float = 1  # seconds: that a busy one asks us to wait, or a slow one takes
    met: int = 0

    def strikes(self) -> bool:
        self.met += 1
        if self.times < 1 or self.met % self.every:
            return False
        self.times -= 1
        return True


class Troubles:
    def __init__(self) -> None:
        self.waiting: list[Trouble] = []

    def take(self) -> Trouble | None:
        """Return the trouble of this call, and count it."""
        return next((trouble for trouble in self.waiting if trouble.strikes()), None)
