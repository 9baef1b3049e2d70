"""Measures of written responses: what they cite, what they take over, how they read."""
