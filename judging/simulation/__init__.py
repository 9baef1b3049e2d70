"""Crowds of known competence, for trying a study.

Door: `simulating.crowd` and `simulate`, `walking.walk`, which answers through the pages.
"""
