"""Table 3 and the numbers behind figures 1 to 5: written texts and their citations.

Two columns of the paper are computed as printed too, to explain them: rank correlations between the
ids of passages as strings, and mean ranks that count from 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.replication.cells import TableCells
from analysis.replication.grade_tables import ORIGINS, STYLES
from analysis.stats.errors import CannotCompute
from analysis.stats.text.citations import (
    citation_by_rank,
    citation_density,
    citation_order,
    overlaps,
    ranks_of_citations,
)
from analysis.stats.text.counts import count_responses
from analysis.stats.text.prose import Prose
from analysis.stats.text.readability import readability
from analysis.stats.text.reuse import reuse
from analysis.stats.text.topic_bootstrap import Bootstrap

BOOTSTRAP = Bootstrap(draws=1000)
BINS = 20
PAIRS = {"human_retrieved": ("human", "retrieved"), "llm_retrieved": ("llm", "retrieved"),
         "human_llm": ("human", "llm")}  # fmt: skip


def fill_table_3(cells: TableCells, prose: Prose, keys: Mapping[tuple[str, int], str]) -> None:
    """Fill in citations, in common and in order; keys are the ids of passages by place."""
    try:
        jaccard = _rows(overlaps(prose, bootstrap=BOOTSTRAP).frame, "one", "other", "style")
        order = _rows(citation_order(prose, bootstrap=BOOTSTRAP).frame, "origin", "style")
    except CannotCompute as reason:
        for part in ("jaccard", "jaccard_sd", "spearman", "spearman_as_printed"):
            cells.lack_all("table3", part, keys=PAIRS, reason=str(reason))
        return
    for pair, (first, other) in PAIRS.items():
        jaccard_by_style = {style: jaccard[first, other, style] for style in STYLES}
        _styles(cells, ("table3", "jaccard", pair), jaccard_by_style)
        cells.put(
            "table3", "jaccard_sd", pair, value={s: jaccard_by_style[s]["sd"] for s in STYLES}
        )
        if other == "retrieved":
            jaccard_by_style = {style: order[first, style] for style in STYLES}
            _styles(cells, ("table3", "spearman", pair), jaccard_by_style)
        else:
            cells.fill("table3", "spearman", pair, make=partial(_order_in_common, prose))
        cells.fill(
            "table3",
            "spearman_as_printed",
            pair,
            make=partial(_order_of_strings, prose, keys, first, other),
        )


def _rows(frame: pd.DataFrame, *names: str) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the rows of a frame by the values of these columns."""
    return {tuple(row[name] for name in names): row for row in frame.to_dict("records")}  # type: ignore[misc]


def _styles(
    cells: TableCells, path: tuple[str, ...], found: Mapping[str, Mapping[str, Any]]
) -> None:
    """Set the cells of the styles, and their plain mean."""
    for style, row in found.items():
        cells.put_interval(*path, style, value=row["value"], low=row["low"], high=row["high"])
        cells.sizes[".".join((*path, style))] = {"responses": int(row["n"])}
    cells.put(*path, "all", value=sum(row["value"] for row in found.values()) / len(found))


# -- Orders -----------------------------------------------------------------------------------


def _cited(prose: Prose) -> pd.DataFrame:
    about = prose.responses[["response", "topic", "style", "origin"]]
    return prose.cited().merge(about, on="response")


def _order_in_common(prose: Prose) -> dict[str, float]:
    """Return Spearman between the positions at which people and the model cite common passages."""
    cited = _cited(prose)
    on = ["topic", "style", "rank"]
    both = cited[cited["origin"] == "human"].merge(cited[cited["origin"] == "llm"], on=on)
    values = [
        (str(style), _spearman(list(part["position_x"]), list(part["position_y"])))
        for (style, _, _), part in both.groupby(["style", "response_x", "response_y"])
        if len(part) > 1
    ]
    return _by_style(values)


def _order_of_strings(
    prose: Prose, keys: Mapping[tuple[str, int], str], one: str, other: str
) -> dict[str, float]:
    """Return the same with the ids of the passages, as strings, in place of places; as printed."""
    lists = _cited_in_order(prose)
    values = []
    for (topic, style), cited in lists[one].items():
        theirs = sorted(cited) if other == "retrieved" else lists[other].get((topic, style), [])
        first = [keys[topic, rank] for rank in cited if rank in theirs]
        second = [keys[topic, rank] for rank in theirs if rank in cited]
        if len(first) > 1:
            alphabet = {key: number for number, key in enumerate(sorted(first))}
            sides = ([alphabet[key] for key in side] for side in (first, second))
            values.append((style, _spearman(*sides)))
    return _by_style(values)


def _cited_in_order(prose: Prose) -> dict[str, dict[tuple[str, str], list[int]]]:
    """Return origin -> (topic, style) -> ranks in the order of citation, of the first response."""
    lists: dict[str, dict[tuple[str, str], list[int]]] = {origin: {} for origin in ORIGINS}
    cited = _cited(prose).sort_values(["response", "position"])
    first: dict[tuple[str, str, str], str] = {}
    columns = [cited[name] for name in ("origin", "topic", "style", "response", "rank")]
    for origin, topic, style, response, rank in zip(*columns, strict=True):
        if first.setdefault((origin, topic, style), response) == response:
            lists[origin].setdefault((topic, style), []).append(int(rank))
    return lists


