"""Files of other systems, read and written: `trec` (topics, runs, qrels), `rubric`,
`sgss`. Pure.

A reader takes lines and yields their numbers with a row, or with a `Fault` that says what is wrong;
a writer yields lines that its reader turns into the same rows.
"""
