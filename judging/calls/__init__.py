"""Calls to models behind an endpoint: how they go out, what they cost, what came back.

An asker (`askers`: a machine judge, a round of queries) has terms (`asking`) and calls, which are
made before they are sent (`requests`, `prompts`). `sending` sends them within the budget (`costs`)
through `client.Endpoint` (`protocols` has its two ways of asking, `limits` its limits), each prompt
of a team once (`claiming`). Answers are read strictly (`replies`).
"""
