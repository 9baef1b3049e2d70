"""Run by test_tokens.py on a database of earlier days: an address and a log of that time."""

import json
import sys

import django


def main(before: str) -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor
    from django.utils import timezone

    from annotation.models import Assignment
    from annotation.work.worker_views import assignment_for
    from writing.models import LogChunk

    executor = MigrationExecutor(connection)
    executor.migrate([("annotation", before)])
    old = executor.loader.project_state([("annotation", before)]).apps
    now = timezone.now()
    corpus = old.get_model("annotation", "Corpus").objects.create(slug="c", name="c")
    study = old.get_model("annotation", "Study").objects.create(
        slug="s", title="S", kind="judging", corpus=corpus, seed=1
    )
    batch = old.get_model("annotation", "Batch").objects.create(study=study, number=1, name="b")
    task = old.get_model("annotation", "Task").objects.create(batch=batch, number=1, quota=9)
    for token in sys.argv[2:]:
        worker = old.get_model("annotation", "Worker").objects.create(
            platform="link", external_hash=token, external_id=b"", pseudonym=token
        )
        work = old.get_model("annotation", "Assignment").objects.create(
            task=task,
            study=study,
            worker=worker,
            token=token,
            external_id=f"{token} at Prolific",
            arrived_at=now,
            expires_at=now,
        )
        old.get_model("annotation", "LogChunk").objects.create(
            assignment=work,
            data=token.encode(),
            number=1,
            first_seq=1,
            last_seq=1,
            first_ms=0,
            last_ms=0,
            log_bytes=1,
            received_at=now,
        )
    call_command("migrate", verbosity=0)
    found = [assignment_for(token).worker.pseudonym for token in sys.argv[2:]]
    told = [each.token for each in Assignment.objects.all()]
    submissions = [each.submission for each in Assignment.objects.all()]
    logs = [bytes(each.data).decode() for each in LogChunk.objects.all()]
    executor = MigrationExecutor(connection)
    executor.migrate([("annotation", before)])
    logs += [bytes(e.data).decode() for e in old.get_model("annotation", "LogChunk").objects.all()]
    rows = old.get_model("annotation", "Assignment").objects.order_by("pk")
    back = list(rows.values_list("token", flat=True))
    submissions += rows.values_list("external_id", flat=True)
    sys.stdout.write(
        json.dumps(
            {
                "found": found,
                "told": told,
                "back": back,
                "submissions": submissions,
                "logs": logs,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
