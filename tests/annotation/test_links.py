"""Where a link can be opened, and its QR code where a phone can open it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.links import opens_here_alone, qr_code
from annotation.models import Study
from tests.cast import rita, small_study


@pytest.mark.parametrize(("link", "is_alone"), [
    ("http://localhost:8000/s/lamps/", True), ("http://127.0.0.1/", True),
    ("http://[::1]:8000/", True), ("http://lamps.localhost/", True),
    ("http://10.0.0.7:8000/", False), ("https://localhost.example/", False),
    ("https://rag.example/s/localhost/", False),
])  # fmt: skip
def test_a_link_says_whether_it_opens_on_this_computer_alone(link: str, is_alone: bool) -> None:
    assert opens_here_alone(link) is is_alone


def test_a_qr_code_has_neither_style_nor_script() -> None:
    drawn = qr_code("https://rag.example/s/lamps/")
    assert drawn.startswith("<svg")
    assert "style" not in drawn
    assert "script" not in drawn


@pytest.mark.parametrize(("address", "recruitment", "is_drawn"), [
    ("https://rag.example", "link", True), ("http://localhost:8000", "link", False),
    ("https://rag.example", "prolific", False),
])  # fmt: skip
@pytest.mark.django_db
def test_recruit_draws_the_link_that_a_phone_can_open(
    settings: Any, address: str, recruitment: str, is_drawn: bool
) -> None:
    settings.PUBLIC_URL = address
    study = small_study()
    Study.objects.filter(pk=study.pk).update(recruitment=recruitment)
    client = Client()
    client.force_login(rita())
    page = client.get(reverse("recruit", args=[study.slug, study.version])).text
    assert ("data-qr-code" in page) is is_drawn
    assert ("data-opens-here-alone" in page) is ("localhost" in address)
    assert "docs/" not in page


@pytest.mark.parametrize(("address", "administers", "is_said"), [
    ("http://localhost:8000", True, True), ("http://localhost:8000", False, False),
    ("https://rag.example", True, False),
])  # fmt: skip
@pytest.mark.django_db
def test_an_administrator_reads_at_first_that_nobody_else_can_take_part(
    settings: Any, address: str, administers: bool, is_said: bool
) -> None:
    settings.PUBLIC_URL = address
    user = rita()
    user.is_superuser = administers
    user.save()
    client = Client()
    client.force_login(user)
    page = client.get(reverse("studies")).text
    assert "data-first-steps" in page
    assert ("data-opens-here-alone" in page) is is_said
