"""Results pages of a run: sections, plots, tables and settings."""
