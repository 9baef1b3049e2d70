"""Citations and free-standing signs are no words of a response any more. Those that are there are
counted again, some at a time: none is locked for long, and where it was ended it goes on."""

from typing import Any

from django.db import migrations, models

from annotation.texts.words import count_words

AT_ONCE = 500


def count(apps: Any, editor: Any) -> None:
    responses = apps.get_model("annotation", "Response").objects.using(editor.connection.alias)
    last = 0
    while some := list(
        responses.filter(pk__gt=last).exclude(text="").only("pk", "text").order_by("pk")[:AT_ONCE]
    ):
        for each in some:
            each.words = count_words(each.text)
        responses.bulk_update(some, ["words"])
        last = some[-1].pk


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("annotation", "0053_who_tries_a_draft_is_known")]

    operations = [
        migrations.AlterField(
            model_name="response",
            name="words",
            field=models.PositiveIntegerField(
                help_text="without citations and free-standing signs"
            ),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
