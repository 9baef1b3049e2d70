"""LLMs that code the units of a coding with its codebook, apart from its coders.

A round is made by `setting_up` and forecast by `forecasts`; `wording` has its prompt and `replies`
reads its answers. Its calls are made (`preparing`) and sent by `judging.calls`; `rounds` registers
them. `given` has the codes.
"""
