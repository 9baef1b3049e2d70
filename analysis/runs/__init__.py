"""Runs of analyses: planned, done step by step, picked up again.

Door: `requesting` asks for one, `running` does it, `renewing` begins again what was overtaken,
`frozen.Frozen` is the work that a run counts.
"""
