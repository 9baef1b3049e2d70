"""How good are the rankings of the systems, by what people say of the passages?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from analysis.analyses.described import (
    COUNT,
    HIDDEN,
    SHARE,
    Analysis,
    Column,
    Display,
    N,
    Reads,
    to_scores,
)
from analysis.inputs.asked import Asked, Tables, table
from analysis.inputs.measures import Measure
from analysis.pages.results import findings
from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE, Figure, figure
from analysis.pages.results.found import Found
from analysis.plots import Estimate, forest
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.labels.repeats import counted_once
from analysis.stats.retrieval.boards import coverage_board, grade_levels, relevance_board
from analysis.stats.retrieval.coverage import Bank, qrels_of
from analysis.stats.retrieval.grading import mean_grades, qrels_from
from analysis.stats.retrieval.rankings import Run
from judging.items.kinds import KINDS, Holds


class NothingRanked(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "Rankings cannot be measured because the corpus has none of the judged topics: import "
            "the run of each system."
        )


class NothingRelevant(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "Rankings cannot be measured because the scale has no grade that makes a passage "
            "relevant: it needs a grade above 0 that is at or above the setting “levels”."
        )


def to_passages(measure: Measure) -> bool:
    """A number for a passage, by itself or on a point."""
    return to_scores(measure) and KINDS[measure.kind].subject.holds == Holds.PASSAGE


def retrieval(asked: Asked) -> Tables:
    """Measures of trec_eval and coverage, one row a system, measure and level."""
    votes = counted_once(asked.counted)
    runs = runs_of(asked, {*votes["topic"]})
    grades = mean_grades(votes.rename(columns={"criterion": "entry"}))
    levels = levels_of(asked)
    how: dict[str, Any] = {
        "levels": levels, "cutoffs": asked.setting("cutoffs"), "confidence": asked.confidence
    }  # fmt: skip
    if "entry" not in grades:
        return {"boards": table(relevance_board(runs, qrels_from(grades), **how))}
    covered = coverage_board(runs, grades, _bank(grades), **how)
    best = relevance_board(runs, qrels_of(grades, "maximum"), **how)
    return {"boards": table(pd.concat([covered, best], ignore_index=True))}


def levels_of(asked: Asked) -> tuple[int, ...]:
    """Return the grades from which a passage is relevant: the setting, or those of the scale.

    A run may read several scales. The levels of the setting that are above the scale of this
    measure are left out. Raises NothingRelevant or BadSetting.
    """
    assert asked.measure.ends is not None  # it scores passages
    lowest, highest = asked.measure.ends
    wanted = asked.setting("levels")
    if wanted is None:
        levels = grade_levels(lowest, highest)
    else:
        levels = tuple(sorted({level for level in _whole(wanted) if level <= highest}))
    if not levels:
        raise NothingRelevant
    return levels


def _whole(levels: Any) -> list[int]:
    """Return the levels of the setting. Raises BadSetting."""
    if not isinstance(levels, list) or any(type(each) is not int or each < 1 for each in levels):
        raise BadSetting("levels", levels, "a list of whole numbers from 1 on")
    return levels


def _bank(grades: pd.DataFrame) -> Bank:
    """The points of each topic that somebody graded a passage on."""
    return {str(topic): frozenset(part["entry"]) for topic, part in grades.groupby("topic")}


def runs_of(asked: Asked, topics: set[str]) -> dict[str, Run]:
    """Of each system the passages of the judged topics, the best first. Raises NothingRanked."""
    rankings = asked.rankings
    assert rankings is not None  # Reads.VOTES_ON_RANKED brings them
    rankings = rankings[rankings["topic"].isin(topics)].sort_values("rank", kind="stable")
    runs: dict[str, dict[str, list[str]]] = {}
    for row in rankings.itertuples(index=False):
        runs.setdefault(str(row.system), {}).setdefault(str(row.topic), []).append(str(row.passage))
    if not runs:
        raise NothingRanked
    return {system: runs[system] for system in sorted(runs)}


def figures(found: Found) -> Iterator[Figure]:
    boards = findings.tables(found.run, "retrieval", "boards")
    for measure in found.measures if len(boards) else ():
        part = boards[boards["question"] == measure.key]
        if part.empty or part["system"].nunique() > ROWS_IN_ONE:
            continue
        first = part.iloc[0]
        shown = part[(part["measure"] == first["measure"]) & (part["level"] == first["level"])]
        if pd.isna(first["level"]):
            shown = part[part["measure"] == first["measure"]]
        rows = shown.sort_values("value", ascending=False).to_dict("records")
        yield figure(
            partial(_drawn, rows=rows, name=first["measure"], confidence=found.confidence),
            title=f"Rankings of systems: {first['measure']}, {measure.title}",
            caption="With the interval over topics.",
        )


def _drawn(
    title: str, width: int, *, rows: list[dict[Any, Any]], name: str, confidence: float
) -> str:
    estimates = [
        Estimate(
            row["system"],
            round(row["value"], DIGITS),
            None if pd.isna(row["low"]) else round(row["low"], DIGITS),
            None if pd.isna(row["high"]) else round(row["high"], DIGITS),
            int(row["n"]),
        )
        for row in rows
    ]
    return forest(
        estimates, title=title, axis=name, possible=(0.0, 1.0), width=width, confidence=confidence
    )


ANALYSIS = Analysis(
    name="retrieval",
    title="Rankings of passages",
    answers="How good are the rankings of the systems, by what people say of the passages?",
    assumes="A passage that nobody judged is not relevant; topics are independent draws.",
    reads=Reads.VOTES_ON_RANKED,
    applies=to_passages,
    function=retrieval,
    part="systems",
    place=7,
    lede="The grade of a passage is the mean of its raters, halves up; of a passage that is graded "
    "on points, its highest. The measures are those of trec_eval: MRR, P and MAP ask whether a "
    "passage has at least the grade of the column, nDCG weighs grades. Cover is the share of the "
    "points that the first passages deal with, at that grade; n-cover their share of the points "
    "that any judged passage deals with. Brackets hold the {percent} t interval over topics, "
    "where there are ten and the mean is not near 0 or 1: elsewhere it does not cover. A "
    "topic that a system ranks nothing for counts as zero: the column “Without a ranking” says how "
    "many. “Judged” is the share of the passages down to the cut-off that have a grade.",
    columns={
        "measure": Column("Measure"),
        "level": Column("Grade from", COUNT.form),
        "system": Column("System"),
        "sd": HIDDEN,
        "n": N,
        "missing": Column("Without a ranking", COUNT.form),
        "judged": SHARE,
    },
    tables={"boards": Display("Rankings against judgments", folded=True)},
    figures=figures,
    published=False,
)
