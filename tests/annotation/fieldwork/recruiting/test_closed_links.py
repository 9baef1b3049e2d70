"""The link of a study that lets nobody in says why, whom to ask, and where one's work is."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from annotation.fieldwork.work.eligible_tasks import not_open
from annotation.fieldwork.work.refusals import StudyNotOpen
from annotation.models import Assignment, Batch, Study
from annotation.texts.translation import translated
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, answer_all, prolific_link, small_study

pytestmark = pytest.mark.django_db
AGREE = {"agree": "yes"}
STATES = {"draft": "planned", "paused": "paused", "closed": "closed"}  # of a batch, of its study


def put(study: Study, state: str) -> None:
    times = {
        "draft": {"opened_at": None, "closed_at": None},
        "open": {"opened_at": NOW, "closed_at": None},
        "paused": {"opened_at": NOW, "closed_at": None},
        "closed": {"opened_at": NOW, "closed_at": NOW},
    }
    Batch.objects.filter(study=study).update(state=state, **times[state])


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("state", STATES)
def test_it_says_why_in_the_language_of_the_study(client: Client, state: str, language: str):
    study = small_study(language=language)
    put(study, state)
    response = client.get(study.public_path)
    assert response.status_code == 410
    with translation.override(language):
        refusal = StudyNotOpen(STATES[state])
        assert escape(translated(refusal.title)) in response.text
        assert escape(translated(refusal.said)) in response.text
    assert f'lang="{language}"' in response.text
    assert f'data-refusal="StudyNotOpen" data-state="{STATES[state]}"' in response.text


def test_a_study_between_two_batches_may_go_on() -> None:
    study = small_study()
    put(study, "closed")
    Batch.objects.create(study=study, number=2, name="main")
    assert not_open(study).state == "paused"


def test_it_names_whom_to_ask(client: Client) -> None:
    from annotation.studies.drafts import launching

    document = judging_document()
    study = launching.launch(draft=drafted(document), revision=0, user=None, now=NOW)
    put(study, "closed")
    assert "Rita, University of Lamps" in client.get(study.public_path).text
    other = Client().get("/s/nowhere/")
    assert 'data-refusal="StudyNotOpen">' in other.text  # in no state


def test_where_only_the_consent_text_says_whom_to_ask_it_is_there(client: Client) -> None:
    study = small_study()
    put(study, "closed")
    Study.objects.update(consent="Write to **rita@example.org**. You get {pay}.")
    page = client.get(study.public_path).text
    assert "data-about" in page
    assert "<strong>rita@example.org</strong>" in page
    assert "{pay}" not in page


def test_who_handed_something_in_finds_their_code_after_the_end(client: Client) -> None:
    study = small_study()
    client.get(study.public_path)
    client.post(study.public_path, AGREE)
    work = Assignment.objects.get()
    answer_all(work)
    client.post(reverse("judging:finish", args=[work.token]))
    put(study, "closed")
    mine = reverse("work", args=[work.token])
    response = client.get(study.public_path)
    assert response.status_code == 410
    assert f'href="{mine}"' in response.text
    assert "data-completion-code" in client.get(mine, follow=True).text
    other = Client().get(study.public_path).text
    assert mine not in other
    assert "data-own-address" in other


def test_who_is_at_work_goes_on_after_the_end(client: Client) -> None:
    study = small_study()
    client.get(study.public_path)
    client.post(study.public_path, AGREE)
    put(study, "closed")
    work = Assignment.objects.get()
    assert client.get(study.public_path).url == reverse("work", args=[work.token])


@pytest.mark.parametrize("state", ["open", "closed"])
def test_on_prolific_a_submission_that_finds_no_place_is_returned(
    client: Client, state: str
) -> None:
    study = small_study(recruitment="prolific")
    Client().post(prolific_link("charlie"), AGREE)
    put(study, state)
    response: Any = client.get(prolific_link("bob"))
    assert response.status_code == (409 if state == "open" else 410)
    assert "data-return-submission" in response.text
