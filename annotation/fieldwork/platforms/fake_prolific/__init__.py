"""A fake Prolific for tests, the demo and trials, with the rules of its API that we depend on.

It pays nobody, and makes trouble on demand. `running.FakeProlific` is the server, `manage.py
fake_prolific` runs it alone: `world` has studies, submissions and rules, `bonuses` the payments,
`signing` webhooks and links, `api` the addresses, `pages` those of a trial participant. Only that
command, the demo and tests import it, and it imports nothing of ours but `outgoing`.
"""
