"""Pages of a bank: leaderboard, impact of a decision, and work lists with their evidence."""
