"""Checks of the codes of errors, which do not change with their sentences."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from annotation.texts.coded_errors import CodedError

E = TypeVar("E", bound=CodedError)


@contextmanager
def raises(error: type[E], code: str, match: str = "") -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect an error with this code, and with values in its sentence that match."""
    with pytest.raises(error, match=match or None) as caught:
        yield caught
    assert caught.value.code == code
