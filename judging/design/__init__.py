"""Designs of judging studies: planned, previewed, written, extended."""
