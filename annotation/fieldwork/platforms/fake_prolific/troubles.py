"""Trouble on demand: which calls go wrong, how, and how often."""

from dataclasses import dataclass
from enum import StrEnum


class ProlificTrouble(StrEnum):
    BUSY = "busy"  # 429 with Retry-After; nothing is done
    ERROR = "error"  # 500; nothing is done
    ERROR_AFTER = "error after"  # 500, although it was done
    HTML = "html"  # a page instead of JSON, although it was done
    HANG = "hang"  # no answer in time, although it was done
    CUT = "cut"  # the connection ends before the answer, although it was done
    LOST = "lost"  # no answer in time, and nothing was done


UNDONE = {ProlificTrouble.BUSY, ProlificTrouble.ERROR, ProlificTrouble.LOST}


@dataclass
class ApiTrouble:
    kind: ProlificTrouble
    where: str = ""  # what the path contains; '': any
    method: str = ""  # '': any
    times: int = 1
    retry_after: int = 1  # seconds
    seconds: float = 60  # that a hanging answer takes

    def concerns(self, method: str, path: str) -> bool:
        return self.times > 0 and self.where in path and self.method in ("", method)


class ApiTroubles:
    def __init__(self) -> None:
        self.waiting: list[ApiTrouble] = []

    def take(self, method: str, path: str) -> ApiTrouble | None:
        """Return the trouble that this call meets, and count it."""
        for trouble in self.waiting:
            if trouble.concerns(method, path):
                trouble.times -= 1
                return trouble
        return None
