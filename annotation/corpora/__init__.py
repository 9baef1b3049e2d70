"""Corpora: what a file holds (schema), reading it (readers), storing it (writer), the report.

What a corpus holds is read by `contents`; `curating` renames, deletes and brings back.

Door: `importing.import_corpus`, with `corpus_files.CorpusFile`; `crowdrag` for the published
corpus.
"""
