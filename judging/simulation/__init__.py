"""Crowds of known competence, for trying a study."""
