"""Elo ratings, float and truncated, and the win matrix of published games."""

from typing import Any

from analysis.replication.cells import rounded
from analysis.replication.ragelo.games import PlayedGames
from analysis.stats.tournaments.elo import EloResult, elo
from analysis.stats.tournaments.games import Games, win_matrix

MODES = {"float": False, "truncated": True}


def tables(played: PlayedGames, *, seed: int = 0) -> dict[str, Any]:
    """Return the content of tables.json: plain numbers, None where there is none."""
    games = Games.from_frame(played.frame)
    matrix = win_matrix(games)
    players = [str(player) for player in games.players]
    share = {
        row: {column: float(matrix.share[i, j]) for j, column in enumerate(players) if j != i}
        for i, row in enumerate(players)
    }
    content = {
        "elo": {
            mode: _ratings(elo(games, truncated=truncated, seed=seed))
            for mode, truncated in MODES.items()
        },
        "win_matrix": share,
        "win_average": dict(zip(players, matrix.average.tolist(), strict=True)),
        "counts": {
            "games": len(games),
            "ties": int((games.score == 0.5).sum()),
            "unanswered": played.unanswered,
            "topics": int(played.frame["topic"].nunique()),
            "agents": len(players),
        },
        "settings": {"k": 32, "start": 1000, "tournaments": 500, "seed": seed},
    }
    return dict(rounded(content))


def _ratings(found: EloResult) -> dict[str, dict[str, float]]:
    rows = zip(found.players, found.mean.tolist(), found.sd.tolist(), strict=True)
    return {str(player): {"mean": mean, "sd": sd} for player, mean, sd in rows}
