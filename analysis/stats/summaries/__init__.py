"""Structured summaries: expected user experience, comprehensiveness, weights."""
