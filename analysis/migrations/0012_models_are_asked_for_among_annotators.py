from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0011_questionnaires_are_compared_with_others"),
    ]

    operations = [
        migrations.AddField(
            "analysisrequest",
            "with_machines",
            models.BooleanField(
                default=False, db_default=False, help_text="models among the annotators of MACE"
            ),
        ),
        migrations.RemoveConstraint("analysisrequest", "request_once_for_pool_and_compat"),
        migrations.AddConstraint(
            "analysisrequest",
            models.UniqueConstraint(
                fields=["study", "pool", "compat", "with_machines"], name="request_once_of_a_kind"
            ),
        ),
    ]
