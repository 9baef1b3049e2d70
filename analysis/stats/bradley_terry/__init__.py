"""Merits and grades from comparisons.

Door: `comparisons.Comparisons`, `merits.fit_merits`, `merit_intervals.bootstrap_merits`,
`position.position_effect`, `stability.ranking_stability`, `letter_groups.compact_letters`.
"""
