"""Run by test_backfill.py on a database of the days when everybody could do everything."""

import json
import sys

import django

BEFORE = [("annotation", "0015_deleted_corpora_can_be_brought_back")]


def main() -> None:
    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from annotation.models import Corpus, Study

    call_command("migrate", verbosity=0)
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    old = executor.loader.project_state(BEFORE).apps
    ann, _, gone = (User.objects.create_user(name) for name in ("ann", "ben", "gone"))
    User.objects.filter(pk=gone.pk).update(is_active=False)
    corpus = old.get_model("annotation", "Corpus").objects.create(slug="lamps", name="Lamps")
    for slug, version, maker in (
        ("hers", 1, ann.pk),
        ("hers", 2, None),
        ("nobodys", 1, None),
        ("of one who left", 1, gone.pk),
    ):
        old.get_model("annotation", "Study").objects.create(
            slug=slug, version=version, kind="judging", corpus=corpus, created_by_id=maker
        )
    call_command("migrate", verbosity=0)
    found = {
        str((each.slug, getattr(each, "version", 0))): [
            each.team.pk,
            dict(each.team.memberships.values_list("user__username", "role")),
        ]
        for each in (*Corpus.objects.all(), *Study.objects.all())
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
