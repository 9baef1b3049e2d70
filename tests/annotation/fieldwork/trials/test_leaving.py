"""Who loses a role loses their trials with it: a trial shows what it was made from."""

import pytest
from django.utils import timezone

from annotation.fieldwork.trials import making
from annotation.models import Role, Study, Trial
from annotation.people.access import sharing
from annotation.studies.drafts import making as drafts
from tests.annotation.people.access.people import join, somebody
from tests.annotation.studies.drafts.drafted import judging_document
from tests.cast import rita

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("of", ["corpus", "draft"])
def test_a_trial_ends_with_the_role_of_its_person(of):
    now = timezone.now()
    draft = drafts.make_draft(document=judging_document(), user=(by := rita()), now=now)
    people = {name: somebody(name) for name in ("alma", "zoe")}
    for person in people.values():
        for thing in (draft, draft.corpus):
            join(person, thing, Role.RESEARCHER)
        making.make_trial(draft=draft, user=person, now=now)
    team = getattr(draft, of).team if of == "corpus" else draft.team
    sharing.remove(team=team, user=people["alma"], by=by, now=now)
    assert Trial.objects.get().user == people["zoe"]
    assert Study.every.filter(purpose=Study.Purpose.TRIAL).count() == 1
