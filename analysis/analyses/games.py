"""Wins of systems against each other, and their Elo ratings."""

import pandas as pd

from analysis.analyses.groups import UNNAMED
from analysis.analyses.mixed import to_compared_responses
from analysis.inputs.analysis_input import AnalysisInput, Tables, table
from analysis.inputs.columns import COUNT, INTERVAL, OF_TOURNAMENTS, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.tournaments.elo import elo
from analysis.stats.tournaments.games import LOST, TIED, WON, Games, win_matrix
from analysis.stats.tournaments.head_to_head import points
from annotation.texts.sentences import marked

SCORES = {1: WON, 0: TIED, -1: LOST}


ONE_SYSTEM = "Wins cannot be computed because no vote compares the responses of two systems."


def games(data: AnalysisInput) -> Tables:
    """Return points of each system against each other, wins of each response, Elo ratings."""
    played = _played(data)
    between_known = played.dropna(subset=["first", "second"])
    between = between_known[between_known["first"] != between_known["second"]]
    if between.empty:
        raise CannotCompute("one_system_only", ONE_SYSTEM)
    played_games = Games.from_frame(between)
    ratings, matrix = elo(played_games, seed=data.seed), win_matrix(played_games)
    average = pd.Series(matrix.average, index=list(matrix.players))
    rating = pd.DataFrame(
        {"system": list(ratings.players), "rating": ratings.mean, "sd": ratings.sd}
    ).sort_values("rating", ascending=False, ignore_index=True)
    rating["average"] = rating["system"].map(average)
    shares = points(between, confidence=data.confidence, sequential=data.sequential)
    return {
        "wins": table(shares.rename(columns={"first": "system", "second": "against"})),
        "elo": table(rating.assign(games=ratings.games, tournaments=ratings.tournaments)),
        "borda": table(_borda(data)),
    }


def _played(data: AnalysisInput) -> pd.DataFrame:
    """Return one row for each counted vote.

    Columns: topic, worker, first, second (systems), score (of the first).
    """
    responses = data.responses
    assert responses is not None  # VOTES_ON_RESPONSES
    systems = responses["system"].fillna(responses["origin"].map(UNNAMED))
    owner = dict(zip(responses["response"], systems, strict=True))
    votes = counted_once(data.counted)
    return pd.DataFrame(
        {
            "topic": votes["topic"],
            "worker": votes["worker"],
            "first": votes["a"].map(owner),
            "second": votes["b"].map(owner),
            "score": votes["value"].map(data.measure.outcomes).map(SCORES).astype(float),
        }
    )


def _borda(data: AnalysisInput) -> pd.DataFrame:
    """Return one row for each response: topic, response, wins (Borda score), compared (votes)."""
    votes = counted_once(data.counted)
    outcome = votes["value"].map(data.measure.outcomes)
    sides = [
        pd.DataFrame({"topic": votes["topic"], "response": votes[slot], "wins": outcome == sign})
        for slot, sign in (("a", 1), ("b", -1))
    ]
    wins = pd.concat(sides).groupby(["topic", "response"])["wins"]
    counted = wins.agg(wins="sum", compared="size").reset_index()
    return counted.sort_values(
        ["topic", "wins", "response"], ascending=[True, False, True], ignore_index=True
    )


ANALYSIS = Analysis(
    name="games",
    title="Wins and Elo ratings",
    answers="Which systems beat which, and what are their Elo ratings?",
    assumes="Every vote on two systems is a game; a tie gives half a point.",
    reads=Reads.VOTES_ON_RESPONSES,
    applies=to_compared_responses,
    function=games,
    sequential=("wins",),
    counts_rule=True,
    columns={
        "against": Column(meaning=marked("the other system")),
        "points": Column(
            form=NumberFormat.TWO,
            meaning=marked("mean score against the other system: 1 for a win, ½ for a tie"),
            interval=INTERVAL,
        ),
        "won": COUNT,
        "tied": COUNT,
        "lost": COUNT,
        "games": COUNT,
        "rating": Column(
            form=NumberFormat.ROUNDED,
            meaning=marked("Elo rating: average 1,500; 400 points more means odds of 10 to 1"),
        ),
        "sd": Column("SD", meaning=OF_TOURNAMENTS),
        "average": Column(
            "AVG",
            NumberFormat.SHARE,
            marked("share of games won, averaged over the other systems (RAGElo)"),
        ),
        "wins": COUNT,
    },
)
