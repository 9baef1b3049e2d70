"""What people agreed to, what is kept of them, and until when.

Door: `receipts.receipt_of`; `forgetting.forget` and `retaining`, which erase what is no longer
needed. Withdrawing itself is `work.assigning.withdraw`.
"""
