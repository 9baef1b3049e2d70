"""Citations of passages by responses: by rank, in common with others, in order, along the text.

All frames have one row a group, with value, low and high (a bootstrap over topics), sd (between
the values, not of their mean), n (values) and topics.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.text.counts import GROUPS
from analysis.stats.text.prose import Prose
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise

RETRIEVED = "retrieved"


def no_citations(measure: str) -> CannotCompute:
    """Return the error of a measure of texts without citations."""
    return CannotCompute(
        "no_citations", f"{measure} cannot be computed because no response cites a passage."
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class CitingResult:
    """Measures of groups, one row each in `frame`, and the settings of their intervals."""

    frame: pd.DataFrame
    bootstrap: Bootstrap


def citation_by_rank(
    prose: Prose, *, by: Sequence[str] = GROUPS, bootstrap: Bootstrap | None = None
) -> CitingResult:
    """Return the probability that a response cites the passage of a rank: groups, rank, ..."""
    bootstrap = bootstrap or Bootstrap()
    offered = _offered(prose, "The probability of citation")
    frame = summarise(offered, "cited", [*by, "rank"], bootstrap=bootstrap)
    return CitingResult(frame=frame, bootstrap=bootstrap)


def ranks_of_citations(
    prose: Prose, *, by: Sequence[str] = GROUPS, bootstrap: Bootstrap | None = None
) -> CitingResult:
    """Return the ranks of the cited and of the uncited passages, 1 for the best.

    frame: groups, cited (True, False), statistic, value, ...; statistic is "mean" and "median"
    over all passages offered to the group's responses, and "mean_of_medians": the mean over
    responses of the median within each. Gienapp et al. 2025 print the last one, from ranks that
    count from 0, as a median.
    """
    bootstrap = bootstrap or Bootstrap()
    offered = _offered(prose, "Ranks")
    groups = [*by, "cited"]
    within = offered.groupby([*dict.fromkeys([*by, "topic", "response", "cited"])])["rank"]
    parts = {
        "mean": summarise(offered, "rank", groups, bootstrap=bootstrap),
        "median": summarise(offered, "rank", groups, bootstrap=bootstrap, statistic="median"),
        "mean_of_medians": summarise(
            within.median().reset_index(), "rank", groups, bootstrap=bootstrap
        ),
    }
    frame = pd.concat([part.assign(statistic=name) for name, part in parts.items()])
    frame["cited"] = frame["cited"].astype(bool)
    columns = [*groups, "statistic", "value", "low", "high", "sd", "n", "topics"]
    return CitingResult(frame=frame[columns].reset_index(drop=True), bootstrap=bootstrap)


def overlaps(
    prose: Prose, *, by: Sequence[str] = ("style",), bootstrap: Bootstrap | None = None
) -> CitingResult:
    """Return the Jaccard of cited sets within topic and group: of origins, and with retrieved.

    frame: groups, one, other, value, ...; one and other are origins, or other is "retrieved". Each
    response of the one is compared with each of the other; a response without citations has the
    empty set, and a pair of empty sets has no Jaccard and does not count.
    """
    bootstrap = bootstrap or Bootstrap()
    if prose.citations.empty:
        raise no_citations("The overlap of citations")
    ranks = prose.passages.groupby("topic")["rank"].agg(set)
    cited = prose.citations.groupby("response")["rank"].agg(set).to_dict()
    rows: list[tuple[object, ...]] = []
    where = [*dict.fromkeys([*by, "topic"])]
    for key, cell in prose.responses.groupby(where):
        sets: dict[str, list[set[int]]] = {}
        for response, origin in zip(cell["response"], cell["origin"], strict=True):
            sets.setdefault(origin, []).append(cited.get(response, set()))
        retrieved = ranks.get(cell["topic"].iloc[0], set())
        rows.extend((*key, *compared) for compared in _compared(sets, retrieved))
    pairs = pd.DataFrame(rows, columns=[*where, "one", "other", "jaccard"])
    frame = summarise(pairs, "jaccard", [*by, "one", "other"], bootstrap=bootstrap)
    return CitingResult(frame=frame, bootstrap=bootstrap)


def citation_order(
    prose: Prose, *, by: Sequence[str] = GROUPS, bootstrap: Bootstrap | None = None
) -> CitingResult:
    """Return Spearman's rho of a passage's rank and the position of its first citation.

    1: the response goes through the passages as they were ranked. frame: groups, value (mean over
    responses), ...; responses that cite fewer than two passages have no order and do not count.
    """
    bootstrap = bootstrap or Bootstrap()
    cited = prose.cited()
    # The ranks of the cited among themselves; both are permutations of 1..m.
    cited["place"] = cited.groupby("response")["rank"].rank()
    cited["squared"] = (cited["place"] - cited["position"]) ** 2
    sums = cited.groupby("response")["squared"].agg(["sum", "size"])
    m = sums["size"].where(sums["size"] > 1)
    rho = 1 - 6 * sums["sum"] / (m * (m**2 - 1))
    frame = prose.responses.assign(rho=prose.responses["response"].map(rho))
    if frame["rho"].isna().all():
        raise no_citations("The order of citations")
    return CitingResult(frame=summarise(frame, "rho", by, bootstrap=bootstrap), bootstrap=bootstrap)


def citation_density(
    prose: Prose, *, by: Sequence[str] = GROUPS, bins: int = 20, bootstrap: Bootstrap | None = None
) -> CitingResult:
    """Return the density of citations along the text, from its first character (0) to its last (1).

    frame: groups, start, end, value, ...; value is the share of the citations between start and
    end, divided by the width: 1 throughout if they were spread evenly. n counts citations.
    """
    bootstrap = bootstrap or Bootstrap()
    if bins < 1:
        raise BadSetting("bins", bins, "1 or more")
    if prose.citations.empty:
        raise no_citations("The density of citations")
    statement_positions = prose.statements[["response", "statement", "position"]]
    placed = prose.citations.merge(statement_positions, on=["response", "statement"])
    placed = placed.merge(prose.responses, on="response")
    bin_of = np.minimum((placed["position"] * bins).to_numpy().astype(int), bins - 1)
    parts = []
    for number in range(bins):
        placed["density"] = (bin_of == number) * float(bins)
        part = summarise(placed, "density", by, bootstrap=bootstrap)
        parts.append(part.assign(start=number / bins, end=(number + 1) / bins))
    columns = [*by, "start", "end", "value", "low", "high", "sd", "n", "topics"]
    return CitingResult(frame=pd.concat(parts, ignore_index=True)[columns], bootstrap=bootstrap)


def _offered(prose: Prose, measure: str) -> pd.DataFrame:
    """Return one row for each response and passage of its topic, with cited (1.0, 0.0)."""
    if prose.citations.empty:
        raise no_citations(measure)
    offered = prose.responses.drop(columns="text").merge(
        prose.passages[["topic", "rank"]], on="topic"
    )
    once = prose.cited()[["response", "rank"]].assign(cited=1.0)
    return offered.merge(once, on=["response", "rank"], how="left").fillna({"cited": 0.0})


def _compared(sets: dict[str, list[set[int]]], retrieved: set[int]) -> list[tuple[str, str, float]]:
    """Return the Jaccards (one, other, value) within one topic; NaN for two empty sets."""
    jaccards = [
        (origin, RETRIEVED, _jaccard(cited, retrieved)) for origin in sets for cited in sets[origin]
    ]
    for origin, other in combinations_with_replacement(sorted(sets), 2):
        for i, first in enumerate(sets[origin]):
            rest = sets[other][i + 1 :] if origin == other else sets[other]
            jaccards.extend((origin, other, _jaccard(first, second)) for second in rest)
    return jaccards


def _jaccard(one: set[int], other: set[int]) -> float:
    either = one | other
    return len(one & other) / len(either) if either else float("nan")
