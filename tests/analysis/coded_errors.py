"""Checks of the codes of errors, which do not change with their sentences."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from analysis.exports.source import CannotExport
from analysis.stats.errors import BadSetting, CannotCompute


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


@contextmanager
def bad_setting(name: str) -> Iterator[None]:
    """Expect BadSetting for the setting of this name."""
    with pytest.raises(BadSetting) as caught:
        yield
    assert caught.value.name == name
    assert name in str(caught.value)


def assert_different_reasons(error: type[Exception], *calls: Callable[[], object]) -> None:
    """Check that each call is refused, and each for a reason of its own."""
    reasons = set()
    for call in calls:
        with pytest.raises(error) as caught:
            call()
        reasons.add(str(caught.value))
    assert len(reasons) == len(calls), reasons
