"""The database holds no worker's address, and no link that a worker holds is broken."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from annotation.encryption import token_hash
from annotation.fieldwork.work.assigning import assign
from annotation.models import Assignment
from tests.cast import NOW, begun, bob, charlie, rita, small_study


def stored() -> str:
    """All that the database says of assignments, as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM annotation_assignment")
        rows = [[bytes(c) if isinstance(c, memoryview) else c for c in row] for row in cursor]
    return repr(rows)


@pytest.mark.django_db
@pytest.mark.storage
def test_the_database_holds_no_token_that_opens_a_page():
    work = begun(small_study(), bob())
    again = Assignment.objects.get()
    assert again.token == work.token
    assert Client().get(f"/w/{again.token}/").status_code == 302
    assert work.token not in stored()
    for said in (again.token_hash, bytes(again.sealed_token).decode()):
        assert Client().get(f"/w/{said}/").status_code == 404


@pytest.mark.django_db
def test_the_database_holds_no_submission_that_can_be_read(client):
    task = small_study(quota=2).batches.get().tasks.get()
    work = assign(task=task, worker=bob(), now=NOW, external_id="673369995717991fa9f0b7fd")
    other = assign(task=task, worker=charlie(), now=NOW)
    assert "673369995717991fa9f0b7fd" not in stored()
    assert Assignment.objects.get(pk=work.pk).submission == "673369995717991fa9f0b7fd"
    assert Assignment.objects.get(pk=other.pk).submission == ""
    client.force_login(rita())
    page = client.get(f"/admin/annotation/assignment/{work.pk}/change/").content.decode()
    assert "673369995717991fa9f0b7fd" in page
    assert work.token not in page


@pytest.mark.django_db
def test_a_token_keeps_its_length_and_its_assignment_through_every_save():
    work = begun(small_study(), bob())
    assert len(work.token) == 22
    work.save()
    work.refresh_from_db()
    assert work.token_hash == token_hash(work.token)


@pytest.mark.django_db
def test_assignments_that_are_made_in_bulk_have_tokens_too():
    study = small_study(quota=2)
    task = study.batches.get().tasks.get()
    Assignment.objects.bulk_create(
        Assignment(task=task, study=study, worker=person, arrived_at=NOW, expires_at=NOW)
        for person in (bob(), charlie())
    )
    tokens = {assignment.token for assignment in Assignment.objects.all()}
    assert len(tokens) == 2
    assert {Client().get(f"/w/{token}/").status_code for token in tokens} == {200}


@pytest.mark.django_db
def test_no_two_assignments_have_one_token():
    study = small_study(quota=2)
    begun(study, bob()), begun(study, charlie())
    one = Assignment.objects.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.update(token_hash=one.token_hash)


@pytest.mark.django_db
def test_without_the_key_links_that_workers_hold_go_on_working(settings):
    work = begun(small_study(), bob())
    token = work.token
    settings.PSEUDONYM_KEY = "another key of at least forty characters"
    assert Client().get(f"/w/{token}/").status_code == 302
    assert Client().get(f"/w/{token}/instructions/").status_code == 200
