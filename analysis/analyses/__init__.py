"""The analyses that `catalogue` offers, one family a file: a question in, tables out."""
