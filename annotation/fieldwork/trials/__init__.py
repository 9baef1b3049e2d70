"""Trials of a draft before its launch: by its researcher as a worker, and by a simulated crowd.

A trial is a study with a `purpose` of its own, which `Study.objects` leaves out. `making` and
`simulating` make one, `ending` deletes it, `recording_trials` notes who tried a draft.
"""
