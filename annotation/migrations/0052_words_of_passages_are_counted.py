"""The passages that are there are counted, some at a time: none is locked for long, and where it
was ended it goes on."""

from typing import Any

from django.db import migrations

AT_ONCE = 500


def count(apps: Any, editor: Any) -> None:
    passages = apps.get_model("annotation", "Passage").objects.using(editor.connection.alias)
    last = 0
    while some := list(
        passages.filter(pk__gt=last, words=0).only("pk", "text").order_by("pk")[:AT_ONCE]
    ):
        for each in some:
            each.words = len(each.text.split())
        passages.bulk_update(some, ["words"])
        last = some[-1].pk


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("annotation", "0051_passages_say_how_many_words_they_have")]

    operations = [migrations.RunPython(count, migrations.RunPython.noop)]
