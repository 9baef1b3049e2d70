"""Analysis pages of a bank: leaderboard, impact of decisions, and work lists."""
