"""Money: the ledger, orders to pay, bonuses, and budgets.

`accounting` follows decisions, `totals` reads the ledger; `ordering` and `sending` pay.
"""
