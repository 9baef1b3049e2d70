"""What people choose from several: counts of best and worst, and Plackett-Luce.

Door: `choices.Choices`, `best_worst.best_worst`, `plackett_luce.plackett_luce`.
"""
