"""Readers and writers of other systems' files: `trec`, `rubric`, `sgss`. Pure.

A reader takes lines and yields line numbers with a row or a `Fault`; a writer yields lines
that its reader turns into the same rows.
"""
