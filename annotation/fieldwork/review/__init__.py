"""Decisions about submitted work, of every kind of study.

Door: `reviewing` (one decision, or one about many), `undoing` (a whole act taken back), `effects`
(what a decision would do), `running_out` (a redo that nobody took up), `taking_over` (work that was
accepted elsewhere).
"""
