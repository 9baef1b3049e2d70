"""A design reads how long passages are, and no longer all of their texts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0050_a_redo_that_ran_out_waits_again")]

    operations = [
        migrations.AddField(
            model_name="passage",
            name="words",
            # The database has the number, too: a server of before that still runs knows none.
            field=models.PositiveIntegerField(
                default=0, db_default=0, editable=False, help_text="words between white space"
            ),
        ),
    ]
