"""Expectations of refusals by their code, and of refused settings by their name."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from annotation.fieldwork.work.refusals import NotAnAnswer
from annotation.refusals import Refusal
from annotation.studies.creating import RefusedSetting


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Fail unless the block raises a Refusal of this code."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code


@contextmanager
def not_an_answer(reason: str) -> Iterator[pytest.ExceptionInfo[NotAnAnswer]]:
    """Fail unless the block raises a NotAnAnswer for this reason."""
    with pytest.raises(NotAnAnswer) as caught:
        yield caught
    assert caught.value.reason == reason


@contextmanager
def suppressed(*codes: str) -> Iterator[None]:
    """End the block silently at a Refusal of these codes."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code not in codes:
            raise


@contextmanager
def refused_setting(name: str) -> Iterator[None]:
    """Fail unless the block refuses a value of this setting."""
    with pytest.raises(RefusedSetting) as caught:
        yield
    assert caught.value.name == name
