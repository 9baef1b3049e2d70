"""An offline migration: for three seconds, no process of the release before can work."""

from pathlib import Path

from django.db import migrations

from annotation import migrations as ours

LEAF = max(path.stem for path in Path(ours.__file__).parent.glob("[0-9]*.py"))
AWAY = "ALTER TABLE annotation_assignment RENAME COLUMN token_hash TO away"
BACK = "ALTER TABLE annotation_assignment RENAME COLUMN away TO token_hash"


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("annotation", LEAF)]
    operations = [
        migrations.RunSQL(AWAY),
        migrations.RunSQL("SELECT pg_sleep(3)"),
        migrations.RunSQL(BACK),
    ]
