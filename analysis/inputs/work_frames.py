"""The work of a study as a data frame: pay, times and results.

Columns of `work` (one row an assignment that counts or is paid, by id):

| column | meaning |
|---|---|
| assignment | id |
| worker | pseudonym |
| state | of the assignment |
| seconds | of active time (annotation.studies.wages); NaN where that is not known |
| whole | whether nothing was recorded in between, so that the whole time counts as active |
| elapsed | seconds from consent to handing in; NaN where that is not known (imported work) |
| pay | what it costs, without fees |
| target | the wage an hour that the study aims at |
| judgments | answers that count; 0 of work that does not count |
| labels | gold labels (items x questions) whose first vote is of this assignment |
| responses | responses first judged in it, or written: 1 for a text that counts |
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd
from django.db.models import Count, Min
from django.db.models.functions import Coalesce

from analysis.inputs.frozen_work import FrozenWork, costing
from annotation.models import Assignment, Batch, Study
from annotation.studies.active_time import active_times
from judging.models import Item, ItemSlot, Judgment

WORK = (
    "assignment", "worker", "state", "seconds", "whole", "elapsed", "pay", "target", "judgments",
    "labels", "responses",
)  # fmt: skip


def work(
    *, study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> pd.DataFrame:
    """Return the work that counts, and other work that is paid; columns as above.

    Submitted work is taken for paid until it is rejected. Rejected work costs if it is paid all the
    same, withdrawn work if it had been accepted before. `frozen` work is taken as it was.
    """
    rows = costing(study, batch)
    if frozen is not None:
        rows = Assignment.objects.filter(pk__in=frozen.costing).order_by("pk")
    frame = pd.DataFrame.from_records(
        rows.values_list(
            "pk",
            "worker__pseudonym",
            "state",
            "started_at",
            "submitted_at",
            Coalesce("task__batch__pay", "study__pay"),
        ),
        columns=["assignment", "worker", "state", "started", "submitted", "pay"],
    )
    counting = frame["state"].isin(Assignment.COUNTING)
    if frozen is not None:
        counting = frame["assignment"].isin(frozen.counting)
    spans = pd.to_datetime(frame["submitted"], utc=True) - pd.to_datetime(
        frame["started"], utc=True
    )
    elapsed = spans.dt.total_seconds().astype(float)
    frame["elapsed"] = elapsed.where(elapsed > 0)
    active = active_times(study)
    seconds = frame["assignment"].map(
        {pk: active_seconds.seconds for pk, active_seconds in active.items()}
    )
    frame["seconds"] = seconds.astype(float).where(seconds > 0)
    frame["whole"] = frame["assignment"].isin(
        [pk for pk, active_seconds in active.items() if active_seconds.whole]
    )
    frame["pay"] = frame["pay"].astype(float)
    frame["target"] = float(study.hourly_wage)
    for name, brought in _brought(study, frozen).items():
        frame[name] = frame["assignment"].map(brought).fillna(0).astype(int) * counting
    return frame[list(WORK)]


def _brought(study: Study, frozen: FrozenWork | None) -> dict[str, dict[int, int]]:
    """Return the number of additions of each assignment that counts: column -> id -> number."""
    counting = Assignment.objects.counting().filter(study=study)
    if frozen is not None:
        counting = Assignment.objects.filter(pk__in=frozen.counting)
    if study.kind == Study.Kind.WRITING:
        written = dict.fromkeys(counting.values_list("pk", flat=True), 1)
        return {"judgments": {}, "labels": {}, "responses": written}
    judgments = Judgment.objects.filter(assignment__in=counting).exclude(raw="").order_by()
    checks = Item.every.filter(study=study, check_of__isnull=False)
    judgments = judgments.exclude(item__in=checks)
    per = judgments.values_list("assignment").annotate(n=Count("pk"))
    labels = judgments.values("item", "question").annotate(first=Min("assignment"))
    shown = ItemSlot.objects.filter(item__judgments__assignment__in=counting).order_by()
    shown = shown.filter(item__check_of=None)
    responses = (
        shown.filter(response__isnull=False)
        .values("response")
        .annotate(first=Min("item__judgments__assignment"))
    )
    return {"judgments": dict(per), "labels": _firsts(labels), "responses": _firsts(responses)}


def _firsts(rows: Iterable[dict[str, Any]]) -> dict[int, int]:
    return Counter(row["first"] for row in rows)
