"""Raters: who they are, what they answered, and the pools that analyses read."""
