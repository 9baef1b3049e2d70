"""Merits and grades from comparisons."""
