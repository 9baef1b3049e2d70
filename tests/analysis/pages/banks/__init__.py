"""Pages of the oversight of banks."""
