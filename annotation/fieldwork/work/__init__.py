"""Tasks and assignments: which tasks a worker may get, and the life of an assignment.

`assigning` and `ending` change assignments, `eligibility` and `admission` only read; `ownership`
proves whose work is whose. `prepared_statements` serves the hot paths.
"""
