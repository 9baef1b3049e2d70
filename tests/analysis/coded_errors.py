"""Checks of the codes of errors, which do not change with their sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from analysis.exports.source import CannotExport
from analysis.stats.errors import CannotCompute


@contextmanager
def cannot_compute(code: str, match: str = "") -> Iterator[None]:
    """Expect CannotCompute with this code, and with values in its sentence that match."""
    with pytest.raises(CannotCompute, match=match or None) as caught:
        yield
    assert caught.value.code == code


@contextmanager
def cannot_export(code: str, match: str = "") -> Iterator[None]:
    """Expect CannotExport with this code, and with values in its sentence that match."""
    with pytest.raises(CannotExport, match=match or None) as caught:
        yield
    assert caught.value.code == code
