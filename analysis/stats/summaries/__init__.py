"""Structured summaries: usefulness to an extended reader, comprehensiveness, weights. Pure."""
