"""How many passages of a topic writers see: the best so many, wherever the study speaks of them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from analysis.inputs import text_frames
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Draft, Response, ReviewDecision, Study
from annotation.studies.drafts import making
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.launching import launch
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, alice, begun, rita, writing_study
from tests.hooks import numbers
from tests.writing.editor.test_late_requests import enter
from tests.writing.log.test_log_endpoint import Page
from writing.models import Brief, Writing
from writing.process import measuring
from writing.studies.designing import reading_minutes

pytestmark = pytest.mark.django_db
TEXT = "Lamps shine [0]. They burn [1]. Some say otherwise [2]."


def document_of(shown):
    """Of three topics with three passages each, of which `shown` are."""
    document = writing_document()
    document.instruments[0]["passages"] = shown
    return document


def seen(html):
    return re.findall(r'id="passage-(\d+)"', html)


@pytest.fixture
def work():
    """Alice writes about a topic with five passages, of which she sees two."""
    study = writing_study(passages=5)
    Brief.objects.filter(study=study).update(passages=2)
    return begun(study, alice())


def accepted(work):
    Writing.objects.create(
        assignment=work, acknowledged_at=NOW, text=TEXT, verdict=Writing.Verdict.EQUAL
    )
    assigning.submit(assignment=work, now=NOW)
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.ACCEPT,
        reviewer="rita",
        reason="",
        now=NOW,
    )
    return Response.objects.get()


def test_a_writer_sees_the_best_passages_alone(work):
    page = Page(work)
    enter(page, 1)
    html = page.client.get(f"{page.url}write/").text
    assert seen(html) == ["0", "1"]
    assert "Passage 2 tells" in html
    assert "Passage 3 tells" not in html


def test_without_a_number_all_passages_are_seen():
    page = Page(begun(writing_study(passages=5), alice()))
    enter(page, 1)
    assert len(seen(page.client.get(f"{page.url}write/").text)) == 5


def test_a_passage_that_was_not_shown_cannot_be_cited(work):
    response = accepted(work)
    assert [citation.passage.rank for citation in response.citations.all()] == [1, 2]
    cited = [
        list(segment.cited.values_list("rank", flat=True)) for segment in response.segments.all()
    ]
    assert cited == [[1], [2], []]


def test_measures_review_and_analyses_know_what_was_shown(work):
    response = accepted(work)
    assert len(work.task.writing_task.passages) == 2
    assert measuring._passages_of(work).verbatim("Passage 3 tells that lamp t1 shines") is None
    assert list(text_frames.passages(work.study)["rank"]) == [1, 2]
    client = Client()
    client.force_login(rita())
    address = reverse("review_work", args=[work.study.slug, work.study.version, work.pk])
    html = client.get(address).text
    assert ("Passage 2 tells" in html, "Passage 3 tells" in html) == (True, False)
    assert response.text == TEXT


def test_a_launched_study_keeps_the_number_and_says_it_again():
    study = launch(draft=drafted(document_of(2)), revision=0, user=None, now=NOW)
    assert study.brief.passages == 2
    Draft.objects.all().delete()
    (instrument,) = kind_of("writing").instruments_of(Study.objects.get(pk=study.pk))
    assert instrument.passages == 2
    assert making.document_of(study).instruments[0]["passages"] == 2


def test_the_page_beside_a_draft_shows_as_many():
    client = Client()
    client.force_login(rita())
    document = document_of(2)
    for shown, there in ((2, ["0", "1"]), (None, ["0", "1", "2"])):
        document.instruments[0]["passages"] = shown
        address = reverse("draft_page", args=[drafted(document).pk, "page"])
        assert seen(client.get(address).text) == there


def test_reading_takes_as_long_as_the_passages_that_are_shown():
    document = document_of(2)
    corpus = drafted(document).corpus
    topics = list(corpus.topics.all())
    minutes = {shown: reading_minutes(topics, shown=shown) for shown in (1, 2, 3, 4, None)}
    assert minutes[2] == pytest.approx(2 * minutes[1])
    assert minutes[3] == minutes[4] == minutes[None]
    assert minutes[None] == pytest.approx(3 * minutes[1])
    outline = kind_of("writing").outline(document, corpus)
    assert outline.reading_minutes == minutes[2]
    assert [2] in [numbers(note) for note in outline.notes]


def test_no_passage_at_all_is_a_fault_at_its_field():
    (fault,) = faults_of(document_of(0))
    assert fault.path == "instruments/crowdrag-writing/passages"
