"""Many writers at work in a database of their own: `python -m tests.writing.editor.crowd 50`.

Makes the tables and prints the tokens, one a line. For tests and benchmarks that start a server
of their own; this process's settings say which.
"""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parents[3]


def gather(number: int, environment: dict[str, str]) -> list[str]:
    """Return the tokens of so many active writers in the database that the environment names."""
    command = [sys.executable, "-m", "tests.writing.editor.crowd", str(number)]
    answer = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return answer.stdout.split()


def make(number: int) -> list[str]:
    from django.core.management import call_command
    from django.utils import timezone

    from annotation.models import Assignment, Worker
    from tests.cast import writing_study
    from writing.models import Writing

    call_command("migrate", verbosity=0)
    study, now = writing_study(), timezone.now()
    task = study.batches.get().tasks.get()
    workers = Worker.objects.bulk_create(
        Worker(platform="test", external_hash=str(at), external_id=b"", pseudonym=f"writer {at}")
        for at in range(number)
    )
    assignments = Assignment.objects.bulk_create(
        Assignment(
            task=task, study=study, worker=worker, state="active", arrived_at=now, started_at=now,
            expires_at=now + timedelta(hours=2),
        )
        for worker in workers
    )  # fmt: skip
    Writing.objects.bulk_create(
        Writing(assignment=assignment, acknowledged_at=now) for assignment in assignments
    )
    return [assignment.token for assignment in assignments]


if __name__ == "__main__":
    django.setup()
    sys.stdout.write("\n".join(make(int(sys.argv[1]))))
