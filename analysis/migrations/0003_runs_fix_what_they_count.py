from collections import Counter
from typing import Any

from django.db import migrations, models
from django.db.models import Q


def count_as_then(apps: Any, schema_editor: Any) -> None:
    """What each run counted, as far as its time tells; who withdrew since is erased with it."""
    run_model = apps.get_model("analysis", "AnalysisRun")
    assignment_model = apps.get_model("annotation", "Assignment")
    asked: Counter[int] = Counter()
    for run in run_model.objects.order_by("asked_at", "pk"):
        asked[run.study_id] += 1
        work = assignment_model.objects.filter(study=run.study_id, submitted_at__lte=run.asked_at)
        if run.batch_id:
            work = work.filter(task__batch=run.batch_id)
        gone = Q(state="withdrawn", ended_at__gt=run.asked_at)
        counted = work.filter(Q(state__in=["submitted", "accepted"]) | gone).order_by("pk")
        accepted = counted.filter(state="accepted")
        run_model.objects.filter(pk=run.pk).update(
            asked=asked[run.study_id],
            frozen={
                "counting": list(counted.values_list("pk", flat=True)),
                "accepted": list(accepted.values_list("pk", flat=True)),
            },
            overtaken=counted.filter(gone).exists(),
        )


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0002_runs_are_cancelled_and_steps_have_parts"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysisrun",
            name="asked",
            field=models.PositiveBigIntegerField(
                default=0,
                help_text="counts up whenever a run of the study is asked for: clocks jump",
            ),
        ),
        migrations.AddField(
            model_name="analysisrun",
            name="frozen",
            field=models.JSONField(
                default=dict, help_text="ids of the work that counts (analysis.frozen)"
            ),
        ),
        migrations.AddField(
            model_name="analysisrun",
            name="overtaken",
            field=models.BooleanField(
                default=False, help_text="counts answers of somebody who has withdrawn since"
            ),
        ),
        migrations.RunPython(count_as_then, migrations.RunPython.noop, elidable=True),
    ]
