"""The leaderboard of a bank, and what a decision on an entry would change."""
