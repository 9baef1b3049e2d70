"""The reviewer's page of a judging study: who handed in what, what was marked, and the decision."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation import access
from annotation.access import Act
from annotation.console import paging
from annotation.models import Assignment, ReviewDecision, Study
from annotation.review import reviewing
from judging.review import examining
from judging.review.acting import proposals_of
from judging.review.evidence import Mark
from judging.review.held import HELD

Decision = ReviewDecision.Decision
State = Assignment.State
WORKS_A_PAGE = 50
LISTS = {
    "held": ("Held", HELD),
    "all": ("All", Q()),
    "decided": ("Decided", Q(state__in=[State.ACCEPTED, State.REJECTED])),
}
DONE = {
    Decision.ACCEPT: "Accepted",
    Decision.REJECT: "Rejected",
    Decision.REJECT_BUT_PAY: "Rejected, but paid",
}


def _study(request: HttpRequest, slug: str, version: int, may: Act) -> Study:
    kind = Study.Kind.JUDGING
    return access.study_for(request.user, slug=slug, version=version, may=may, kind=kind)


def submissions_of(study: Study) -> QuerySet[Assignment]:
    """The questionnaires that were handed in, the oldest first."""
    rows = Assignment.objects.filter(study=study, state__in=examining.HANDED_IN)
    return rows.order_by("submitted_at", "pk")


def _name(asked: str) -> str:
    return asked if asked in LISTS else "held"


@login_required
@require_GET
def queue(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The questionnaires of a list with their evidence, a page at a time."""
    study = _study(request, slug, version, Act.VIEW)
    name, sought = _name(request.GET.get("list", "held")), paging.sought(request)
    rows = submissions_of(study).filter(LISTS[name][1])
    if sought:
        rows = rows.filter(worker__pseudonym__icontains=sought)
    decisions = Prefetch("decisions", ReviewDecision.objects.order_by("-pk"))
    rows = rows.select_related("study", "worker", "examination", "task__batch")
    rows = rows.prefetch_related(decisions)
    page = paging.page_of(rows, request, rows_a_page=WORKS_A_PAGE)
    context = {
        "study": study,
        "page": page,
        "rows": [_row(work) for work in page.object_list],
        "tabs": _tabs(study, name),
        "list": name,
        "q": sought,
        "kept": [("list", name)],
        "query": request.GET.urlencode(),
    }
    return render(request, "console/judged.html", context)


def _row(work: Assignment) -> dict[str, Any]:
    seen = getattr(work, "examination", None)
    decisions = list(work.decisions.all())
    return {
        "work": work,
        "seconds": seen.seconds if seen else None,
        "answers": seen.answers if seen else None,
        "sentences": [
            *(Mark(**mark).sentence for mark in seen.marks),
            *proposals_of(work.study, seen.marks),
        ]
        if seen
        else [],
        "is_examined": seen is not None,
        "last": decisions[0] if decisions else None,
        "is_waiting": work.state == State.SUBMITTED,
    }


def _tabs(study: Study, name: str) -> list[dict[str, Any]]:
    asked = {key: Count("pk", filter=chosen) for key, (_, chosen) in LISTS.items() if chosen}
    counts = submissions_of(study).aggregate(all=Count("pk"), **asked)
    return [
        {
            "name": title,
            "count": counts[key],
            "address": f"?{urlencode({'list': key})}",
            "is_current": key == name,
        }
        for key, (title, _) in LISTS.items()
    ]


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Accept, reject, or reject but pay; then back to where it was decided.

    There is no redo of judgments: a worker who has seen the texts would not begin afresh.
    """
    study = _study(request, slug, version, Act.REVIEW)
    work = get_object_or_404(submissions_of(study), pk=pk)
    decision = request.POST.get("decision", "")
    try:
        if decision not in DONE:
            raise reviewing.CannotReview(f"“{decision[:50]}” is no decision on judgments.")
        with transaction.atomic():
            made = reviewing.decide(
                assignment=work,
                decision=Decision(decision),
                reviewer=request.user.get_username(),
                reason=request.POST.get("reason", "").replace("\x00", "").strip(),
                now=timezone.now(),
            )
            said = f"{DONE[Decision(made.decision)]}: {work.worker}"
            access.record(user=request.user, act="decided on work", what=said, of=study)
    except reviewing.CannotReview as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{said}.")
    if request.GET.get("back") == "work":  # decided on the page of the work itself
        return redirect("assignment_page", slug, version, pk)
    address = reverse("judged", args=[slug, version])
    query = request.GET.urlencode()
    return redirect(f"{address}?{query}" if query else address)
