"""The reviewer's pages: the works of a writing study, and one work with its replay."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_GET, require_POST

from annotation import reviewing
from annotation.collecting import events_of
from annotation.models import Assignment, ReviewDecision, Study
from writing import works
from writing.playback import playback as playback_of
from writing.replay import BrokenLog

Decision = ReviewDecision.Decision
DONE = {
    Decision.ACCEPT: "Accepted",
    Decision.REJECT: "Rejected",
    Decision.REJECT_BUT_PAY: "Rejected, but paid",
    Decision.REDO: "Given back to be redone",
}


def _study(slug: str, version: int) -> Study:
    found = Study.objects.select_related("corpus").filter(kind=Study.Kind.WRITING)
    return get_object_or_404(found, slug=slug, version=version)


def _work(study: Study, pk: int) -> Assignment:
    return get_object_or_404(works.works_of(study), pk=pk)


def _listing(request: HttpRequest) -> str:
    """The name of the list that a reviewer goes through."""
    name = request.GET.get("list", "waiting")
    return name if name in works.LISTS else "all"


def _address(study: Study, pk: int | None, name: str) -> str:
    """Of a work in a list, or without one of the list itself."""
    place = [study.slug, study.version]
    address = reverse("review_work", args=[*place, pk]) if pk else reverse("review", args=place)
    return f"{address}?{urlencode({'list': name})}" if name != "waiting" else address


@login_required
@require_GET
def queue(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The works of a list, the oldest submission first."""
    study, name = _study(slug, version), _listing(request)
    rows = [
        {
            "work": work,
            "topic": work.task.writing_task.topic,
            "style": work.task.writing_task.get_style_display(),
            "words": len(work.writing.text.split()),
            "seconds": taken.total_seconds() if (taken := works.time_taken(work)) else None,
            "address": _address(study, work.pk, name),
        }
        for work in works.listed(study, name)
    ]
    counts = works.counts_of(study)
    tabs = [{"name": works.NAMES[each], "key": each, "count": counts[each]} for each in works.LISTS]
    tabs.append({"name": "All", "key": "all", "count": sum(counts.values())})
    context = {"study": study, "rows": rows, "tabs": tabs, "list": name}
    return render(request, "console/review.html", context)


@login_required
@require_GET
def one(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """One work: replay, evidence, forms, earlier decisions, and the decision to be made."""
    study, name = _study(slug, version), _listing(request)
    work = _work(study, pk)
    beside = works.neighbours(list(works.listed(study, name).values_list("pk", flat=True)), pk)
    context: dict[str, Any] = {
        "study": study,
        "work": work,
        "writing": work.writing,
        "task": work.task.writing_task,
        "words": len(work.writing.text.split()),
        "taken": works.time_taken(work),
        "passages": works.passages_of(work),
        "entry": works.answers(study.entry_form, work.entry_answers),
        "exit": works.answers(study.exit_form, work.exit_answers),
        "decisions": works.decisions_of(work),
        "decidable": work.state in reviewing.DECIDABLE,
        "is_waiting": work.state == Assignment.State.SUBMITTED,
        "list": name,
        "list_name": works.NAMES.get(name, "All"),
        "list_address": _address(study, None, name),
        "beside": beside,
        "before": beside.before and _address(study, beside.before, name),
        "after": beside.after and _address(study, beside.after, name),
    }
    return render(request, "console/review_work.html", context)


@login_required
@require_GET
def playback(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """What the player needs; 409 with a sentence where the log cannot be played."""
    work = _work(_study(slug, version), pk)
    events = events_of(work)
    if not events:
        return JsonResponse({"fault": "Nothing was recorded of this work."}, status=409)
    try:
        played = playback_of(events, [each.text for each in works.passages_of(work)])
    except BrokenLog as error:
        return JsonResponse({"fault": str(error)}, status=409)
    return HttpResponse(played.as_json(), content_type="application/json")


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Decide, and go on with the next work that waits."""
    study, name = _study(slug, version), _listing(request)
    work = _work(study, pk)
    waiting = list(works.listed(study, "waiting").values_list("pk", flat=True))
    try:
        made = reviewing.decide(
            assignment=work,
            decision=request.POST.get("decision", ""),  # type: ignore[arg-type]
            reviewer=request.user.get_username(),
            reason=request.POST.get("reason", "").strip(),
            now=timezone.now(),
        )
    except reviewing.CannotReview as error:
        messages.error(request, str(error))
        return redirect(_address(study, pk, name))
    said = "{}: {} on “{}”. <a href='{}'>Look again</a>"
    topic = work.task.writing_task.topic
    address = _address(study, pk, "all")
    done = DONE[Decision(made.decision)]
    messages.success(request, format_html(said, done, work.worker, topic, address))
    return redirect(
        _address(study, works.following(waiting, pk), "waiting") if pk in waiting else address
    )
