"""How much of a log is here, so that it has an end; and when its chunks came, kept when packed."""

import zlib

from django.db import migrations, models


def count_bytes(apps, schema_editor):
    """Of logs that are still in chunks; of packed ones nobody knows any more what they were."""
    chunks = apps.get_model("annotation", "LogChunk").objects
    assignment, size = None, 0
    rows = chunks.order_by("assignment", "pk").values_list("pk", "assignment", "data")
    for pk, mine, data in rows.iterator(chunk_size=100):
        size = (size if mine == assignment else 0) + len(zlib.decompress(data))
        assignment = mine
        chunks.filter(pk=pk).update(log_bytes=size)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_late_requests_lose")]

    operations = [
        migrations.AddField(
            "logchunk", "log_bytes", models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField(
            "packedlog",
            "log_bytes",
            models.PositiveIntegerField(default=0, help_text="as JSON; 0 where nobody counted"),
        ),
        migrations.AddField("packedlog", "arrivals", models.BinaryField(default=b"")),
        migrations.RunPython(count_bytes, migrations.RunPython.noop, elidable=True),
    ]
