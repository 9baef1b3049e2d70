"""Coding of participants' comments: codebooks, units, independent coders, reconciliation."""
