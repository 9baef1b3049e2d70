"""Texts: their words, what they cite, and how they are shown and written into files."""
