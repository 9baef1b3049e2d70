"""Whole questionnaires saved in bulk, beside the same in live work."""

import pytest
from django.db import transaction

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.importing_assignments import WorkDone, assign_done
from annotation.fieldwork.work.refusals import Incomplete, NotAnAnswer, NoTaskLeft
from annotation.models import Assignment, Consent, Exposure, LedgerEntry, Place
from judging.answering import recording
from judging.answering.importing_answers import import_answers
from judging.items import drawing
from judging.models import Judgment, Presentation, Rater
from tests.cast import MINUTE, NOW, bob, charlie, small_study

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

LATER = NOW + 10 * MINUTE
CHANGING = {"id", "created_at", "key", "token_hash", "sealed_token", "external_id"}
CHANGING |= {"assignment_id", "rater_id"}


def answers(count=3, raw="a"):
    return [recording.GivenAnswer(position, "better", raw) for position in range(1, count + 1)]


def rows():
    """Return what is stored of the work, without what is random or counted on."""
    found = {}
    for model in (Assignment, Consent, Exposure, LedgerEntry, Place, Judgment, Presentation, Rater):
        kept = [field.attname for field in model._meta.concrete_fields]
        kept = [
            name for name in kept if name not in CHANGING and not name.endswith("assignment_id")
        ]
        kept = [name for name in kept if name != "rater_id"]
        found[model] = sorted(map(repr, model.objects.values_list(*kept)))
    return found


def live(study, worker):
    task = study.batches.get().tasks.get()
    assignment = assigning.assign(task=task, worker=worker, now=NOW, meet_again=True)
    assigning.begin(assignment=assignment, now=NOW)
    drawing.draw_presentations(assignment=assignment)
    recording.record(assignment=assignment, answers=answers(), now=LATER)
    recording.submit(assignment=assignment, now=LATER)


def in_bulk(study, workers, given):
    task = study.batches.get().tasks.get()
    works = [WorkDone(task, worker, NOW, LATER) for worker in workers]
    assignments = assign_done(study=study, works=works)
    import_answers(
        study=study, assignments=assignments, answers={each.pk: given for each in assignments}
    )


@pytest.mark.parametrize("sides", ["fixed", "drawn"])
def test_rows_in_bulk_are_those_of_live_work(sides):
    study = small_study(
        responses=3, quota=2, presentation={"sides": sides, "item_order": "fixed"}, pay="2.00"
    )
    workers = [bob(), charlie()]
    batch = study.batches.get()
    batch.closes_when_full = False
    batch.save()
    with transaction.atomic():
        for worker in workers:
            live(study, worker)
        expected = rows()
        transaction.set_rollback(True)
    assert not Assignment.objects.exists()
    in_bulk(study, workers, answers())
    assert rows() == expected
    assert Judgment.objects.count() == 6


def test_the_last_of_two_answers_to_a_question_counts():
    in_bulk(small_study(responses=3), [bob()], [*answers(), *answers(1, raw="b")])
    first, *others = Judgment.objects.order_by("pk").values_list("raw", "changes")
    assert first == ("b", 1)
    assert others == [("a", 0), ("a", 0)]


def test_an_answer_that_is_none_is_refused():
    with pytest.raises(NotAnAnswer):
        in_bulk(small_study(responses=3), [bob()], answers(raw="z"))


def test_a_page_that_is_not_in_the_task_is_refused():
    with pytest.raises(NotAnAnswer):
        in_bulk(small_study(responses=3), [bob()], answers(4))


def test_a_question_without_an_answer_is_refused():
    with pytest.raises(Incomplete):
        in_bulk(small_study(responses=3), [bob()], answers(2))


def test_more_work_than_places_is_refused():
    with pytest.raises(NoTaskLeft):
        in_bulk(small_study(responses=3, quota=1), [bob(), charlie()], answers())
