"""Corpora: what a file looks like, how it comes in, what its texts cite."""
