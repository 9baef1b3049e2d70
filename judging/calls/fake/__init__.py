"""A server of models of our own, for tests, the demo and anybody's trial: it speaks both protocols,
judges by script, and makes the trouble that it is told to make. It knows no language.

Door: `running.FakeEndpoint`; `manage.py fake_endpoint` runs it alone. What is in the files:
`judges` (who answers how), `ledger` (what was asked and charged), `troubles`, `api` (the
addresses). Nothing outside this folder but that command, the demo and tests imports it, and it
imports nothing of ours.
"""
