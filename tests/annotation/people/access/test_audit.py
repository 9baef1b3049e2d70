"""The audit log: who did what, and that nobody takes it back."""

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry
from annotation.models.access import AuditIsFinal
from annotation.people import access
from annotation.studies.batching import stamp_of
from tests.cast import rita, small_study

pytestmark = pytest.mark.django_db


def test_an_entry_keeps_who_did_what_under_the_name_they_had():
    study, user = small_study(), rita()
    access.record(user=user, act="closed a batch", what="main", of=study)
    User.objects.filter(pk=user.pk).update(username="margarita")
    entry = AuditEntry.objects.get()
    assert (entry.name, entry.act, entry.what, entry.team) == (
        "rita", "closed a batch", "main", study.team
    )  # fmt: skip


def test_a_command_is_nobody():
    assert access.record(user=None, act="imported").name == "the command line"


def test_what_was_done_is_cut_where_it_is_endless():
    assert len(access.record(user=None, act="imported", what="x" * 9000).what) == 500


def test_python_changes_no_entry():
    entry = access.record(user=None, act="imported")
    with pytest.raises(AuditIsFinal):
        entry.save()
    with pytest.raises(AuditIsFinal):
        entry.delete()
    with pytest.raises(AuditIsFinal):
        AuditEntry.objects.update(act="nothing")
    with pytest.raises(AuditIsFinal):
        AuditEntry.objects.all().delete()


@pytest.mark.storage
@pytest.mark.parametrize(
    "statement",
    ["UPDATE annotation_auditentry SET act = 'nothing'", "DELETE FROM annotation_auditentry"],
)
def test_the_database_changes_no_entry(statement):
    access.record(user=None, act="imported")
    with pytest.raises(DatabaseError, match="neither changed nor deleted"), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditEntry.objects.get().act == "imported"


def test_who_did_something_is_not_deleted():
    user = rita()
    access.record(user=user, act="imported")
    with pytest.raises(ProtectedError):
        user.delete()


def test_closing_a_batch_is_recorded_and_closing_it_twice_once():
    study, client = small_study(), Client()
    client.force_login(rita())
    for _ in range(2):
        client.post(
            reverse("batch_act", args=[study.slug, 1, 1, "close"]),
            {"name": "main", "stamp": stamp_of(study.batches.get())},
        )
    assert [str(entry) for entry in study.team.audit_entries.all()] == ["rita closed a batch"]
