"""The analyses that runs offer, one family a file that describes itself: a question in, tables out.

Door: `catalogue.offered`, the analyses by name; `described.Analysis`, what each says of itself.
"""
