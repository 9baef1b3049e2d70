"""Requirements of a design before a number is read as a result.

Each check returns the sentence that replaces the number, or an empty one.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from analysis.stats.bradley_terry.comparisons import TIE, Comparisons
from analysis.stats.verdicts import LEAST_RATERS_ALONE, LEAST_UNITS, LEAST_WORKERS, About
from annotation.texts.plurals import counted

__all__ = [
    "ALL_ALIKE",
    "LEAST_COMPARISONS",
    "LEAST_UNITS",
    "LEAST_WORKERS",
    "LEAST_WORKERS_OF_POSITION",
    "MOST_NAMED",
    "MOST_UNDEFINED",
    "NOT_ENOUGH",
    "NO_SHARED_TOPIC",
    "PERFECT",
    "About",
    "about_raters",
    "at_least",
    "by_reason",
    "check_comparisons",
    "few_clusters",
    "few_topics_of_group",
    "few_workers",
    "undefined",
]

LEAST_WORKERS_OF_POSITION = LEAST_RATERS_ALONE  # merits, the effect of position
LEAST_COMPARISONS = 5  # of a problem: of one or two, every draw of a bootstrap is the same
NOT_ENOUGH = "Not enough data for an interval because"
PERFECT = 1 - 1e-12  # agreement up to rounding
ALL_ALIKE = "No interval for {}: all votes on each item agree."
NO_SHARED_TOPIC = "No topic has both groups, so they cannot be compared."
MOST_NAMED = 4  # topics that fall into parts, and responses of a part, before "more"
MOST_UNDEFINED = 0.05  # of the draws: with more, the percentiles of the others mean something else


def about_raters(workers: int | None) -> About:
    """Return the raters that an interval is about, by their number; None: taken as given."""
    enough = workers is not None and workers >= LEAST_WORKERS
    return About.LIKE_THESE if enough else About.THESE


def few_clusters(
    what: str,
    *,
    units: int,
    workers: int | None,
    called: str = "items or topics",
    opening: str = "An interval for",
) -> str:
    """Return why there is no interval over workers and units, or over units (workers: None).

    called: the name of a unit; by default either of the two that the caller has drawn.
    """
    lacking = [
        at_least(least, name, number)
        for name, number, least in (
            ("participants", workers, LEAST_WORKERS),
            (called, units, LEAST_UNITS),
        )
        if number is not None and number < least
    ]
    if not lacking:
        return ""
    return f"{opening} {what} needs at least {' and '.join(lacking)}."


def few_topics_of_group(topics: int) -> str:
    """Return why one group, or a pair, has no interval in a study with enough topics."""
    return f"Only {counted(topics, 'topic')}; a confidence interval needs at least {LEAST_UNITS}."


def at_least(least: int, name: str, present: int) -> str:
    """Return a requirement with the number that a study has."""
    return f"{least} {name} (you have {present:,})"


def few_workers(what: str, workers: int, *, cluster: str = "participant") -> str:
    """Return why there is no interval over workers (or another cluster of votes) alone."""
    if workers >= LEAST_WORKERS_OF_POSITION:
        return ""
    needed = at_least(LEAST_WORKERS_OF_POSITION, f"{cluster}s", workers)
    return f"An interval for {what} needs at least {needed}."


def undefined(what: str, *, undefined_draws: int, draws: int) -> str:
    """Return a sentence about bootstrap draws without a value."""
    if not undefined_draws:
        return ""
    if undefined_draws > MOST_UNDEFINED * draws:
        return f"No interval for {what}: {undefined_draws} of {draws} draws have no value."
    have, are = ("has", "is") if undefined_draws == 1 else ("have", "are")
    return (
        f"{undefined_draws} of {draws} draws {have} no value and {are} excluded from the interval."
    )


def check_comparisons(
    comparisons: Comparisons, *, names: Mapping[Hashable, str] | None = None
) -> pd.DataFrame:
    """Return one row a problem: problem, responses, comparisons, decided, parts, why, apart.

    parts: the number of parts that the comparisons split the responses into; across parts only the
    ridge compares them. decided: comparisons that are no tie. why: the reason not to compare merits
    of the problem, or empty. apart: the responses of each part, by their `names` where there are
    any; empty for one part.
    """
    R, P = len(comparisons.responses), len(comparisons.problems)
    weighty = comparisons.weight > 0
    edges = np.ones(int(weighty.sum())), (comparisons.a[weighty], comparisons.b[weighty])
    _, part = scipy.sparse.csgraph.connected_components(
        scipy.sparse.coo_array(edges, shape=(R, R)), directed=False
    )
    of_part = np.unique(np.stack([comparisons.entry_problem, part]), axis=1)[0]
    problem = comparisons.problem[weighty]
    number = np.bincount(problem, minlength=P)
    decided = np.bincount(problem[comparisons.outcome[weighty] != TIE], minlength=P)
    frame = pd.DataFrame(
        {
            "problem": list(comparisons.problems),
            "responses": comparisons.sizes,
            "comparisons": number,
            "decided": decided,
            "parts": np.bincount(of_part, minlength=P),
        }
    )
    numbers = zip(number.tolist(), frame["parts"].tolist(), strict=True)
    return frame.assign(
        why=[_why(*problem_numbers) for problem_numbers in numbers],
        apart=_apart(comparisons, part, names or {}),
    )


def _apart(
    comparisons: Comparisons, part: NDArray[np.int32], names: Mapping[Hashable, str]
) -> list[str]:
    """Return the parts of each problem: names with commas between, "and" between parts."""
    inside: dict[int, dict[int, list[str]]] = {}
    entries = zip(comparisons.entry_problem, part, comparisons.responses, strict=True)
    for problem, of_part, response in entries:
        name = names.get(response, str(response))
        inside.setdefault(int(problem), {}).setdefault(int(of_part), []).append(name)
    return [
        " and ".join(map(_some, parts.values())) if len(parts) > 1 else ""
        for _, parts in sorted(inside.items())
    ]


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    shown = ", ".join(sorted(names)[:MOST_NAMED])
    return f"({shown}, {more:,} more)" if more > 0 else f"({shown})"


def by_reason(checked: pd.DataFrame) -> list[tuple[str, str]]:
    """Return (number of topics, reason) for topics without merits or intervals.

    checked: columns topic, why, apart. Topics share one sentence; its parts are those of the first.
    """
    reasons = []
    for why, rows in checked[checked["why"] != ""].groupby("why", sort=False):
        apart = rows[rows["apart"] != ""]
        named = [f"{row.topic}: {row.apart}" for row in apart.head(MOST_NAMED).itertuples()]
        if more := len(apart) - len(named):
            named.append(f"and {counted(more, 'more topic')}")
        sentence = f"{why} {'; '.join(named)}." if named else str(why)
        reasons.append((f"{len(rows):,} of {len(checked):,} topics", sentence))
    return reasons


def _why(number: int, parts: int) -> str:
    if parts > 1:
        return (
            f"Responses cannot be compared: the comparisons form {parts} groups that share no "
            "response."
        )
    if number < LEAST_COMPARISONS:
        needed = at_least(LEAST_COMPARISONS, "comparisons", number)
        return f"Comparing responses needs at least {needed}."
    return ""
