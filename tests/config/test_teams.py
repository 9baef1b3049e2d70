"""Every row belongs to a team, or its model is on a list of exceptions with a reason."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import models

from annotation.models import Team
from tests.config.teams import NO_TEAM, OF_LIBRARIES, PATHS


def labels() -> Iterator[str]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label not in OF_LIBRARIES:
            yield model._meta.label


def test_every_model_has_a_path_to_its_team_or_a_reason_to_have_none():
    known = set(labels())
    assert known - set(PATHS) - set(NO_TEAM) == set()
    assert (set(PATHS) | set(NO_TEAM)) - known == set()
    assert set(PATHS) & set(NO_TEAM) == set()
    assert all(NO_TEAM.values())


@pytest.mark.parametrize("label", PATHS)
def test_a_path_leads_to_the_team_of_every_row(label):
    """No step of it is empty in any row, so that nothing is left without a team."""
    model: type[models.Model] = apps.get_model(label)
    for step in PATHS[label].split("."):
        field = model._meta.get_field(step)
        assert isinstance(field, models.ForeignKey), step
        assert not field.null, f"{step} may be empty"
        model = field.related_model
    assert model is Team
