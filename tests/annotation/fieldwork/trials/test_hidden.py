"""Whatever page or answer to a program there is: no trial stands in it.

The addresses come from the URL configuration: a new one is walked as well.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.fieldwork.trials import simulating
from annotation.fieldwork.trials.making import make_trial
from annotation.models import Draft, Simulation, Study
from annotation.studies.drafts import launching
from annotation.studies.drafts.making import make_version
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, begun, bob, charlie, handed_in
from tests.config.test_access import console_address, console_names

pytestmark = pytest.mark.django_db
OWN = {"draft_try"}  # the page on which a trial is made


DOCUMENTS = {"judging": judging_document, "writing": writing_document}


@pytest.fixture
def hidden() -> list[Study]:
    """Return a trial and a simulated copy of either kind, of somebody who sees everything."""
    user = User.objects.create_superuser("ada")
    User.objects.create_user("member")  # whose page is walked, too
    studies = []
    for document in DOCUMENTS.values():
        study = make_trial(draft=drafted(document(), user=user), user=user, now=NOW).study
        begun(study, bob())
        studies.append(study)
        simulating.ask(
            draft=study.trial.draft, user=user, workers=2, competence=0.7, difference=0, now=NOW
        )
    for simulation in Simulation.objects.all():
        simulating.work_on(pk=simulation.pk)
    return [*studies, *Study.every.filter(purpose=Study.Purpose.SIMULATION)]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_no_page_and_no_answer_to_a_program_names_a_trial(hidden: Any, kind: str) -> None:
    draft = Draft.objects.get(kind=kind)
    study = launching.launch(draft=draft, revision=0, user=None, now=NOW)
    work = handed_in(begun(study, charlie()))
    make_version(study=study, user=None, now=NOW)
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    for name in sorted({*console_names()} - OWN):
        response = client.get(console_address(name, study, work.pk))
        if not response.streaming:
            assert [each.slug for each in hidden if each.slug in response.text] == [], name


def test_the_pages_of_a_study_are_not_there_for_a_trial(hidden: Any) -> None:
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    for study in hidden[: len(DOCUMENTS)]:
        for name in console_names():
            address = console_address(name, study, study.assignments.get().pk)
            if f"/{study.slug}/" in address and name != "arrive":
                assert client.get(address).status_code in (404, 405), name


def test_what_counts_studies_counts_no_trial(hidden: Any) -> None:
    study = hidden[0]
    assert not Study.objects.exists()
    assert not study.corpus.studies.exists()
    assert not study.team.studies.exists()
    assert study.team.shares == study.trial.draft
    assert hidden[-1].team.shares == hidden[-1].simulation.draft
