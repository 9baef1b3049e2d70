"""Decisions about submitted work of every kind of study.

`reviewing` makes decisions, `undoing` takes a whole act back, `effects` predicts what a decision
does; `returning_redos`, `accepting_late_work` and `importing_reviews` decide in special cases.
"""
