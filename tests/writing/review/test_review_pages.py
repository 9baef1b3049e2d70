"""The reviewer's pages of a writing study: the queue, one work, the decision."""

import json

import pytest
from django.urls import reverse

from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Corpus, Keeping
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    begun,
    bob,
    rita,
    worker,
    writing_study,
)
from tests.hooks import element, elements, numbers, values
from writing.log.eventlog import Edit, Paste, Start, pack
from writing.models import PackedLog, ProcessRecord, Writing
from writing.process import measuring

pytestmark = pytest.mark.django_db

PIECE = "lamp t1 shines in colour 2"


def keep_log(assignment, *edits):
    """Store a log of a pasted passage and a typed word, packed as after a submission."""
    events = [
        Start(seq=1, ms=0, length=0, version=1, agent="test"),
        Edit(seq=2, ms=1_000, at=0, deleted=0, inserted="So a ", input="insertText"),
        Paste(seq=3, ms=2_000, at=5, length=len(PIECE), source="passage", passage=1),
        Edit(seq=4, ms=2_000, at=5, deleted=0, inserted=PIECE, input="insertFromPaste"),
        *edits,
    ]
    PackedLog.objects.create(assignment=assignment, events=len(events), data=pack(events))


def written(study, person, *, at=NOW, text="So a " + PIECE):
    """Submit a text as the person."""
    work = begun(study, person, now=at)
    Writing.objects.create(assignment=work, acknowledged_at=at, text=text, verdict="equal")
    work.entry_answers = {"worker_knowledge": "2"}
    work.save()
    assigning.submit(assignment=work, now=at + 20 * MINUTE)
    work.exit_answers = {"worker_satisfaction": "1"}
    work.save()
    return work


@pytest.fixture
def study():
    return writing_study(topics=3)


@pytest.fixture
def client(client):
    client.force_login(rita())
    return client


def address(study, work=None, name="review_work"):
    place = [study.slug, study.version]
    return reverse(name, args=[*place, work.pk]) if work else reverse("review", args=place)


def decide(client, study, work, decision, reason=""):
    return client.post(
        address(study, work, "review_decide"), {"decision": decision, "reason": reason}
    )


def said(client, response):
    """Return the message on the page that a decision leads to."""
    page = client.get(response["Location"])
    return [str(message) for message in page.context["messages"]]


def test_it_is_for_those_who_logged_in(client, study):
    work = written(study, alice())
    client.logout()
    for each in (
        address(study),
        address(study, work),
        address(study, work, "review_playback"),
        address(study, work, "review_decide"),
    ):
        assert client.get(each)["Location"].startswith("/login/")


def tabs(client, study):
    """Return the ready lists of the queue with their counts, but for those by a mark."""
    views = client.get(address(study)).context["views"]
    return {view["view"].name: view["view"].n for view in views if not view["view"].query["mark"]}


def test_the_queue_is_the_oldest_first_with_counts(client, study):
    second = written(study, bob(), at=NOW + HOUR)
    first = written(study, alice())
    begun(study, worker("dora"))
    page = client.get(address(study))
    assert [row["work"].pk for row in page.context["rows"]] == [first.pk, second.pk]
    assert tabs(client, study) == {"Waiting": 2, "Changes requested": 0, "Decided": 0, "All": 2}
    overview = client.get(study.get_absolute_url()).content.decode()
    assert any(wait.numbers == [2] for wait in elements(overview, "data-open-task"))


def test_one_work_shows_its_text_forms_and_passages(client, study):
    work = written(study, alice())
    page = client.get(address(study, work))
    shown = page.content.decode()
    for words in ("So a lamp", "A little", "Are you happy with your text?", "Page 3", "complete"):
        assert words in shown
    assert "style=" not in shown
    assert "<script>" not in shown


def test_a_work_of_another_study_is_not_found(client, study):
    Corpus.objects.update(slug="other")
    work = written(writing_study(slug="other"), alice())
    assert client.get(address(study, work)).status_code == 404


def test_accepting_goes_on_with_the_next_one(client, study):
    first, second = written(study, alice()), written(study, bob(), at=NOW + HOUR)
    response = decide(client, study, first, "accept")
    assert response["Location"] == address(study, second)
    assert Assignment.objects.get(pk=first.pk).state == "accepted"
    assert "Approved: alice on" in said(client, response)[0]
    assert decide(client, study, second, "accept")["Location"] == address(study)


def test_a_decision_without_its_reason_is_a_message(client, study):
    work = written(study, alice())
    response = decide(client, study, work, "redo")
    lacks_reason = said(client, response)
    assert Assignment.objects.get(pk=work.pk).state == "submitted"
    unknown = said(client, decide(client, study, work, "burn", "So."))
    assert Assignment.objects.get(pk=work.pk).state == "submitted"
    assert len({*lacks_reason, *unknown}) == 2


