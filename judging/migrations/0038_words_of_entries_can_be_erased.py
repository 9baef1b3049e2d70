"""The text of an entry and its answers may be emptied, when a writer withdraws their words."""

from typing import Any

from django.db import migrations

from annotation.migration_operations import ForbidChanges

ENTRIES: dict[str, Any] = {
    "table": "judging_bankentry",
    "name": "bank_entries_are_final",
    "sentence": "An entry of a bank is never changed: an edit is another entry.",
    "deletion": False,
    "columns": [
        *("bank_id", "topic_id", "facet", "key", "text", "replaces_id"),
        *("author", "model", "prompt_version", "created_at", "extra"),
    ],
}
DECISIONS: dict[str, Any] = {
    "table": "judging_entrydecision",
    "name": "entry_decisions_are_final",
    "sentence": "A decision on an entry is never changed: another one follows it.",
    "deletion": False,
    "columns": [
        *("bank_id", "entry_id", "revision", "act", "state", "importance", "secret"),
        *("answers", "aggregator", "reason", "at"),
    ],
}


class AllowChanges(ForbidChanges):
    """Drop the triggers; they return when the migration is undone."""

    def database_forwards(self, *args: Any, **kwargs: Any) -> None:
        super().database_backwards(*args, **kwargs)

    def database_backwards(self, *args: Any, **kwargs: Any) -> None:
        super().database_forwards(*args, **kwargs)


class Migration(migrations.Migration):
    dependencies = [("judging", "0037_questions_about_parts")]
    operations = [
        AllowChanges(**ENTRIES),
        ForbidChanges(**ENTRIES, erasable="text"),
        AllowChanges(**DECISIONS),
        ForbidChanges(**DECISIONS, erasable="answers", empty="[]"),
    ]
