"""Addresses and logs of the days when links stood in the database (`tests.earlier`)."""

from typing import Any

BEFORE = [("annotation", "0008_codes_may_be_personal")]
LINKS = ["Zm9v-YmFy_abcdefgh1234", "-" * 22, "short"]
STUDY = "of the old links"


def fill(old: Any) -> dict[str, Any]:
    from django.utils import timezone

    now = timezone.now()
    corpus = old.get_model("annotation", "Corpus").objects.create(slug="c", name="c")
    study = old.get_model("annotation", "Study").objects.create(
        slug=STUDY, title="S", kind="judging", corpus=corpus, seed=1
    )
    batch = old.get_model("annotation", "Batch").objects.create(study=study, number=1, name="b")
    task = old.get_model("annotation", "Task").objects.create(batch=batch, number=1, quota=9)
    for token in LINKS:
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
    return {}


def today() -> dict[str, Any]:
    from annotation.models import Assignment
    from annotation.work.worker_views import assignment_for
    from writing.models import LogChunk

    works = Assignment.objects.filter(study__slug=STUDY).order_by("pk")
    return {
        "found": [assignment_for(token).worker.pseudonym for token in LINKS],
        "told": [each.token for each in works],
        "submissions": [each.submission for each in works],
        "logs": logs(LogChunk),
    }


def back(old: Any) -> dict[str, Any]:
    works = old.get_model("annotation", "Assignment").objects.filter(study__slug=STUDY)
    return {
        "told_again": list(works.order_by("pk").values_list("token", flat=True)),
        "submitted_again": list(works.order_by("pk").values_list("external_id", flat=True)),
        "logs_again": logs(old.get_model("annotation", "LogChunk")),
    }


def logs(model: Any) -> list[str]:
    return [bytes(each.data).decode() for each in model.objects.order_by("pk")]
