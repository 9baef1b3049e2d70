"""Banks of questions and nuggets that outlive a study.

An entry never changes: an edit is another entry (`deciding`), so a grade belongs to one wording.
Every decision has a number, the revision of the bank; `entries_at` reads a bank at a revision.
"""
