"""Only writing studies have a log: its tables are renamed as they stand, no row is copied."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_submissions_are_sealed")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AlterModelTable("logchunk", "writing_logchunk"),
                migrations.AlterModelTable("packedlog", "writing_packedlog"),
            ],
            state_operations=[
                migrations.DeleteModel("LogChunk"),
                migrations.DeleteModel("PackedLog"),
            ],
        ),
    ]
