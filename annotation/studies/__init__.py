"""Studies and batches: forms, launch, progress, wage.

Door: `planning` makes a study and its batches, `batching` launches, opens and closes, `wages`
and `progress` count.
"""
