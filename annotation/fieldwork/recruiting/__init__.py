"""How people arrive, and who they are.

Door: `arriving.arrive` and `take_part`; `pseudonyms.worker_for`; `platforms` for what the place
where people come from is told (`link`, `prolific`), with its `codes`; `secrecy` and `ownership` for
what may be read and by whom.
"""
