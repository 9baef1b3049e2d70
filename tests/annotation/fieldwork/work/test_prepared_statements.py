"""Queries of the hot paths are planned once a connection, whatever values they get."""

import threading

import pytest
from django.db import connection, connections
from django.db.models import Model
from django.utils import timezone

from annotation.encryption import token_hash
from annotation.fieldwork.pages import assignment_lookup
from annotation.fieldwork.review import redo_reasons
from annotation.fieldwork.work.prepared_statements import PreparedQuery, fetch
from annotation.models import Response, ReviewDecision, Study
from judging.answering import pages, saved_answers
from judging.items import drawing
from tests.cast import answer_all, begun, bob, small_study

pytestmark = pytest.mark.django_db
KEPT = (
    "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT /* planned once */%'"
)


def test_numbers_of_any_size_share_one_plan():
    for number in (0, 500, -50_000, 2**40):
        rows = fetch("SELECT /* planned once */ CAST(%s AS bigint)", [number])
        assert rows == [(number,)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(KEPT)
            assert cursor.fetchone() == (1,)


def test_behind_pgbouncer_nothing_is_kept_on_a_connection(monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    for _ in range(10):
        assert fetch("SELECT /* behind a pooler */ CAST(%s AS bigint)", [1]) == [(1,)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(KEPT.replace("planned once", "behind a pooler"))
            assert cursor.fetchone() == (0,)


PREPARED = {
    "assignment": (assignment_lookup.ADDRESSED, lambda work: token_hash(work.token)),
    "decision": (redo_reasons.LAST, lambda work: work.pk),
    "presentations": (drawing.STORED, lambda work: work.pk),
    "withdrawn": (drawing.WITHDRAWN, lambda work: work.pk),
    "answers": (saved_answers.GIVEN, lambda work: work.pk),
    "slots": (pages.SLOTS, lambda work: work.presentations.earliest("position").item_id),
}


def everything(row):
    """Return all that a row holds, with the rows that came along with it."""
    if not isinstance(row, Model):
        return row
    kept = {name: value for name, value in vars(row).items() if name != "_state"}
    related = {name: everything(value) for name, value in row._state.fields_cache.items()}
    return type(row), kept, related


@pytest.fixture
def work():
    study = small_study(instrument="crowdrag-pairwise", responses=3)
    assignment = begun(study, bob(), now=timezone.now())
    answer_all(assignment)
    ReviewDecision.objects.create(
        assignment=assignment,
        reviewer="rita",
        decision=ReviewDecision.Decision.REDO,
        reason="Again",
        decided_at=timezone.now(),
    )
    Response.objects.filter(key="t1b").update(text="")
    return assignment


@pytest.mark.storage
@pytest.mark.parametrize("name", PREPARED)
def test_a_prepared_query_reads_what_its_queryset_reads(work, name):
    query, value = PREPARED[name]
    query.check()
    given = value(work)
    by_django = [everything(row) for row in query._build(given)]
    assert by_django
    assert [everything(row) for row in query.fetch(given)] == by_django


def test_a_marker_that_is_no_parameter_is_refused():
    query = PreparedQuery(lambda pk: Study.objects.filter(slug="x"), -1)
    with pytest.raises(ValueError, match="-1"):
        query.check()


@pytest.mark.storage
def test_a_prepared_query_serves_each_thread_by_its_own_connection(work):
    assert drawing.STORED.fetch(work.pk)
    kept = drawing.STORED._kept.compiled.link
    assert kept is connections["default"]
    links = []

    def other():
        drawing.STORED.fetch(-2)
        links.append(drawing.STORED._kept.compiled.link)
        connections.close_all()

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert links
    assert links[0] is not kept
