"""Every number leads to a list that has as many rows."""

import pytest
from django.urls import reverse

from annotation.models import Assignment, ReviewDecision
from annotation.review.reviewing import decide
from annotation.work import assigning
from judging.models import Item
from tests.analysis.entities.counted import counted_on, total_of
from tests.analysis.exported import analysed
from tests.cast import NOW, begun, rita, small_study, submitted, worker

pytestmark = pytest.mark.django_db
LISTS = ("worker_list", "work_list", "topic_list", "item_list", "response_list", "vote_list")


@pytest.fixture
def judged(client):
    """Bob did two questionnaires, Dora one, Emil's was rejected; Fay is at work, Gus gave back."""
    client.force_login(rita())
    study = small_study(
        topics=3, responses=3, items=3, quota=4, cap=2, batch={"closes_when_full": False}
    )
    for name in ("bob", "bob", "dora", "emil"):
        done = submitted(study, worker(name))
    decide(assignment=done, decision="reject", reviewer="rita", reason="Too fast.", now=NOW)
    decide(
        assignment=Assignment.objects.order_by("pk").first(),
        decision=ReviewDecision.Decision.ACCEPT,
        reviewer="rita",
        reason="",
        now=NOW,
    )
    begun(study, worker("fay"))
    assigning.return_task(assignment=begun(study, worker("gus")), now=NOW)
    analysed(study)
    return study


def address(name, study, *more):
    return reverse(name, args=[study.slug, study.version, *more])


def pages_of(study):
    yield study.get_absolute_url()
    for name in LISTS:
        yield address(name, study)
    for name in ("bob", "dora", "emil", "fay", "gus"):
        yield address("worker_page", study, name)
    for work in study.assignments.all():
        yield address("assignment_page", study, work.pk)
    item = Item.objects.filter(study=study).first()
    yield address("item_page", study, item.pk)
    yield address("topic_page", study, item.topic.key)
    yield address("response_page", study, item.slots.first().response.key)


def test_each_number_of_a_judging_study_leads_to_as_many_rows(client, judged):
    numbers = {pair for page in pages_of(judged) for pair in counted_on(client, page)}
    assert len(numbers) > 40
    assert {pair: total_of(client, pair[0]) for pair in numbers} == {
        pair: pair[1] for pair in numbers
    }
