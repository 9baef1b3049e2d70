"""Counts of answers by rater."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Assignment, Study
from judging.models import Judgment, MachineJudge, Rater

NOTHING = {"answers": 0, "items": 0, "imported": 0}


def _answers(study: Study) -> "QuerySet[Judgment]":
    """Return judgments of submissions that count, and imported labels."""
    counting = Q(assignment__state__in=Assignment.COUNTING) | Q(assignment=None)
    return Judgment.objects.filter(counting, item__study=study, raw__gt="").order_by()


def raters_of(study: Study) -> "QuerySet[Rater]":
    """Return models and experts first, then the crowd."""
    theirs = _answers(study).filter(rater=OuterRef("pk"))
    return Rater.objects.filter(Exists(theirs)).order_by("-kind", "pseudonym")


def counted(study: Study, raters: Iterable[Rater]) -> list[Any]:
    """Return the raters of a page with their counts, which are too slow for all raters."""
    shown: list[Any] = list(raters)
    counts = (
        _answers(study)
        .filter(rater__in=shown)
        .values("rater")
        .annotate(
            answers=Count("pk"),
            items=Count("item", distinct=True),
            imported=Count("pk", filter=Q(assignment=None)),
        )
    )
    by_rater = {row["rater"]: row for row in counts}
    for rater in shown:
        row = by_rater.get(rater.pk, NOTHING)  # taken out meanwhile
        rater.answers, rater.items, rater.imported = row["answers"], row["items"], row["imported"]
    models = [rater for rater in shown if rater.kind == Rater.Kind.MODEL]
    judges = MachineJudge.objects.filter(study=study, rater__in=models).select_related("prompt")
    judge_of = {judge.rater_id: judge for judge in judges} if models else {}
    for model in models:
        judge = judge_of.get(model.pk)
        model.judge = judge and judge.pk
        model.prompt = str(judge.prompt) if judge else model.prompt_version
    return shown
