"""Consent receipts, and the erasure of participants' data.

`receipts` shows what was agreed to; `erasing` erases one participant on request, and
`erasing_study_data` and `erasing_expired` a whole study. `work.assigning.withdraw` withdraws.
"""
