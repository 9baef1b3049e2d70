"""The texts that are there are counted, some at a time: none is locked for long, and where it was
ended it goes on."""

from typing import Any

from django.db import migrations

from annotation.texts.words import count_words

AT_ONCE = 500


def count(apps: Any, editor: Any) -> None:
    texts = apps.get_model("writing", "Writing").objects.using(editor.connection.alias)
    last = 0
    while some := list(
        texts.filter(pk__gt=last).exclude(text="").only("pk", "text").order_by("pk")[:AT_ONCE]
    ):
        for each in some:
            each.words = count_words(each.text)
        texts.bulk_update(some, ["words"])
        last = some[-1].pk


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("writing", "0006_texts_say_how_many_words_they_have")]

    operations = [migrations.RunPython(count, migrations.RunPython.noop)]
