"""A questionnaire that was answered before a redo, of the days before a trigger guarded what it
said and before a redo could lapse (`tests.earlier`)."""

from typing import Any

BEFORE = [("annotation", "0049_people_introduce_themselves")]
BEFORE.append(("judging", "0022_raters_are_of_a_team"))
TODAY = [("annotation", "0050_a_redo_that_ran_out_waits_again")]
TODAY.append(("judging", "0023_what_was_kept_of_a_redo_is_never_changed"))
PAIRS = "pairs"  # the study of tests.judging.older_studies, whose work was handed in


def fill(old: Any) -> dict[str, Any]:
    from django.utils import timezone

    now = timezone.now()
    work = old.get_model("annotation", "Assignment").objects.get(study__slug=PAIRS)
    asked = old.get_model("annotation", "ReviewDecision").objects.create(
        assignment=work, decision="redo", reason="Too fast.", reviewer="rita", decided_at=now
    )
    old.get_model("judging", "AnswersBefore").objects.create(
        assignment=work, decision=asked, submitted_at=now, answers=[{"raw": "a"}]
    )
    return {"before": stored(old)}


def stored(models: Any) -> dict[str, Any]:
    return {
        "answers": list(models.get_model("judging", "AnswersBefore").objects.values()),
        "decisions": list(
            models.get_model("annotation", "ReviewDecision")
            .objects.order_by("pk")
            .values_list("decision", "reason", "reviewer")
        ),
    }


def change(models: Any) -> str:
    """Change what was answered, and undo it: why it is refused, or nothing."""
    from django.db import DatabaseError, transaction

    try:
        with transaction.atomic():
            models.get_model("judging", "AnswersBefore").objects.update(remarks={"1": "Other."})
            transaction.set_rollback(True)
    except DatabaseError as error:
        return str(error)
    return ""


def today() -> dict[str, Any]:
    from django.apps import apps
    from django.utils import timezone

    from annotation.models import Assignment, ReviewDecision

    ReviewDecision.objects.create(
        assignment=Assignment.objects.get(study__slug=PAIRS),
        decision=ReviewDecision.Decision.LAPSED,
        reviewer="rule: redo",
        decided_at=timezone.now(),
    )
    return {"today": stored(apps), "refused": change(apps)}


def back(old: Any) -> dict[str, Any]:
    """Back, there once more, and back; then the rows go: what lies before knows nothing of them."""
    from tests.earlier import models_of

    found = {"back": stored(old), "taken": change(old)}
    again = models_of(TODAY)
    found |= {"again": stored(again), "refused_again": change(again)}
    old = models_of(BEFORE)
    found["back_again"] = stored(old)
    old.get_model("judging", "AnswersBefore").objects.all().delete()
    old.get_model("annotation", "ReviewDecision").objects.all().delete()
    return found
