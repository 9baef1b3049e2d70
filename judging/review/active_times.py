"""Active time of judges, from item to item.

A submission does not change, so it is measured once and stored (Examination, by `examining`):
otherwise every page about a study would read all its answers.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import Case, F, Max, Q, When

from annotation.models import Assignment, Study
from annotation.studies.wages import ActiveTime, active_time
from judging.models import AnswersBefore, Judgment

GAP = timedelta(minutes=10)  # longer than anybody reads two texts and answers
# What was measured of work that was handed in again since is not of it.
KEPT = Q(examination__submitted_at=F("submitted_at"), examination__active_seconds__isnull=False)
Span = tuple[datetime, datetime]  # from consent to handing in


def active_times(study: Study, *, only: Collection[int] | None = None) -> dict[int, ActiveTime]:
    """Return the active time of each submission, stored or measured now."""
    works = Assignment.objects.filter(study=study)
    if only is not None:
        works = works.filter(pk__in=only)
    # Moments are read where they are measured alone: for thousands they take most of the time.
    begun = works.filter(started_at__isnull=False, submitted_at__isnull=False)
    seconds = Case(When(KEPT, then="examination__active_seconds"))
    span = [Case(When(KEPT, then=None), default=at) for at in ("started_at", "submitted_at")]
    times, open_ones = {}, {}
    for pk, kept, whole, started, submitted in begun.values_list(
        "pk", seconds, "examination__active_whole", *span
    ):
        if kept is not None:
            times[pk] = ActiveTime(kept, whole)
        else:
            open_ones[pk] = (started, submitted)
    return times | measured(open_ones)


def measured(spans: dict[int, Span]) -> dict[int, ActiveTime]:
    """Return the active times: consent to submission, with gaps of at most GAP between pages."""
    answered = _with_before(_answered(spans), spans) if spans else {}
    return {pk: active_time([*span, *answered.get(pk, ())], gap=GAP) for pk, span in spans.items()}


def _answered(works: Iterable[int]) -> Mapping[int, Sequence[datetime]]:
    """Return the times of the last answer on each page, by assignment; unordered."""
    moments: dict[int, list[datetime]] = defaultdict(list)
    rows = Judgment.objects.filter(assignment__in=list(works)).order_by()
    pages = rows.values_list("assignment", "item", "question__instrument")
    for assignment, *_, at in pages.annotate(at=Max("answered_at")):
        moments[assignment].append(at)
    return moments


def _with_before(
    said: Mapping[int, Sequence[datetime]], works: Iterable[int]
) -> dict[int, list[datetime]]:
    """Add the times of answers before a redo."""
    moments = defaultdict(list, {pk: [*spans] for pk, spans in said.items()})
    for answers_before in AnswersBefore.objects.filter(assignment__in=list(works)):
        moments[answers_before.assignment_id] += _answered_before(answers_before)
    return moments


def away(work: Assignment) -> timedelta:
    """Return the time between a submission and its continuation, or its unchanged resubmission."""
    earlier = list(AnswersBefore.objects.filter(assignment=work).select_related("decision"))
    if not earlier or work.submitted_at is None:
        return timedelta()
    moments = [work.submitted_at, *(submission.submitted_at for submission in earlier)]
    moments += Judgment.objects.filter(assignment=work).values_list("answered_at", flat=True)
    for earlier_redo in earlier:
        moments += _answered_before(earlier_redo)
    lay = timedelta()
    for earlier_redo in earlier:
        asked_at = earlier_redo.decision.decided_at
        if work.submitted_at < asked_at:
            continue  # nobody handed it in since: what lay is no part of the time until then
        left = max(at for at in moments if at <= asked_at)
        lay += min(at for at in moments if at >= asked_at) - left
    return lay


def _answered_before(kept: AnswersBefore) -> list[datetime]:
    """Return the times of pages before a redo, also of pages that were answered again."""
    last: dict[int, datetime] = {}
    for answer in kept.answers:
        at = datetime.fromisoformat(answer["answered_at"])
        last[answer["item"]] = max(at, last.get(answer["item"], at))
    return [*last.values(), kept.submitted_at]
