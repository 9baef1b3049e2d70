"""A worker answers: the page, the scale, the saved judgment.

Door: `recording.record` and `submit`, `recording.require_complete`; `views` for the addresses.
"""
