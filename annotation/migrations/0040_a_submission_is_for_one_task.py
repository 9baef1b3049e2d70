from django.db import migrations, models

BEGUN = ["arrived", "active", "submitted", "accepted", "rejected"]


def say_of_what_there_is(apps, schema_editor):
    """Of two pieces of work that one submission has had, the first is the one it is for."""
    Assignment = apps.get_model("annotation", "Assignment")
    of_prolific = Assignment.objects.filter(
        study__recruitment="prolific", study__onboarding_tasks=0
    ).exclude(session_hash="")
    of_prolific.exclude(state__in=BEGUN).update(alone=True)
    firsts = {}
    begun = of_prolific.filter(state__in=BEGUN).order_by("-pk")
    for pk, session in begun.values_list("pk", "session_hash").iterator():
        firsts[session] = pk
    keys = list(firsts.values())
    for at in range(0, len(keys), 500):
        Assignment.objects.filter(pk__in=keys[at : at + 500]).update(alone=True)


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0039_people_are_screened_and_qualified"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="alone",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="its submission is for it alone",
            ),
        ),
        migrations.RunPython(say_of_what_there_is, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("alone", True),
                    ("state__in", BEGUN),
                    models.Q(("session_hash", ""), _negated=True),
                ),
                fields=("session_hash",),
                name="one_work_per_submission",
            ),
        ),
    ]
