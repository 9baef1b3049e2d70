"""Researchers' pages and API of judging: drafts' items, raters, labels, machines, queries."""
