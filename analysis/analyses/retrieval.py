"""Quality of the rankings of systems by judgments of passages."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_scores
from analysis.inputs.analysis_input import AnalysisInput, Table, Tables, table, table_of
from analysis.inputs.columns import COUNT, HIDDEN, SHARE, Column
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.retrieval.coverage import Bank, qrels_of
from analysis.stats.retrieval.leaderboards import coverage_board, grade_levels, relevance_board
from analysis.stats.retrieval.mean_grades import mean_grades, qrels_from
from analysis.stats.retrieval.rankings import Run
from judging.items.kinds import KINDS, Holds


def to_passages(measure: Measure) -> bool:
    """Return whether it is a number for a passage, by itself or on a point."""
    return to_scores(measure) and KINDS[measure.kind].subject.holds == Holds.PASSAGE


def retrieval(data: AnalysisInput) -> Tables:
    """Return measures of trec_eval and coverage, one row a system, measure and level."""
    votes = counted_once(data.counted)
    runs = runs_of(data, {*votes["topic"]})
    grades = mean_grades(votes.rename(columns={"criterion": "entry"}))
    levels = levels_of(data)
    how: dict[str, Any] = {
        "levels": levels, "cutoffs": data.setting("cutoffs"), "confidence": data.confidence
    }  # fmt: skip
    if "entry" not in grades:
        board = relevance_board(runs, qrels_from(grades), **how)
    else:
        covered = coverage_board(runs, grades, _bank(grades), **how)
        best = relevance_board(runs, qrels_of(grades, "maximum"), **how)
        board = pd.concat([covered, best], ignore_index=True)
    return {"boards": table(board), "unranked": _unranked(runs, {*grades["topic"]})}


def _unranked(runs: Mapping[str, Run], topics: Collection[str]) -> Table:
    """Return the topics that count as zero: system, topic, one row each."""
    rows = [
        (system, topic)
        for system, run in runs.items()
        for topic in sorted(topics)
        if not run.get(topic)
    ]
    return table_of(("system", "topic"), rows)


def levels_of(data: AnalysisInput) -> tuple[int, ...]:
    """Return the grades from which a passage is relevant: the setting, or those of the scale.

    A run may read several scales. Levels of the setting above the scale of this measure are left
    out. Raises CannotCompute.
    """
    assert data.measure.ends is not None  # it scores passages
    lowest, highest = data.measure.ends
    wanted = data.setting("levels")
    if wanted is None:
        levels = grade_levels(lowest, highest)
    else:
        levels = tuple(sorted({level for level in _whole(wanted) if level <= highest}))
    if not levels:
        raise CannotCompute(
            "no_relevant_grade",
            "Rankings cannot be measured because no grade of the scale counts as relevant. "
            "Set “levels” to a grade of the scale above 0.",
        )
    return levels


def _whole(levels: Any) -> list[int]:
    """Return the levels of the setting. Raises BadSetting."""
    if not isinstance(levels, list) or any(type(level) is not int or level < 1 for level in levels):
        raise BadSetting("levels", levels, "a list of whole numbers of 1 or more")
    return levels


def _bank(grades: pd.DataFrame) -> Bank:
    return {str(topic): frozenset(part["entry"]) for topic, part in grades.groupby("topic")}


def runs_of(data: AnalysisInput, topics: set[str]) -> dict[str, Run]:
    """Return the passages of the judged topics by system, the best first. Raises CannotCompute."""
    rankings = data.rankings
    assert rankings is not None  # Reads.VOTES_ON_RANKED brings them
    rankings = rankings[rankings["topic"].isin(topics)].sort_values("rank", kind="stable")
    runs: dict[str, dict[str, list[str]]] = {}
    for row in rankings.itertuples(index=False):
        runs.setdefault(str(row.system), {}).setdefault(str(row.topic), []).append(str(row.passage))
    if not runs:
        raise CannotCompute(
            "no_runs",
            "Rankings cannot be measured because the corpus has no rankings for the topics "
            "judged by people. Import the run of each system.",
        )
    return {system: runs[system] for system in sorted(runs)}


ANALYSIS = Analysis(
    name="retrieval",
    title="Rankings of passages",
    answers="How good are the systems' rankings of passages?",
    assumes="Unjudged passages are not relevant; topics are independent.",
    reads=Reads.VOTES_ON_RANKED,
    applies=to_passages,
    function=retrieval,
    columns={
        "level": Column("Grade from", COUNT.form),
        "sd": HIDDEN,
        "missing": Column("Without a ranking", COUNT.form),
        "judged": SHARE,
    },
    published=False,
)
