"""Measures of written responses: citations, reuse, readability."""
