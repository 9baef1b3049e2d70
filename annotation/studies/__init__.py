"""Studies and batches: drafts, forms, launch, progress, wage."""
