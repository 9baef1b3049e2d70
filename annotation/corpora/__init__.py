"""Corpora: what a file holds (schema), reading it (readers), storing it (writer), the report.

Door: `importing.import_corpus`, with `readers.CorpusFile`; for the published corpus `crowdrag`.
"""
