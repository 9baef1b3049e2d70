"""Time of the processor that a call takes, on a machine that others use."""

import time
from collections.abc import Callable
from typing import Any

TRIES = 10


def least_cpu(call: Callable[[], Any], *, enough: float) -> float:
    """Return the least seconds of several calls, at most until one took less than `enough`.

    Other programs take memory caches away, and the garbage of earlier tests is collected sometime.
    """
    least = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        call()
        least = min(least, time.process_time() - began)
        if least < enough:
            break
    return least
