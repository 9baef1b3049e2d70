"""Work of each method of a study: submissions, minutes, pay and comments. Only reads.

Columns of `method_work` (one row a method): method (key of the instrument), submissions, minutes
(active ones, summed; NaN if unknown), pages, page_seconds (median from the page to its last
answer), judgments, pay (summed, without fees), comments (on pages and answers). Pages of checks do
not count. A submission with several methods is divided by the time of their pages.
"""

import pandas as pd
from django.db.models import Count, Max, Q

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.work_frames import work
from annotation.models import Assignment, Batch, Study
from judging.models import Item, Judgment, Presentation

METHOD_WORK = (
    "method", "submissions", "minutes", "pages", "page_seconds", "judgments", "pay", "comments",
)  # fmt: skip
LEFT = (Assignment.State.RETURNED, Assignment.State.EXPIRED, Assignment.State.WITHDRAWN)


def method_work(study: Study, batch: Batch | None, frozen: FrozenWork) -> pd.DataFrame:
    """Return the counting work per method, with the columns METHOD_WORK."""
    pages = _pages(study, frozen)
    if pages.empty:
        return pd.DataFrame(columns=list(METHOD_WORK))
    weight = pages["ms"].where(pages.groupby("assignment")["ms"].transform("min") > 0, 1.0)
    pages = pages.assign(weight=weight)
    parts = pages.groupby(["assignment", "method"], sort=False)["weight"].sum().reset_index()
    parts["share"] = parts["weight"] / parts.groupby("assignment")["weight"].transform("sum")
    paid = work(study=study, batch=batch, frozen=frozen).set_index("assignment")
    of_work = paid.reindex(parts["assignment"])
    parts["minutes"] = parts["share"] * of_work["seconds"].to_numpy() / 60
    parts["pay"] = parts["share"] * of_work["pay"].to_numpy()
    by_method = parts.groupby("method", sort=True)
    pages_by_method = pages.groupby("method", sort=True)
    frame = pd.DataFrame(
        {
            "submissions": by_method["assignment"].nunique(),
            "minutes": by_method["minutes"].sum(min_count=1),
            "pages": pages_by_method.size(),
            "page_seconds": pages_by_method["ms"].median() / 1000,
            "judgments": pages_by_method["answers"].sum(),
            "pay": by_method["pay"].sum(),
            "comments": pages_by_method["comments"].sum() + _on_pages(frozen),
        }
    )
    frame["comments"] = frame["comments"].fillna(pages_by_method["comments"].sum())
    return frame.rename_axis("method").reset_index()[list(METHOD_WORK)]


def _pages(study: Study, frozen: FrozenWork) -> pd.DataFrame:
    """Return one row per judged page: assignment, item, method, ms, answers, comments."""
    answers = Judgment.objects.filter(assignment__in=frozen.counting).exclude(raw="")
    answers = answers.exclude(item__in=Item.every.filter(study=study, check_of__isnull=False))
    rows = answers.order_by("assignment", "item").values_list(
        "assignment", "item", "question__instrument__key"
    )
    counts = {"answers": Count("pk"), "comments": Count("pk", ~Q(comment=""))}
    return pd.DataFrame.from_records(
        rows.annotate(ms=Max("milliseconds"), **counts),
        columns=["assignment", "item", "method", "ms", "answers", "comments"],
    ).astype({"ms": float})


def _on_pages(frozen: FrozenWork) -> "pd.Series[int]":
    pages = Presentation.objects.filter(assignment__in=frozen.counting, item__check_of=None)
    rows = (
        pages.exclude(comment="").order_by().values_list("instrument__key").annotate(n=Count("pk"))
    )
    return pd.Series(dict(rows), dtype="int64")


def arms_left(study: Study, batch: Batch | None) -> dict[str, tuple[int, int]]:
    """Return, per arm, how many participants consented and how many left without submitting."""
    begun = Assignment.objects.filter(study=study, started_at__isnull=False).exclude(task__arm="")
    if batch is not None:
        begun = begun.filter(task__batch=batch)
    rows = begun.order_by().values_list("task__arm")
    counted = rows.annotate(begun=Count("pk"), left=Count("pk", Q(state__in=LEFT)))
    return {arm: (agreed, left) for arm, agreed, left in counted}
