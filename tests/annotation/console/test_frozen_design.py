"""The design of a launched study, as its pages show it."""

import pytest
from django.urls import reverse

from annotation.templatetags.drafting import told
from tests.cast import rita, small_study
from tests.hooks import elements

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


def test_no_group_of_fields_is_empty(client):
    client.force_login(rita())
    study = small_study()
    page = client.get(
        reverse("study_design_section", args=[study.slug, study.version, "recruitment"])
    ).text
    groups = elements(page, "class", "group")
    assert groups
    assert all(group.text for group in groups)


@pytest.mark.parametrize(
    ("value", "said"), [(1 / 3, "0.333"), (600.5, "600.5"), (0.0, "0"), (2500, "2500"), ("x", "x")]
)
def test_a_share_is_told_in_three_digits(value, said):
    assert told(value) == said
