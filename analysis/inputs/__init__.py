"""Data of a run as frames.

Door: `reading` gives the steps of a run their data, `asked` is what an analysis gets, `unchanged`
has the digests of a run and raises if data changed, exports read `frames` and `judged`, too;
`settings.confidence_of` reads the confidence.
"""
