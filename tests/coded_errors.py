"""Checks of the codes of errors, which do not change with their sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from annotation.texts.coded_errors import CodedError


@contextmanager
def raises(error: type[CodedError], code: str, match: str = "") -> Iterator[None]:
    """Expect an error with this code, and with values in its sentence that match."""
    with pytest.raises(error, match=match or None) as caught:
        yield
    assert caught.value.code == code
