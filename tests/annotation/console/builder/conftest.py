import pytest
from django.test import Client


@pytest.fixture
def client() -> Client:
    """Return Rita's browser."""
    from tests.cast import rita  # models are not loaded before

    client = Client()
    client.force_login(rita())
    return client
