"""Fixtures of tests of LLM judges: a server that answers as a model would."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Any]:
    """Yield a running fake endpoint, which calls of this test may reach."""
    from judging.calls.fake.running import FakeEndpoint  # after Django is set up

    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint() as fake:
        yield fake
