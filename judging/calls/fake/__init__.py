"""A fake server of models for tests, the demo and trials, which imports nothing of ours.

It speaks both protocols, judges by script and makes trouble on demand. `running.FakeEndpoint`
starts it in a thread; `manage.py fake_endpoint` runs it alone. `judges` answer, `ledger` has what
was asked and charged, `troubles` the failures, `api` the addresses.
"""
