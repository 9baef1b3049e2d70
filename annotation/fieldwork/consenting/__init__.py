"""What people agreed to, what is kept of them, and until when.

Door: `receipts.receipt_of`; `forgetting.forget` and `retaining`, which erase what is no longer
needed; `erasing.erase`, by which an owner erases a participant's data on request. Withdrawing
itself is `work.assigning.withdraw`.
"""
