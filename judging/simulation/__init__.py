"""Simulated crowds of known competence, to try a study."""
