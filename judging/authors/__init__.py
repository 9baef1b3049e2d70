"""LLMs that write the texts of a writing study, from what its writers read.

A round is made by `setting_up` and forecast by `forecasts`; `wording` has its prompt. Its calls are
made (`preparing`), sent by `judging.calls` and become responses of the corpus (`publishing`).
`files` has their origin in rows.
"""
