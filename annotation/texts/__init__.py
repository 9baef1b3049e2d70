"""Texts: their words, what they cite, and how they are shown and written into files.

Door: `words.count_words`, `citations.cited_places`, `statements.statements`, `markdown.rendered`,
`spreadsheets.Csv`.
"""
