"""Tasks and assignments: which tasks a worker may get, and the life of an assignment.

Door: `assigning` changes assignments, `ending` ends one with an outcome, `refusals` are the
sentences when something cannot be done, `addressed` finds the assignment of a page, `allocation`
draws orders, `numbering` keeps late requests from undoing newer ones, `prepared_statements`
serves the hot paths: `fetch` for SQL, `PreparedQuery` for querysets.
"""
