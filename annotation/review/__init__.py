"""Decisions about submitted work, and the evidence for them."""
