"""Queries that models propose from passages of a corpus, and that people accept, edit or reject.

A round is made by `setting_up` (`choice`: which passages; `wording`: what is asked about them) and
forecast by `forecasts`. Its calls are made (`preparing`), sent by `judging.calls`, read strictly
(`answers`, `replies`) and become proposals (`taking`). People decide on them (`deciding`), beside
what they are like (`likeness`); `files` has all of it in rows.
"""
