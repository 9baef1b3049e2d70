"""Studies and batches: drafts, forms, launch, progress, wage.

Door: `planning` makes drafts, `batching` launches, opens and closes, `wages` and `progress` count.
"""
