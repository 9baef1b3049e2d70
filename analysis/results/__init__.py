"""What a run found, as pages, figures and tables show it."""
