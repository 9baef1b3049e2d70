"""Games between two players, each won, lost or tied."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import CannotCompute

WON, TIED, LOST = 1.0, 0.5, 0.0


def no_games(measure: str) -> CannotCompute:
    """Return the error of a measure without games."""
    return CannotCompute("no_games", f"{measure} cannot be computed because there are no games.")


@dataclass(frozen=True, eq=False)
class Games:
    """n games of P players: first, second (n,) as indices into players; score (n,) of the first."""

    first: Ints
    second: Ints
    score: Floats
    players: Sequence[Hashable]

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Read the columns first, second and score: one row a game, in the order of play.

        Raises CannotCompute (own_opponent, unknown_outcome).
        """
        unknown = frame.loc[~frame["score"].isin((WON, TIED, LOST)), "score"]
        if not unknown.empty:
            raise CannotCompute(
                "unknown_outcome",
                f"The games cannot be read because {unknown.iloc[0]!r} is not an outcome: 1 is a "
                "win of the first player, 0.5 a tie, 0 a win of the second.",
            )
        same = frame["first"] == frame["second"]
        if same.any():
            player = frame.loc[same, "first"].iloc[0]
            raise CannotCompute(
                "own_opponent",
                f"The games cannot be read because {player!r} plays against itself.",
            )
        n = len(frame)
        codes, players = pd.factorize(pd.concat([frame["first"], frame["second"]]), sort=True)
        return cls(
            first=codes[:n].astype(np.int64),
            second=codes[n:].astype(np.int64),
            score=frame["score"].to_numpy(np.float64),
            players=tuple(players.tolist()),
        )

    def __len__(self) -> int:
        return len(self.score)


def wins(games: Games) -> Ints:
    """Return wins of each player against each other: (P, P), winners in the rows.

    Ties are in neither half. The row sums are the Borda scores of Popp et al.: the number of
    comparisons that a text wins.
    """
    P = len(games.players)
    table = np.zeros((P, P), dtype=np.int64)
    first_won, second_won = games.score == WON, games.score == LOST
    np.add.at(table, (games.first[first_won], games.second[first_won]), 1)
    np.add.at(table, (games.second[second_won], games.first[second_won]), 1)
    return table


def played(games: Games) -> Ints:
    """Return the number of games of each two players, (P, P), symmetric."""
    P = len(games.players)
    table = np.zeros((P, P), dtype=np.int64)
    np.add.at(table, (games.first, games.second), 1)
    return table + table.T


@dataclass(frozen=True, eq=False, kw_only=True)
class WinMatrix:
    """Shares won by the row in its games against the column (P, P); NaN without any.

    average (P,): the mean of a row's shares over its opponents, as RAGElo prints it. games (P, P).
    """

    players: Sequence[Hashable]
    share: Floats
    average: Floats
    games: Ints


def win_matrix(games: Games) -> WinMatrix:
    """Return the shares of wins. Raises CannotCompute (no_games)."""
    if not len(games):
        raise no_games("The win matrix")
    met = played(games)
    share = np.divide(wins(games), met, out=np.full(met.shape, np.nan), where=met > 0)
    opponents = (met > 0).sum(axis=1)
    return WinMatrix(
        players=games.players, share=share, average=np.nansum(share, axis=1) / opponents, games=met
    )
