"""Contents of a database that a backup names, and what a restore changes in it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from annotation.texts.sentences import marked
from config.backups.digests import TableDigest

# Tables with rows in an installation that nobody has used yet.
FRESH = {
    *("django_migrations", "django_content_type", "auth_permission", "django_session"),
    *("annotation_servicemark", "annotation_kept", "annotation_addresspace"),
    *("axes_accessattempt", "axes_accesslog", "axes_accessfailurelog"),
}
UNSURE = marked("Restored from a backup. Check this payment on Prolific.")
PAID_BEFORE = """
    SELECT COUNT(*) FROM annotation_payment p
    JOIN annotation_assignment a ON a.id = p.assignment_id
    JOIN annotation_assignment own ON own.id = annotation_payment.assignment_id
    WHERE p.state = 'paid' AND p.amount = annotation_payment.amount AND p.way <> 'hand'
    AND (p.kind = 'bonus' OR p.way = 'bonus')
    AND (a.id = own.id OR a.session_hash = own.session_hash AND own.session_hash <> '')
"""
# By table: what the installation may have sent after the backup was made. In plain SQL, because
# an archive may be older than the models. A bonus that waits may be paid by now: its outcome is
# unknown until Prolific shows one more than were paid. Other orders have no second effect there.
HOLDS = {
    "annotation_payment": (
        'UPDATE annotation_payment SET "before" = '
        f"CASE WHEN external_id = '' THEN ({PAID_BEFORE}) ELSE \"before\" END, "
        f"state = 'unknown', said = '{UNSURE}' "
        "WHERE state = 'prepared' AND way <> 'hand' AND (kind = 'bonus' OR way = 'bonus')"
    ),
    "annotation_worknotice": "DELETE FROM annotation_worknotice",
    "annotation_servicemark": "DELETE FROM annotation_servicemark WHERE name = 'clock'",
}


@dataclass(frozen=True)
class Contents:
    """Tables of a dump, its applied migrations, and the fingerprint of its key; '' if none."""

    tables: dict[str, TableDigest]
    migrations: list[tuple[str, str]]
    key: str

    @classmethod
    def of(
        cls, query: Callable[[str], Iterable[tuple[Any, ...]]], tables: dict[str, TableDigest]
    ) -> "Contents":
        migrations = query("SELECT app, name FROM django_migrations ORDER BY app, name")
        steps = [(app, name) for app, name in migrations]
        keys = []
        if "annotation_servicemark" in tables:
            keys = [*query("SELECT value FROM annotation_servicemark WHERE name = 'key'")]
        return cls(tables, steps, str(keys[0][0]) if keys else "")
