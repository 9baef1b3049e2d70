"""What a worker meets at most once gets its standard name; constraints keep theirs."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_the_log_goes_to_the_writing_app")]

    operations = [
        migrations.RenameModel("MetUnit", "Exposure"),
        migrations.RenameModel("TaskUnit", "TaskExposure"),
        migrations.AlterField(
            "exposure",
            "assignment",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="exposures",
                to="annotation.assignment",
            ),
        ),
    ]
