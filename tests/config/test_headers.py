"""Headers that every answer has."""

import pytest
from django.test import Client

from tests.cast import begun, bob, small_study

pytestmark = pytest.mark.django_db


def test_every_answer_turns_unused_features_off():
    work = begun(small_study(recruitment="link"), bob())
    addresses = ["/login/", f"/w/{work.token}/", "/s/lamps/", "/nowhere/", "/api/studies/"]
    for address in addresses:
        policy = Client().get(address).headers["Permissions-Policy"]
        assert "camera=()" in policy
        assert "geolocation=()" in policy
        assert "microphone=()" in policy
