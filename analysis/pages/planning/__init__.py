"""A draft planned: its work and its money, and how sure its result will be.

Door: `views`; `sure.ask` for the certainty alone.
"""
