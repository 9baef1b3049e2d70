"""A draft tried before it is launched: as a worker, and by a simulated crowd. Nothing
is kept beyond its end.

Door: `making.make_trial`, `ending.end` and `end_due`, `noting.last_tried` and `tried_of`.
A trial is a study whose `purpose` says so: `Study.objects` does not know it.
"""
