"""The questions of an interview: typed, saved, and named by notes."""

import pytest
from django.urls import reverse

from judging.models import InterviewGuide, SessionNote
from judging.sessions import interview_guides
from tests.cast import NOW, rita
from tests.hooks import elements
from tests.judging.sessions.cast import recorded_study, session_of, timed_work
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_a_guide_is_read_as_it_is_written():
    questions = interview_guides.read("Fi\0rst?\n\n#  Two \n Second? \nThird?\n# Empty\n")
    assert questions == [
        {"section": "", "question": "First?"},
        {"section": "Two", "question": "Second?"},
        {"section": "Two", "question": "Third?"},
    ]
    assert interview_guides.read(interview_guides.typed(questions)) == questions
    assert len(interview_guides.read(interview_guides.TEMPLATE)) == 10


@pytest.mark.parametrize(
    "text", ["x" * 301, "# " + "x" * 301 + "\nWhy?", "Why?\n" * 101, " " * 50_001]
)
def test_a_guide_has_limits(text):
    with refused("BadGuide"):
        interview_guides.read(text)


def test_a_guide_is_saved_on_the_page_and_notes_name_its_questions(client):
    client.force_login(rita())
    session = session_of(timed_work())
    study = session.assignment.study
    place = [study.slug, study.version]
    assert not elements(
        client.get(reverse("session", args=[*place, session.pk])).text, "data-questions"
    )
    client.post(reverse("sessions", args=place), {"guide": "# Deciding\nHow did you judge?"})
    page = client.get(reverse("session", args=[*place, session.pk])).text
    assert elements(page, "data-questions")
    note = {"act": "note", "text": "By length.", "at": "30", "question": "How did you judge?"}
    client.post(reverse("session", args=[*place, session.pk]), note)
    saved = SessionNote.objects.get()
    assert (saved.question, saved.at) == ("How did you judge?", 30)
    client.post(reverse("sessions", args=place), {"guide": ""})
    assert InterviewGuide.objects.get().questions == []
    assert saved.question in client.get(reverse("session", args=[*place, session.pk])).text
    page = client.post(reverse("sessions", args=place), {"guide": "x" * 301})
    assert page.status_code == 422
    assert "x" * 301 in page.text


def test_a_viewer_saves_no_guide(client):
    study = recorded_study()
    rita()
    sent = client.post(reverse("sessions", args=[study.slug, 1]), {"guide": "Why?"})
    assert sent.status_code == 302
    assert not InterviewGuide.objects.exists()
    interview_guides.save(study=study, text="Why?", by=None, now=NOW)
    assert interview_guides.questions_of(study)[0]["question"] == "Why?"
