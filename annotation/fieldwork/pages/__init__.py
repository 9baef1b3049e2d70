"""Pages of workers that are the same for every kind of study, and their middleware."""
