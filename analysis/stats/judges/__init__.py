"""A judge (a model that rates) held against people: agreement, habits, ranking, worth, estimates.

Pure. Every label is read in one orientation (orientation.py), and a judge is only ever compared
with people: no number here mixes the agreement of either side with itself into that of both.
"""
