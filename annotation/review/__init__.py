"""Decisions about submitted work, of every kind of study.

Door: `reviewing.decide`.
"""
