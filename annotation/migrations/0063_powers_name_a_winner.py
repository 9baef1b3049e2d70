"""Powers of before were about two systems: Plan computes them again, about the winner."""

from typing import Any

from django.db import migrations


def forget(apps: Any, _: Any) -> None:
    apps.get_model("annotation", "Foreseen").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0062_comprehension_checks_have_attempts")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
