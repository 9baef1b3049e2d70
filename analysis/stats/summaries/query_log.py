"""SGSS: Lmax, the lines of a summary that users read, from a query log.

Sakai et al. 2026, sections 3.1 and 4.1: Lmax from clicks, scrolls and hovers with timestamps, or
from the time on a summary at a reading speed. Pure.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute

PAUSE = 30 * 60.0  # seconds without an event that end a session (Jansen et al. 2007)


@dataclass(frozen=True, kw_only=True)
class LinesRead:
    """Lmax: the most lines that the share `share` of views read.

    median: of the lines of a view; cut: the share of views that read more than Lmax.
    """

    most_lines: int
    views: int
    share: float
    median: float
    cut: float


def lines_read(lines: Floats, *, share: float = 0.95) -> LinesRead:
    """Return Lmax from the deepest line (V,) of each view.

    It is the least number of lines that `share` of the views do not exceed. Raises CannotCompute,
    BadSetting.
    """
    if not 0 < share <= 1:
        raise BadSetting("share", share, "above 0 and at most 1")
    read = np.sort(np.asarray(lines, dtype=np.float64))
    read = read[read > 0]
    if not len(read):
        raise CannotCompute("no_views", "Lmax cannot be computed because the log has no views.")
    most = max(1, math.floor(read[math.ceil(share * len(read)) - 1]))
    return LinesRead(
        most_lines=most,
        views=len(read),
        share=share,
        median=float(np.median(read)),
        cut=float(np.mean(np.floor(read) > most)),
    )


def lines_in(seconds: Floats, *, characters_a_minute: float, characters_a_line: float) -> Floats:
    """Return the lines (V,) that readers get through in a time. Raises BadSetting."""
    if characters_a_minute <= 0 or characters_a_line <= 0:
        given = (characters_a_minute, characters_a_line)
        raise BadSetting("characters_a_minute and characters_a_line", given, "above 0")
    return np.asarray(seconds, dtype=np.float64) / 60 * characters_a_minute / characters_a_line


def seconds_between(events: Sequence[tuple[str, float]]) -> list[float]:
    """Return the time from each query of (user, time in seconds) to the user's next event.

    The last event of a session has no end, and none after a pause of half an hour.
    """
    times: dict[str, list[float]] = defaultdict(list)
    for user, time in events:
        times[user].append(time)
    gaps = [np.diff(np.sort(of_user)) for of_user in times.values()]
    return [float(gap) for of_user in gaps for gap in of_user if 0 < gap < PAUSE]
