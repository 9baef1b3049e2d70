"""How long judges were at work: from item to item. Only reads."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Max

from annotation.models import Assignment, Study
from annotation.studies.wages import Active, active_time
from judging.models import Judgment

GAP = timedelta(minutes=10)  # longer than anybody reads two texts and answers


def active_times(study: Study, *, only: Collection[int] | None = None) -> dict[int, Active]:
    """From consent over the last answer on each page to handing in; no gap counts more than
    GAP."""
    moments: dict[int, list[datetime]] = defaultdict(list)
    works = Assignment.objects.filter(study=study)
    items = Judgment.objects.filter(assignment__study=study).order_by()
    if only is not None:
        works, items = works.filter(pk__in=only), items.filter(assignment__in=only)
    pages = items.values_list("assignment", "item", "question__instrument")
    for assignment, *_, at in pages.annotate(at=Max("answered_at")):
        moments[assignment].append(at)
    return {
        pk: active_time([started, *moments[pk], submitted], gap=GAP)
        for pk, started, submitted in works.values_list("pk", "started_at", "submitted_at")
        if started is not None and submitted is not None
    }
