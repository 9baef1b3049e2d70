"""Money in minor units (cents), as in the ledger; every currency is taken to have a hundred."""

from decimal import ROUND_HALF_UP, Decimal


def minor(amount: Decimal) -> int:
    return int((amount * 100).quantize(Decimal(1), ROUND_HALF_UP))


def major(amount: int) -> Decimal:
    return Decimal(amount) / 100
