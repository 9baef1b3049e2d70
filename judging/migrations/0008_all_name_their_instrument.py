"""Questions, criteria, scales and what is asked in a questionnaire belong to an instrument."""

import django.db.models.deletion
from django.db import migrations, models


def instrument_of(model_name: str, related_name: str) -> migrations.AlterField:
    return migrations.AlterField(
        model_name=model_name,
        name="instrument",
        field=models.ForeignKey(
            db_index=False,
            on_delete=django.db.models.deletion.CASCADE,
            related_name=related_name,
            to="judging.instrument",
        ),
    )


def once(model_name: str, name: str, *fields: str) -> migrations.AddConstraint:
    return migrations.AddConstraint(
        model_name=model_name, constraint=models.UniqueConstraint(fields=fields, name=name)
    )


class Migration(migrations.Migration):
    dependencies = [("judging", "0007_every_study_gets_its_instrument")]

    operations = [
        instrument_of("criterion", "criteria"),
        instrument_of("scale", "scales"),
        instrument_of("question", "questions"),
        instrument_of("taskitem", "task_items"),
        instrument_of("presentation", "presentations"),
        migrations.RemoveConstraint("criterion", "criterion_key_once_per_study"),
        migrations.RemoveConstraint("scale", "scale_key_once_per_study"),
        migrations.RemoveConstraint("question", "question_key_once_per_study"),
        migrations.RemoveConstraint("taskitem", "item_once_per_task"),
        migrations.RemoveConstraint("presentation", "item_once_per_assignment"),
        once("criterion", "criterion_key_once_per_instrument", "instrument", "key"),
        once("scale", "scale_key_once_per_instrument", "instrument", "key"),
        once("question", "question_key_once_per_instrument", "instrument", "key"),
        once("taskitem", "item_asked_once_per_task", "task", "item", "instrument"),
        once(
            "presentation", "item_asked_once_per_assignment", "assignment", "item", "instrument"
        ),
        migrations.RemoveField("criterion", "study"),
        migrations.RemoveField("scale", "study"),
        migrations.AlterField(
            model_name="presentation",
            name="position",
            field=models.PositiveIntegerField(help_text="1 for the first page of the worker"),
        ),
        migrations.AlterField(
            model_name="question",
            name="position",
            field=models.PositiveIntegerField(help_text="in the study"),
        ),
    ]
