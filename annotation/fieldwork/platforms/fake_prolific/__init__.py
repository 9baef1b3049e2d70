"""A small Prolific of our own, for tests, the demo and anybody's trial: it keeps the rules of
Prolific's API that we depend on, pays no one, and makes the trouble that it is told to make.

Door: `running.FakeProlific`; `manage.py fake_prolific` runs it alone. What is in the files: `world`
(studies, submissions and their rules), `paying` (what was paid), `signing` (webhooks and links),
`api` (the addresses), `pages` (where a trial participant takes a place), `troubles`, `keeping` (its
book). Nothing outside this folder but that command, the demo and tests imports it, and it imports
nothing of ours.
"""
