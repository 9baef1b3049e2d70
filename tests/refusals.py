"""Expectation of a refusal by its code."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from annotation.refusals import Refusal


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Fail unless the block raises a Refusal of this code."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code


@contextmanager
def suppressed(*codes: str) -> Iterator[None]:
    """End the block silently at a Refusal of these codes."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code not in codes:
            raise
