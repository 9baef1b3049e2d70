"""Comparison of a judge (a model that rates) with people: agreement, biases, ranking, worth.

Every label is read in one orientation (orientation.py). No number here mixes the agreement of
either side with itself into that of both.
"""