def _spearman(first: Sequence[int], second: Sequence[int]) -> float:
    """Return rho of two orders of the same things; scipy's own takes 30 times as long to load."""
    return float(np.corrcoef(scipy.stats.rankdata(first), scipy.stats.rankdata(second))[0, 1])


def _by_style(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the mean of each style, and the plain mean of those. Raises CannotCompute."""
    frame = pd.DataFrame(list(values), columns=["style", "value"])
    means = frame.groupby("style")["value"].mean()
    if set(means.index) != set(STYLES):
        raise CannotCompute(
            "no_shared_citations",
            "No two responses share two cited passages, so there is no order.",
        )
    return {style: means[style] for style in STYLES} | {"all": means.mean()}


# -- Figures ----------------------------------------------------------------------------------


def fill_figures(cells: TableCells, *, long: Prose, every: Prose) -> None:
    """Fill in the numbers behind the figures; each is left out with its reason if it has none.

    long: responses of 50 words and more; every: all of them.
    """
    for name, fill, prose in (
        ("figure1", _figure_1, long),
        ("figure2", figure_2, every),
        ("figure3", _figure_3, every),
        ("figure4", _figure_4, every),
        ("figure5", _figure_5, long),
    ):
        try:
            fill(cells, prose)
        except CannotCompute as reason:
            cells.lack("figures", name, reason=str(reason))


def _figure_1(cells: TableCells, prose: Prose) -> None:
    counted = count_responses(prose, bootstrap=BOOTSTRAP)
    for _, row in counted.summary.iterrows():
        path = ("figures", "figure1", row["measure"], row["origin"], row["style"])
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
    for (measure, origin), part in counted.summary.groupby(["measure", "origin"]):
        path = ("figures", "figure1", str(measure), str(origin), "all")
        cells.put(*path, value=part["value"].mean())
    words = counted.responses.groupby("origin")["words"].mean()
    cells.put("table1", "words_per_response", value=words.get("human"))
    for measure in ("words", "statements", "documents"):
        values = counted.responses.groupby(["origin", "style"])[measure].agg(list)
        cells.drawn[f"figure1.{measure}"] = {
            f"{origin} {style}": values[origin, style] for origin, style in values.index
        }
    cells.put("counts", "non_responses", value=counted.non_responses)
    cells.put("counts", "unknown_citations", value=counted.unknown_citations)


def figure_2(cells: TableCells, prose: Prose) -> None:
    by_rank = citation_by_rank(prose, by=("origin",), bootstrap=BOOTSTRAP).frame
    for origin, part in by_rank.groupby("origin"):
        points = part.sort_values("rank")[["rank", "value", "low", "high"]]
        cells.put("figures", "figure2", "probability", str(origin), value=points.values.tolist())
    ranks = ranks_of_citations(prose, bootstrap=BOOTSTRAP).frame
    medians = ranks[ranks["statistic"] == "mean_of_medians"]
    for _, row in medians.iterrows():
        kind = "cited" if row["cited"] else "uncited"
        path = ("figures", "figure2", "median_rank", kind, row["origin"], row["style"])
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
    for (origin, style, cited), value in _mean_ranks_from_0(prose).items():
        kind = "cited" if cited else "uncited"
        cells.put("figures", "figure2", "rank_as_printed", kind, origin, style, value=value)


def _mean_ranks_from_0(prose: Prose) -> dict[tuple[str, str, bool], float]:
    """Return means over responses of their mean rank from 0, which the paper calls a median."""
    about = prose.responses[["response", "topic", "style", "origin"]]
    offered = about.merge(prose.passages[["topic", "rank"]], on="topic")
    cited = set(map(tuple, prose.cited()[["response", "rank"]].itertuples(index=False)))
    places = zip(offered["response"], offered["rank"], strict=True)
    offered["cited"] = [place in cited for place in places]
    groups = ["origin", "style", "cited"]
    means = (offered["rank"] - 1).groupby([offered[name] for name in [*groups, "response"]]).mean()
    return dict(means.groupby(groups).mean().items())  # type: ignore[arg-type]


def _figure_3(cells: TableCells, prose: Prose) -> None:
    result = reuse(prose, bootstrap=BOOTSTRAP)
    under = result.shares[result.shares["statistic"] == "under"]
    for _, row in under.iterrows():
        path = ("figures", "figure3", "share_under_25", row["origin"], row["style"])
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
    for (origin, style), part in result.distribution.groupby(["origin", "style"]):
        path = ("figures", "figure3", "distribution", str(origin), str(style))
        cells.put(*path, value=list(part["value"]))


def _figure_4(cells: TableCells, prose: Prose) -> None:
    dense = citation_density(prose, bins=BINS, bootstrap=BOOTSTRAP).frame
    for (origin, style), part in dense.groupby(["origin", "style"]):
        values = part.sort_values("start")["value"]
        path = ("figures", "figure4", "density", str(origin), str(style))
        cells.put(*path, value=list(values))


def _figure_5(cells: TableCells, prose: Prose) -> None:
    result = readability(prose, by=("origin",), unit="statement", bootstrap=BOOTSTRAP)
    for _, row in result.summary.iterrows():
        path = ("figures", "figure5", "median", row["text"], row["origin"])
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
    for origin in ORIGINS:
        part = result.responses[result.responses["origin"] == origin]
        for text in ("own", "cited"):
            cells.drawn[f"figure5.{origin}.{text}"] = [float(x) for x in part[text].dropna()]
