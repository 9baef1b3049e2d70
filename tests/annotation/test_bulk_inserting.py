"""Rows that are copied are those that `bulk_create` inserts."""

import pytest
from django.db import IntegrityError, connection, transaction

from annotation import bulk_inserting
from annotation.bulk_inserting import insert_all, point_all
from annotation.models import Assignment, Passage, Place, ReviewAct, Task
from tests.cast import NOW, alice, bob, charlie, small_study

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture(params=[1, 1000], ids=["copied", "inserted"])
def limit(request, monkeypatch):
    monkeypatch.setattr(bulk_inserting, "FEW", request.param)


def assignments(study):
    task = study.batches.get().tasks.get()
    return [
        Assignment(
            task=task,
            study=study,
            worker=worker,
            state="submitted",
            external_id=b"\x00\\",
            entry_answers={"age": 'x"\\\t\n', "n": n},
            **dict.fromkeys(("arrived_at", "started_at", "worked_at", "submitted_at"), NOW),
            expires_at=NOW,
        )
        for n, worker in enumerate([alice(), bob(), charlie()])
    ]


def test_rows_are_stored_as_they_are_in_memory(limit):
    new = insert_all(assignments(small_study()))
    stored = {work.pk: work for work in Assignment.objects.all()}
    assert sorted(stored) == [work.pk for work in new]
    for work in new:
        for field in Assignment._meta.concrete_fields:
            mine, saved = (getattr(each, field.attname) for each in (work, stored[work.pk]))
            assert saved == mine, field.name
        assert (work._state.adding, work._state.db) == (False, connection.alias)


def test_derived_values_and_special_characters_are_stored(limit):
    topic = small_study().corpus.topics.first()
    text = "tab\tnew\nline \\N \\. “quotes” 🙂"
    (passage,) = insert_all([Passage(topic=topic, key="new", text=text, rank=99)])
    stored = Passage.objects.get(pk=passage.pk)
    assert (stored.text, stored.words) == (text, len(text.split()))


def test_values_of_other_types_are_stored_as_the_field_does(limit):
    batch = small_study().batches.get()
    new = insert_all(Task(batch=batch, number=number, quota=1) for number in (8, 9))
    stored = dict(Task.objects.values_list("pk", "key"))
    assert [stored[task.pk] for task in new] == [str(task.key) for task in new]


def test_keys_go_on_after_many_rows(limit):
    study = small_study()
    first = insert_all(
        ReviewAct(study=study, decision="accept", reviewer="rita", made_at=NOW) for _ in range(3)
    )
    last = ReviewAct.objects.create(study=study, decision="accept", reviewer="rita", made_at=NOW)
    assert last.pk > max(act.pk for act in first)


def test_constraints_are_checked(limit):
    topic = small_study().corpus.topics.first()
    same = [Passage(topic=topic, key="new", text="x", rank=rank) for rank in (98, 99)]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_all(same)
    assert not Passage.objects.filter(key="new").exists()


def test_no_rows_are_no_statement(limit, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert insert_all(iter([])) == []
        point_all([], "assignment")


def test_many_rows_get_their_own_reference(limit):
    study = small_study(quota=3)
    works = insert_all(assignments(study))
    places = list(Place.objects.filter(task=works[0].task).order_by("number"))
    for place, work in zip(places, works, strict=True):
        place.assignment = work
    point_all(places, "assignment")
    stored = Place.objects.order_by("number").values_list("assignment", flat=True)
    assert list(stored) == [work.pk for work in works]
