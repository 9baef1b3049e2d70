from django.db import migrations, models
from django.db.models.deletion import CASCADE


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0005_runs_say_what_does_not_apply"),
    ]

    operations = [
        migrations.AddField(
            "analysisrequest",
            "pool",
            models.CharField(
                default="people", help_text="of raters (inputs.pools)", max_length=100
            ),
        ),
        migrations.AlterField(
            "analysisrequest",
            "study",
            models.ForeignKey(
                db_index=False,
                on_delete=CASCADE,
                related_name="analysis_requests",
                to="annotation.study",
            ),
        ),
        migrations.AddConstraint(
            "analysisrequest",
            models.UniqueConstraint(fields=["study", "pool"], name="request_once_for_a_pool"),
        ),
    ]
