"""Texts: their words, what they cite, and how they are shown and written into files.

Door: `words.count_words`, `citations.cited_numbers`, `statements.statements`, `markdown.rendered`,
`spreadsheets.Csv`.
"""
