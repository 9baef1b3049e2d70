"""Runs of analyses: planned, done step by step, picked up again."""
