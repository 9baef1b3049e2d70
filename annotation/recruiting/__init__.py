"""How people arrive, and who they are.

Door: `arriving.arrive` and `take_part`; `pseudonyms.worker_for`; `codes` for Prolific; `secrecy`
and `ownership` for what may be read and by whom.
"""