def test_work_that_was_given_back_waits_for_its_writer(client, study):
    work = written(study, alice())
    decide(client, study, work, "redo", "Please say where it comes from.")
    page = client.get(address(study, work)).content.decode()
    assert element(page, "data-revising")
    assert "Please say where it comes from." in page
    assert tabs(client, study) == {"Waiting": 0, "Changes requested": 1, "Decided": 0, "All": 1}
    assigning.submit(assignment=Assignment.objects.get(pk=work.pk), now=NOW + HOUR)
    assert tabs(client, study) == {"Waiting": 1, "Changes requested": 0, "Decided": 0, "All": 1}


def test_a_decision_is_undone_by_another_one(client, study):
    work = written(study, alice())
    decide(client, study, work, "accept")
    response = decide(client, study, work, "reject", "It is copied.")
    assert response["Location"] == address(study, work) + "?list=all"
    page = client.get(response["Location"])
    made = [decision.decision for decision in page.context["decisions"]]
    assert made == ["reject", "accept"]


def test_the_playback_comes_as_json(client, study):
    work = written(study, alice())
    keep_log(work)
    told = json.loads(client.get(address(study, work, "review_playback")).content)
    assert told["duration"] == 2_000
    assert told["steps"] == [
        [2, 1_000, 0, 0, "So a ", -4],  # two words at once are not typed
        [4, 2_000, 5, 0, PIECE, 1],
    ]
    assert told["marks"] == [[2_000, 3, "paste", "26 characters pasted from passage 1", 2_000]]


def test_a_log_that_cannot_be_played_says_why(client, study):
    work = written(study, alice())
    response = client.get(address(study, work, "review_playback"))
    assert response.status_code == 409
    assert response.json()["fault"]
    assert numbers(response.json()["fault"]) == []
    keep_log(work, Edit(seq=5, ms=3_000, at=90, deleted=1, inserted="", input="deleteContent"))
    response = client.get(address(study, work, "review_playback"))
    assert response.status_code == 409
    # Event, units deleted, place, units of the text.
    assert numbers(response.json()["fault"]) == [5, 1, 90, 31]


def test_evidence_is_numbers_with_moments_and_standings(client, study):
    work = written(study, alice())
    keep_log(work)
    page = client.get(address(study, work, "review_evidence")).content.decode()
    assert "Pasted" in page
    assert "#ms=2000" in page
    assert elements(page, "data-standing") == []
    another = written(study, bob(), at=NOW + HOUR)
    keep_log(another)
    page = client.get(address(study, another, "review_evidence")).content.decode()
    assert [50, 1] in [standing.numbers for standing in elements(page, "data-standing")]
    unrecorded = written(study, worker("dora"), at=NOW + HOUR)
    page = client.get(address(study, unrecorded, "review_evidence")).content.decode()
    assert elements(page, "data-no-record")


def test_low_values_are_looked_at_below_their_limit(client, study):
    work = written(study, alice())
    keep_log(work)
    low = {"kind": "no corrections", "value": 0, "unit": "deleted by typed", "limit": 0.02}
    high = {"kind": "pace", "value": 1141.11, "unit": "words per minute", "limit": 100}
    flags = [each | {"points": [[1, 0]]} for each in (low, high)]
    client.get(address(study, work, "review_evidence"))
    ProcessRecord.objects.filter(writing__assignment=work).update(flags=flags)
    for name in ("review_evidence", "review_panel"):
        page = " ".join(client.get(address(study, work, name)).text.split())
        assert "below 0.02" in page
        assert "1,141" in page
    evidence = client.get(address(study, work, "review_evidence")).text
    assert values(evidence, "data-flag") == ["no corrections", "pace"]


def test_most_evidence_can_come_first(client, study):
    first = written(study, alice())
    keep_log(first)
    second = written(study, bob(), at=NOW + HOUR)
    essay = "Maples grow in the northern half of the world, and many kinds of them are known. " * 2
    keep_log(second, Edit(seq=5, ms=9_000, at=31, deleted=0, inserted=essay, input="insertText"))
    measuring.measure_study(study=study, now=NOW)
    page = client.get(address(study) + "?order=evidence")
    assert [row["work"].pk for row in page.context["rows"]] == [second.pk, first.pk]
    shown = client.get(address(study, second) + "?order=evidence")
    assert shown.context["after"].endswith(f"/{first.pk}/?order=evidence")


def test_older_logs_and_measures_are_marked(client, study):
    work = written(study, alice())
    keep_log(work)
    evidence = address(study, work, "review_evidence")
    cautions = [element(client.get(evidence).text, "data-caution").text]  # no page of it did
    record = ProcessRecord.objects.get()
    record.values = {**record.values, "window_recorded": [1, None]}
    record.save()
    assert "data-caution" not in client.get(evidence).text
    record.values = {**record.values, "rewritten": [1, None]}
    record.save()
    cautions.append(element(client.get(evidence).text, "data-caution").text)
    # What cannot be measured again keeps its old numbers.
    Keeping.objects.create(study=study, logs_erased_at=NOW)
    ProcessRecord.objects.update(version=2)
    cautions.append(element(client.get(evidence).text, "data-caution").text)
    assert len(set(cautions)) == 3
