"""Oversight of banks: work lists of entries and passages, each with its evidence."""
