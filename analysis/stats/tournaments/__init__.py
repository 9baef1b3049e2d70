"""Games between two players: wins, win matrices, Elo ratings."""
