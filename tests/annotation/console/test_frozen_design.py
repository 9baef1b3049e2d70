"""The design of a launched study, as its pages show it."""

import pytest
from django.urls import reverse

from tests.cast import rita, small_study

pytestmark = pytest.mark.django_db


def test_a_list_of_nothing_says_so(client):
    """A card with a heading and nothing below looks as if something had not been loaded."""
    client.force_login(rita())
    study = small_study()
    page = client.get(
        reverse("study_design_section", args=[study.slug, study.version, "quality"])
    ).text
    assert "Attention items: none" in page
    assert "Gold items: none" in page
