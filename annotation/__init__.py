"""The platform: corpus, studies, batches, tasks, workers, assignments, review."""
