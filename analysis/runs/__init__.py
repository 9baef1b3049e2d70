"""Runs of analyses: planned, done step by step, picked up again.

Door: `requesting` asks for one, `running` does it, `renewing` starts overtaken ones again,
`findings` reads their results.
"""
