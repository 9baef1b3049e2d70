"""What becomes of a text: accepted, taken back, withdrawn, judged by others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NothingNew
from annotation.models import Corpus, Response, ReviewDecision, Segment
from tests.cast import HOUR, NOW, alice, begun, bob, small_study, writing_study
from tests.coded_errors import raises
from writing.models import Writing
from writing.review.publishing import publish

Decision = ReviewDecision.Decision
pytestmark = pytest.mark.django_db

TEXT = "Lamps shine [0]. They shine in colours [1, 2]. Some say otherwise [7]."


def written(text: str = TEXT):
    """Alice's submitted text."""
    assignment = begun(writing_study(), alice())
    Writing.objects.create(
        assignment=assignment, acknowledged_at=NOW, text=text, verdict=Writing.Verdict.EQUAL
    )
    return assigning.submit(assignment=assignment, now=NOW)


def decide(assignment, decision):
    return reviewing.decide(
        assignment=assignment, decision=decision, reviewer="rita", reason="So it is.", now=NOW
    )


def judging_of(response):
    """Return a judging study of the corpus, in which the text stands beside another one."""
    Response.objects.create(
        corpus=response.corpus, topic=response.topic, key="other", style="essay", origin="llm",
        text="Another text.", words=2,
    )  # fmt: skip
    return small_study(corpus=response.corpus, slug="judging")


def test_an_accepted_text_is_a_response_with_its_citations():
    assignment = written()
    assert not Response.objects.exists()
    decide(assignment, Decision.ACCEPT)
    response = Response.objects.get()
    assert (response.text, response.origin, response.author) == (TEXT, "human", alice())
    assert [citation.passage.rank for citation in response.citations.all()] == [1, 2, 3]


def segments_of(response):
    return [
        (
            segment.line,
            segment.kind,
            segment.text,
            [passage.rank for passage in segment.cited.order_by("rank")],
        )
        for segment in response.segments.all()
    ]


def test_an_accepted_text_comes_with_its_statements():
    assignment = written("[1] Lamps shine [0, 0]. They shine in colours [1][2]. Some [7]. No more.")
    decide(assignment, Decision.ACCEPT)
    assert segments_of(Response.objects.get()) == [
        (1, "statement", "Lamps shine.", [1]),
        (2, "statement", "They shine in colours.", [2, 3]),
        (3, "statement", "Some.", []),
        (4, "statement", "No more.", []),
    ]
    decide(assignment, Decision.REJECT)
    assert not Segment.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_statements():
    counts = []
    for slug, text in (("short", "One [0]."), ("long", "One [0]. " * 30)):
        assignment = begun(writing_study(slug=slug), alice())
        Corpus.objects.filter(slug="lamps").update(slug=slug)  # the next study makes another one
        Writing.objects.create(assignment=assignment, acknowledged_at=NOW, text=text)
        with CaptureQueriesContext(connection) as asked:
            publish(assignment=assignment)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_it_is_never_judged_by_its_writer():
    assignment = written()
    decide(assignment, Decision.ACCEPT)
    study = judging_of(Response.objects.get())
    with pytest.raises(NothingNew):
        assigning.claim(study=study, worker=alice(), now=NOW)
    assert assigning.claim(study=study, worker=bob(), now=NOW)


def test_a_text_that_is_no_longer_accepted_leaves_the_corpus():
    assignment = written()
    decide(assignment, Decision.ACCEPT)
    decide(assignment, Decision.REJECT)
    assert not Response.objects.exists()
    assert Writing.objects.get().text == TEXT


def test_a_text_that_is_judged_stays_accepted():
    assignment = written()
    decide(assignment, Decision.ACCEPT)
    judging_of(Response.objects.get())
    with raises(CannotReview, "is_judged"):
        decide(assignment, Decision.REJECT)
    assignment.refresh_from_db()
    assert assignment.state == "accepted"


def test_withdrawing_erases_the_text():
    assignment = written()
    decide(assignment, Decision.ACCEPT)
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    assert not Response.objects.exists()
    assert not Writing.objects.exists()


def test_a_text_that_comes_back_shows_its_feedback(client):
    assignment = written()
    reviewing.decide(
        assignment=assignment,
        decision=Decision.REDO,
        reviewer="rita",
        reason="Please say where the colours come from.",
        now=timezone.now(),
    )
    page = client.get(f"/w/{assignment.token}/writing/write/").content.decode()
    assert "Please say where the colours come from." in page
