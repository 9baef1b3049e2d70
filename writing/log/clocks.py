"""The clock of a log beside ours: what it claims, and what arrived here when. Pure.

A log that arrives late is an honest one: a browser without a connection sends all in one burst when
it is back. But nothing can arrive before it has happened, so that a log never claims more time than
passed here since its writer began; and a browser sends its first chunk within seconds of the first
event, which it could not do at all without a connection.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from writing.log.arrivals import ChunkArrival

BURST = 10_000  # ms; what arrives within it came at once


@dataclass(frozen=True)
class Clocks:
    """All in ms.

    ahead   by how much the log claims more time than had passed here, at most; 0 if never
    claimed and passed   at that chunk: the time it claims, and the time since the writer began
    burst   the longest stretch of the log that arrived within 10 s
    burst_from   where in the log that stretch begins; 0: nothing arrived before it
    """

    ahead: int
    claimed: int
    passed: int
    burst: int
    burst_from: int


def clocks(arrivals: Sequence[ChunkArrival], *, began: int | None) -> Clocks | None:
    """Compare them; None where nobody kept arrivals. `began` is our time, ms since 1970."""
    if not arrivals:
        return None
    ahead = claimed = passed = 0
    if began is not None:
        for arrival in arrivals:
            if (by := arrival.ms - (arrival.at - began)) > ahead:
                ahead, claimed, passed = by, arrival.ms, arrival.at - began
    burst, start = _burst(arrivals)
    return Clocks(ahead, claimed, passed, burst, start)


def _burst(arrivals: Sequence[ChunkArrival]) -> tuple[int, int]:
    """Return the longest stretch of consecutive chunks that arrived within 10 s."""
    longest, start, first = 0, 0, 0
    before = [0, *(arrival.ms for arrival in arrivals)]  # where each chunk begins, at the earliest
    for arrival in arrivals:
        while abs(arrival.at - arrivals[first].at) > BURST:
            first += 1
        if arrival.ms - before[first] > longest:
            longest, start = arrival.ms - before[first], before[first]
    return longest, start
