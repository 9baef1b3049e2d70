"""Passages beside the editor are shown as the study shows texts."""

import pytest
from django.urls import reverse

from annotation.models import Passage, Study
from tests.cast import NOW, alice, begun, writing_study
from writing.models import Writing

pytestmark = pytest.mark.django_db
TEXT = "Salt is *NaCl*: $x_1$[^1]\n\n[^1]: A note."
SHOWN = {"markdown": '<span data-formula="inline">$x_1$</span>', "plain": "is *NaCl*: $x_1$[^1]"}


@pytest.mark.parametrize("rendering", list(SHOWN))
def test_passages_are_shown_as_the_study_says(client, rendering):
    study = writing_study()
    Passage.objects.update(text=TEXT)
    Study.objects.filter(pk=study.pk).update(rendering=rendering)
    work = begun(study, alice())
    Writing.objects.create(assignment=work, acknowledged_at=NOW)
    page = client.get(reverse("writing:write", args=[work.token])).content.decode()
    count = page.count("data-passage-text>")
    assert count
    assert page.count(SHOWN[rendering]) == count
    ids = [piece.split('"')[0] for piece in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
