"""The analyses that `analysis.catalogue` offers, one family a file: a question in, tables out."""
