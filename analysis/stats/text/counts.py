"""Length of responses, their statements, cited documents and citations."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.stats.text.prose import Prose
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise

GROUPS = ("origin", "style")


@dataclass(frozen=True, eq=False, kw_only=True)
class CountsResult:
    """Counts of responses, and their means by group.

    responses: one row a response: response, topic, style, origin, words, statements, documents
    (different passages cited), citations.

    summary: one row a group and measure: the groups, measure, value, median, low, high, sd, n,
    topics. words, statements and documents are means over responses; citations_per_document and
    citations_per_statement are pooled over the group, uncited statements included. low and high
    belong to value; n counts responses.
    """

    responses: pd.DataFrame
    summary: pd.DataFrame
    non_responses: int
    unknown_citations: int
    bootstrap: Bootstrap


def count_responses(
    prose: Prose, *, by: Sequence[str] = GROUPS, bootstrap: Bootstrap | None = None
) -> CountsResult:
    """Count words, statements, documents and citations of each response and sum them up."""
    bootstrap = bootstrap or Bootstrap()
    counted = _count(prose)
    parts = []
    for measure in ("words", "statements", "documents"):
        part = summarise(counted, measure, by, bootstrap=bootstrap)
        medians = counted.groupby(list(by))[measure].median() if by else counted[[measure]].median()
        parts.append(part.assign(measure=measure, median=medians.to_numpy()))
    for weight in ("document", "statement"):
        part = summarise(counted, "citations", by, bootstrap=bootstrap, weight=f"{weight}s")
        parts.append(part.assign(measure=f"citations_per_{weight}", median=float("nan")))
    columns = [*by, "measure", "value", "median", "low", "high", "sd", "n", "topics"]
    return CountsResult(
        responses=counted,
        summary=pd.concat(parts, ignore_index=True)[columns],
        non_responses=prose.non_responses,
        unknown_citations=prose.unknown_citations,
        bootstrap=bootstrap,
    )


def _count(prose: Prose) -> pd.DataFrame:
    """Return one row a response with its four counts, 0 where it cites nothing."""
    frame = prose.responses.drop(columns="text")
    groups = {
        "statements": prose.statements.groupby("response").size(),
        "documents": prose.cited().groupby("response").size(),
        "citations": prose.citations.groupby("response").size(),
    }
    for name, sizes in groups.items():
        frame[name] = frame["response"].map(sizes).fillna(0).astype(int)
    return frame
