"""Codes that people read and type."""

import secrets

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another one: I, O, 0, 1
LENGTH = 8  # 40 bits


def random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
