"""Screening: questions before the work, and qualifications that studies give and require.

`scoring` scores the answers, `qualifying` gives qualifications; `work.admission` only reads.
"""
