"""A draft planned: its work, its money, and how sure its result will be.

Door: `views`; `sure.how_sure` for the certainty alone.
"""
