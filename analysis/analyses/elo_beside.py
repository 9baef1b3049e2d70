"""Elo ratings of systems from the games of LLM judges, beside those of people."""

from typing import Any

import pandas as pd

from analysis.analyses.games import ONE_SYSTEM, SCORES
from analysis.analyses.judge_bench import compares_pairs
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import (
    BESIDE_PEOPLE,
    INTERVAL,
    OF_TOURNAMENTS,
    Column,
    NumberFormat,
)
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.measures import Measure
from analysis.stats.errors import CannotCompute
from analysis.stats.tournaments.elo_comparison import COLUMNS, elo_beside

TABLES = {
    "elo": ("judge", *COLUMNS, "tournaments", "about"),
    "undefined": ("judge", "table", "reason"),
}


def to_machine_games(measure: Measure) -> bool:
    """Return whether models compare two texts by it."""
    return measure.pool == MODELS and compares_pairs(measure)


def elo_ratings(data: AnalysisInput) -> Tables:
    """Return ratings from the pairs that a model and people judged, one row a model and system."""
    assert data.beside is not None  # it reads judges beside people
    people = _scored(data, data.beside.people)
    if not _between(data, pd.concat([data.frame, data.beside.people])).any():
        raise CannotCompute("one_system_only", ONE_SYSTEM)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for judge, labels in data.frame.groupby("worker", sort=True):
        games = _games(data, labels)
        games = games[games["item"].isin(people["item"])]
        if games.empty:
            continue
        ratings = elo_beside(games, people, confidence=data.confidence, seed=data.seed)
        about = "" if ratings.why else ratings.about
        of_judge = ratings.frame.assign(judge=judge, tournaments=ratings.tournaments, about=about)
        rows["elo"] += [
            {str(name): value for name, value in row.items()} for row in of_judge.to_dict("records")
        ]
        for why in dict.fromkeys(filter(None, (ratings.why_alone, ratings.why))):
            rows["undefined"].append({"judge": judge, "table": "elo", "reason": why})
    if not rows["elo"]:
        raise CannotCompute(
            "no_common_pairs",
            "Elo ratings cannot be compared because LLM judges and people judged no pair of "
            "systems in common.",
        )
    return {
        name: table_of(columns, [[row.get(column) for column in columns] for row in rows[name]])
        for name, columns in TABLES.items()
    }


def _scored(data: AnalysisInput, votes: pd.DataFrame) -> pd.DataFrame:
    """Return the votes with the score of the first text of the item: 1, ½ or 0."""
    score = votes["value"].map(data.measure.outcomes).map(SCORES).astype(float)
    return votes.assign(score=score).dropna(subset="score")


def _games(data: AnalysisInput, labels: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each item of two systems, with the mean of the judge's answers."""
    owners = _owners(data)
    by_item = _scored(data, labels[_between(data, labels)]).groupby("item", sort=True)
    games = by_item.agg(
        topic=("topic", "first"), a=("a", "first"), b=("b", "first"), score=("score", "mean")
    ).reset_index()
    return games.assign(first=games["a"].map(owners), second=games["b"].map(owners))


def _between(data: AnalysisInput, votes: pd.DataFrame) -> "pd.Series[bool]":
    owners = _owners(data)
    first, second = (votes[slot].map(owners) for slot in ("a", "b"))
    return first.notna() & second.notna() & (first != second)


def _owners(data: AnalysisInput) -> dict[Any, Any]:
    assert data.beside is not None
    texts = data.beside.texts.dropna(subset="system")
    return dict(zip(texts["response"], texts["system"], strict=True))


ANALYSIS = Analysis(
    name="elo_beside",
    title="Elo by LLM judges and people",
    answers="Which Elo ratings do systems get from LLM judges and people?",
    assumes="Topics are a random sample, and so are people if there are at least 10.",
    reads=Reads.BESIDE_PEOPLE,
    applies=to_machine_games,
    function=elo_ratings,
    columns={
        "sd": Column("SD", meaning=OF_TOURNAMENTS),
        "rating": Column("Rating by the judge", NumberFormat.ROUNDED, interval=INTERVAL),
        "people_rating": Column("Rating by people", NumberFormat.ROUNDED,
                                interval=("people_rating_low", "people_rating_high")),
        "difference": Column(form=NumberFormat.ROUNDED, meaning=BESIDE_PEOPLE,
                             interval=("difference_low", "difference_high")),
    },
    published=False,
)  # fmt: skip
