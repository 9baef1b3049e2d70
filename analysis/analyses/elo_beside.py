"""What Elo ratings do systems get from the games of a model, and what from those of people?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from analysis.analyses.described import HIDDEN, Analysis, Column, Display, Form, Reads
from analysis.analyses.games import SCORES, OneSystem
from analysis.analyses.judge_bench import compares_pairs
from analysis.inputs.asked import Asked, Tables, table_of
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.measures import Measure
from analysis.pages.results.figures import ROWS_IN_ONE, Figure, figure
from analysis.pages.results.found import Found
from analysis.plots import Estimate, forest
from analysis.stats.errors import CannotCompute
from analysis.stats.tournaments.elo_beside import COLUMNS, elo_beside

TABLES = {"elo": ("judge", *COLUMNS, "tournaments"), "undefined": ("judge", "table", "reason")}


class NothingShared(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "Elo ratings by models cannot be held against those by people because no pair of two "
            "systems was judged by both."
        )


def to_machine_games(measure: Measure) -> bool:
    """What models say of which of two is better."""
    return measure.pool == MODELS and compares_pairs(measure)


def beside(asked: Asked) -> Tables:
    """Each model beside people, on the pairs that both judged: one row a model and system."""
    assert asked.beside is not None  # it reads judges beside people
    people = _scored(asked, asked.beside.people)
    if not _between(asked, pd.concat([asked.frame, asked.beside.people])).any():
        raise OneSystem
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for judge, mine in asked.frame.groupby("worker", sort=True):
        games = _games(asked, mine)
        games = games[games["item"].isin(people["item"])]
        if games.empty:
            continue
        found = elo_beside(games, people, confidence=asked.confidence, seed=asked.seed)
        of_judge = found.frame.assign(judge=judge, tournaments=found.tournaments)
        rows["elo"] += [
            {str(name): value for name, value in row.items()} for row in of_judge.to_dict("records")
        ]
        for why in dict.fromkeys(filter(None, (found.why_alone, found.why))):
            rows["undefined"].append({"judge": judge, "table": "elo", "reason": why})
    if not rows["elo"]:
        raise NothingShared
    return {
        name: table_of(columns, [[row.get(each) for each in columns] for row in rows[name]])
        for name, columns in TABLES.items()
    }


def _scored(asked: Asked, votes: pd.DataFrame) -> pd.DataFrame:
    """What each vote scores the first text of its item: 1, ½ or 0."""
    score = votes["value"].map(asked.measure.outcomes).map(SCORES).astype(float)
    return votes.assign(score=score).dropna(subset="score")


def _games(asked: Asked, mine: pd.DataFrame) -> pd.DataFrame:
    """One row an item of two systems: the mean of the judge's answers to it."""
    owners = _owners(asked)
    found = _scored(asked, mine[_between(asked, mine)]).groupby("item", sort=True)
    games = found.agg(
        topic=("topic", "first"), a=("a", "first"), b=("b", "first"), score=("score", "mean")
    ).reset_index()
    return games.assign(first=games["a"].map(owners), second=games["b"].map(owners))


def _between(asked: Asked, votes: pd.DataFrame) -> "pd.Series[bool]":
    """Whether texts of two systems are compared."""
    owners = _owners(asked)
    first, second = (votes[slot].map(owners) for slot in ("a", "b"))
    return first.notna() & second.notna() & (first != second)


def _owners(asked: Asked) -> dict[Any, Any]:
    assert asked.beside is not None
    known = asked.beside.texts.dropna(subset="system")
    return dict(zip(known["response"], known["system"], strict=True))


def figures(found: Found) -> Iterator[Figure]:
    """Both ratings of each system, one plot a question."""
    rows = found.records("elo_beside", "elo")
    for question in dict.fromkeys(row["question"] for row in rows):
        mine = [row for row in rows if row["question"] == question]
        if len(mine) > ROWS_IN_ONE:
            continue
        yield figure(
            partial(_drawn, rows=mine, confidence=found.confidence),
            title=f"Elo by models and by people: {found.words.of(question)}",
            caption="Of each system the rating from the games of each model, and from those of "
            "people; n is the number of its games.",
        )


def _drawn(title: str, width: int, *, rows: list[dict[str, Any]], confidence: float) -> str:
    estimates = []
    for system in dict.fromkeys(row["system"] for row in rows):
        beside = [row for row in rows if row["system"] == system]
        several = len({row["people_rating"] for row in beside}) > 1  # not the same pairs
        for row in beside:
            estimates.append(_estimate(row["judge"], row, "rating", ("low", "high")))
            if several or row is beside[-1]:
                name = f"people, on the pairs of {row['judge']}" if several else "people"
                ends = ("people_rating_low", "people_rating_high")
                estimates.append(_estimate(name, row, "people_rating", ends))
    axis = "Elo rating"
    return forest(estimates, title=title, axis=axis, width=width, confidence=confidence, digits=0)


def _estimate(label: str, row: dict[str, Any], value: str, ends: tuple[str, str]) -> Estimate:
    low, high = (row[each] for each in ends)
    return Estimate(label, row[value], low, high, int(row["games"]), row["system"])


ANALYSIS = Analysis(
    name="elo_beside",
    title="Elo by models and by people",
    answers="What Elo ratings do systems get from a model, and what from people?",
    assumes="People are a draw from those whose judgment is wanted, and topics from those one "
    "wants to speak about.",
    reads=Reads.BESIDE_PEOPLE,
    applies=to_machine_games,
    function=beside,
    part="judges",
    place=2,
    lede="Each pair that a model and people judged is one game of either: it scores the mean of "
    "the model’s answers (a half where it says otherwise in the other order), or of people’s "
    "votes. So both play the same games in the same orders; “Wins and Elo ratings”, where each "
    "vote is a game, plays more, which drives ratings apart. A rating is the mean of 500 "
    "tournaments; its spread between orders is in the files. Brackets hold {percent} intervals "
    "for as many games on other topics, and of other people.",
    columns={
        "judge": Column("Judge"),
        "system": Column("System"),
        "rating": Column("Rating by the judge", Form.ROUNDED),
        "people_rating": Column("Rating by people", Form.ROUNDED),
        "difference": Column("Difference", Form.ROUNDED),
        "tournaments": HIDDEN,
    },
    tables={
        "elo": Display(
            "Elo ratings by models and by people", hidden=("sd", "people_sd", "games"), folded=True
        )
    },
    figures=figures,
    published=False,
)
