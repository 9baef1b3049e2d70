"""Expectations of the errors of analyses, exports and plots by their codes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from analysis.exports.source import CannotExport
from analysis.plots.markup import CannotPlot
from analysis.stats.errors import BadSetting, CannotCompute
from tests.coded_errors import raises

cannot_compute = partial(raises, CannotCompute)
cannot_export = partial(raises, CannotExport)
cannot_plot = partial(raises, CannotPlot)


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
