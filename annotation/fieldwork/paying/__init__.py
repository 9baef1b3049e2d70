"""What people are owed and get: the ledger, orders to pay, bonuses, budgets.

Door: `amounts.minor` and `amounts.major`; `accounting.settle`, which follows decisions; `totals`,
which reads the ledger.
"""
