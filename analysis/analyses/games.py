"""Which systems win against which others, and what are their Elo ratings?"""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from analysis.analyses.described import (
    COUNT,
    HIDDEN,
    SD,
    TWO_DIGITS,
    Analysis,
    Column,
    Display,
    Form,
    Reads,
)
from analysis.analyses.groups import UNNAMED
from analysis.analyses.mixed import to_compared_responses
from analysis.inputs.asked import Asked, Tables, table
from analysis.pages.results import findings
from analysis.pages.results.figures import Figure, figure
from analysis.pages.results.found import Found
from analysis.plots.matrix import matrix
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.repeats import counted_once
from analysis.stats.tournaments.elo import elo
from analysis.stats.tournaments.games import LOST, TIED, WON, Games
from analysis.stats.tournaments.points import points

MANY_SYSTEMS = 40  # a matrix with more has cells that nobody can read
SCORES = {1: WON, 0: TIED, -1: LOST}


class OneSystem(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "Wins cannot be computed because no vote compares the responses of two systems."
        )


def games(asked: Asked) -> Tables:
    """Points of each system against each other, wins of each response, Elo ratings."""
    played = _played(asked)
    known = played.dropna(subset=["first", "second"])
    between = known[known["first"] != known["second"]]
    if between.empty:
        raise OneSystem
    ratings = elo(Games.from_frame(between), seed=asked.seed)
    rating = pd.DataFrame(
        {"system": list(ratings.players), "rating": ratings.mean, "sd": ratings.sd}
    ).sort_values("rating", ascending=False, ignore_index=True)
    shares = points(between, confidence=asked.confidence)
    return {
        "wins": table(shares.rename(columns={"first": "system", "second": "against"})),
        "elo": table(rating.assign(games=ratings.games, tournaments=ratings.tournaments)),
        "borda": table(_borda(asked)),
    }


def _played(asked: Asked) -> pd.DataFrame:
    """topic, worker, first, second (systems), score (of the first): one row a counted vote."""
    responses = asked.responses
    assert responses is not None  # VOTES_ON_RESPONSES
    systems = responses["system"].fillna(responses["origin"].map(UNNAMED))
    owner = dict(zip(responses["response"], systems, strict=True))
    votes = counted_once(asked.counted)
    return pd.DataFrame(
        {
            "topic": votes["topic"],
            "worker": votes["worker"],
            "first": votes["a"].map(owner),
            "second": votes["b"].map(owner),
            "score": votes["value"].map(asked.measure.outcomes).map(SCORES).astype(float),
        }
    )


def _borda(asked: Asked) -> pd.DataFrame:
    """One row a response: topic, response, wins (its Borda score), compared (votes on it)."""
    votes = counted_once(asked.counted)
    outcome = votes["value"].map(asked.measure.outcomes)
    sides = [
        pd.DataFrame({"topic": votes["topic"], "response": votes[slot], "wins": outcome == sign})
        for slot, sign in (("a", 1), ("b", -1))
    ]
    found = pd.concat(sides).groupby(["topic", "response"])["wins"]
    counted = found.agg(wins="sum", compared="size").reset_index()
    return counted.sort_values(
        ["topic", "wins", "response"], ascending=[True, False, True], ignore_index=True
    )


def figures(found: Found) -> Iterator[Figure]:
    shares = findings.tables(found.run, "games", "wins")
    for measure in found.measures if len(shares) else ():
        part = shares[shares["question"] == measure.key]
        names = sorted({*part["system"]})
        if 2 <= len(names) <= MANY_SYSTEMS:
            known = part.set_index(["system", "against"])["points"].to_dict()
            cells = [[known.get((row, column)) for column in names] for row in names]
            called = [found.words.of_group(name) for name in names]
            yield figure(
                partial(_drawn, names=called, cells=cells),
                title=f"Points against each other: {measure.title}",
                caption="The mean score of the system of the row against that of the column; a "
                "tie is half a point.",
            )


def _drawn(title: str, width: int, *, names: list[str], cells: list[list[float | None]]) -> str:
    known = [[None if c is None or np.isnan(c) else c for c in row] for row in cells]
    meaning = "Points of the row against the column"
    return matrix(names, known, title=title, meaning=meaning, width=width)


ANALYSIS = Analysis(
    name="games",
    title="Wins and Elo ratings",
    answers="Which systems win against which others, and what are their Elo ratings?",
    assumes="Every vote that compares responses of two systems is a game; ties are half a point.",
    reads=Reads.VOTES_ON_RESPONSES,
    applies=to_compared_responses,
    function=games,
    part="systems",
    place=6,
    lede="Points are the mean score of a system against another: 1 for a vote that prefers it, ½ "
    "for a tie. Brackets hold the {percent} interval over topics and workers; there is none below "
    "ten of either, or where all games ended alike. An Elo rating depends on the order of the "
    "games, so it is the mean of 500 tournaments; SD is its spread between orders, which is no "
    "interval of how good a system is. Read merits or points for that.",
    columns={
        "system": Column("System"),
        "against": Column("Against"),
        "points": TWO_DIGITS,
        "won": COUNT,
        "tied": COUNT,
        "lost": COUNT,
        "games": COUNT,
        "topics": COUNT,
        "workers": COUNT,
        "rating": Column("Rating", Form.ROUNDED),
        "sd": SD,
        "tournaments": HIDDEN,
        "wins": COUNT,
        "compared": COUNT,
        "why": Column("No interval because"),
    },
    tables={
        "elo": Display("Elo ratings"),
        "wins": Display("Points against each other", hidden=("why",), folded=True),
        "borda": Display("Wins of each response", folded=True, note="The Borda score of a text."),
    },
    figures=figures,
)
