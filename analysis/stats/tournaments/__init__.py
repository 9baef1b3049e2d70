"""Games between two: wins, win matrices, Elo ratings. Pure numpy."""
