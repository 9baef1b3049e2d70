"""What people agreed to, what is kept of them, and until when.

Door: `receipts.receipt_of`. Withdrawing itself is `work.assigning.withdraw`.
"""
