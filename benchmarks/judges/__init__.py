"""Judges of known quality in simulated studies: coverage of their intervals."""
