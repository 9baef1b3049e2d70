"""What is written once is guarded by triggers, on a freshly migrated database of either kind.

SQLite makes a table again when a migration alters it, and drops its triggers without a word: such
a migration has to bring them back.
"""

import re

import pytest
from django.db import connection

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

GUARDED = {  # table, what is refused
    ("annotation_auditentry", "UPDATE"),
    ("annotation_auditentry", "DELETE"),
    ("annotation_ledgerentry", "UPDATE"),
    ("annotation_ledgerentry", "DELETE"),
    ("judging_answersbefore", "UPDATE"),
    ("judging_bankentry", "UPDATE"),
    ("judging_entrydecision", "UPDATE"),
    ("judging_code", "UPDATE"),
    ("judging_codebookversion", "UPDATE"),
    ("judging_unitdecision", "UPDATE"),
}
OF_SQLITE = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
OF_POSTGRES = """
SELECT event_object_table, event_manipulation FROM information_schema.triggers
WHERE trigger_schema = current_schema() AND action_timing = 'BEFORE'
"""
MADE = re.compile(r"BEFORE (UPDATE|DELETE|INSERT)(?: OF [\w, ]+)? ON \"?(\w+)")


def triggers() -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(OF_POSTGRES)
            return set(cursor.fetchall())
        cursor.execute(OF_SQLITE)
        found = [MADE.search(sql) for (sql,) in cursor.fetchall()]
    return {(each[2], each[1]) for each in found if each}


def test_every_trigger_is_there_after_all_migrations() -> None:
    assert triggers() == GUARDED
