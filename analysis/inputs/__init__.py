"""The one door from the records to frames.

Door: `reading` gives a run what its steps ask for, `asked` names what an analysis can ask for,
`unchanged` says what a run was planned for and raises where it is that no more,
`frames` and `judged` are what exports read, too; `settings.confidence_of` reads what was set.
"""
