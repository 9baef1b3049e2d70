"""Checks of the codes of errors, which do not change with their sentences."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest
from django.core.management import CommandError

from annotation.texts.coded_errors import CodedError

E = TypeVar("E", bound=CodedError)


@contextmanager
def raises(error: type[E], code: str, match: str = "") -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect an error with this code, and with values in its sentence that match."""
    with pytest.raises(error, match=match or None) as caught:
        yield caught
    assert caught.value.code == code


@contextmanager
def command_ends(
    error: type[Exception], code: str = "", match: str = ""
) -> Iterator[pytest.ExceptionInfo[CommandError]]:
    """Expect a command that ends at this error; `code` may also be the field of a setting."""
    with pytest.raises(CommandError, match=match or None) as caught:
        yield caught
    cause = caught.value.__cause__
    assert isinstance(cause, error)
    assert code in ("", getattr(cause, "code", ""), getattr(cause, "name", ""))
