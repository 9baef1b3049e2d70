"""The one door from the records to frames.

Door: `reading` gives a run what its steps ask for, `asked` names what an analysis can ask for,
`frames` and `judged` are what exports read, too; `settings.confidence_of` reads what was set.
"""
