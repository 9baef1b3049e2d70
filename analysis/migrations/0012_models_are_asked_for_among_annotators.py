from django.db import migrations, models


def forget_those_with_machines(apps, schema_editor):
    """Before them a study had one request for a pool and a pipeline."""
    Request = apps.get_model("analysis", "AnalysisRequest")
    Request.objects.using(schema_editor.connection.alias).filter(with_machines=True).delete()


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
        # The last, so that it is the first on the way back.
        migrations.RunPython(migrations.RunPython.noop, forget_those_with_machines),
    ]
