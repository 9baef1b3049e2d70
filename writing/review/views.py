"""The reviewer's pages: the works of a writing study, and one work with its replay."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from annotation.clock import database_now
from annotation.console.shown_texts import texts_of
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.platform_states import state_of
from annotation.lists import ListQuery, QueryParameter, parameters_in, with_query
from annotation.models import Assignment, ReviewDecision, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.sentences import marked
from annotation.texts.translation import translated, translated_error
from writing.log.collecting import events_of
from writing.log.redos import redo_starts
from writing.models import PackedLog, ProcessRecord
from writing.process import measured, measuring
from writing.process.replay import BrokenLog
from writing.replay.playback import playback as playback_of
from writing.review import submissions, terms

Decision = ReviewDecision.Decision
DONE = {
    Decision.ACCEPT: marked("Approved"),
    Decision.REJECT: marked("Rejected"),
    Decision.REJECT_BUT_PAY: marked("Rejected but paid"),
    Decision.REDO: marked("Changes requested"),
}


def _study(request: HttpRequest, slug: str, version: int, may: Act = Act.VIEW) -> Study:
    kind = Study.Kind.WRITING
    return access.study_for(request.user, slug=slug, version=version, may=may, kind=kind)


def _work(study: Study, pk: int) -> Assignment:
    return get_object_or_404(submissions.submissions_of(study), pk=pk)


PARAMETERS = (
    QueryParameter("list", "waiting", submissions.LISTS, other="all"),
    QueryParameter("order", "oldest", ("evidence", "onboarding")),
    QueryParameter("q"),
)


def _pks(study: Study, query: ListQuery) -> list[int]:
    """Return all works of a list in its order: a reviewer goes on from page to page."""
    rows = submissions.listed(study, query["list"], query["q"])
    if query["order"] == "onboarding":
        pairs = rows.values_list("pk", "task__batch__onboarding")
        return [pk for pk, _ in sorted(pairs, key=lambda pair: not pair[1])]
    pks = list(rows.values_list("pk", flat=True))
    by_evidence = query["order"] == "evidence"
    return measured.by_evidence(pks, measured.ranks_of(study)) if by_evidence else pks


def _address(study: Study, query: ListQuery, pk: int | None = None) -> str:
    """Return the address of a work in this list, or of the list."""
    place = [study.slug, study.version]
    path = reverse("review_work", args=[*place, pk]) if pk else reverse("review", args=place)
    return with_query(path, query.given)


@login_required
@require_GET
def one(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """One work: replay, evidence, forms, earlier decisions, and the decision to be made."""
    study = _study(request, slug, version)
    query, work = ListQuery.parse(PARAMETERS, parameters_in(request)), _work(study, pk)
    beside = submissions.neighbours(_pks(study, query), pk)
    context: dict[str, Any] = {
        "study": study,
        "work": work,
        "writing": work.writing,
        "task": work.task.writing_task,
        "asked": [*map(translated, terms.marks_of(work))],
        "taken": submissions.time_taken(work),
        "passages": work.task.writing_task.passages,
        "texts": texts_of(study, request),
        "entry": submissions.answers(study.entry_form, work.entry_answers),
        "exit": submissions.answers(study.exit_form, work.exit_answers),
        "decisions": submissions.decisions_of(work),
        "platform": state_of(work),
        "decidable": work.state in reviewing.DECIDABLE,
        "onboarding": submissions.onboarding_places(study).get(pk),
        "is_waiting": work.state == Assignment.State.SUBMITTED,
        "query": query.query,
        "list_name": submissions.NAMES.get(query["list"], "All"),
        "list_address": _address(study, query),
        "beside": beside,
        "before": beside.before and _address(study, query, beside.before),
        "after": beside.after and _address(study, query, beside.after),
    }
    return render(request, "console/review_work.html", context)


@login_required
@require_GET
def playback(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Return the data of the player; 409 with a sentence if the log cannot be played."""
    work = _work(_study(request, slug, version), pk)
    events = events_of(work)
    if not events:
        return JsonResponse({"fault": "This submission has no recording."}, status=409)
    try:
        passages = [passage.text for passage in work.task.writing_task.passages]
        played = playback_of(events, passages, redone=redo_starts(work, events))
    except BrokenLog as error:
        return JsonResponse({"fault": translated_error(error)}, status=409)
    return HttpResponse(played.as_json(), content_type="application/json")


def _caution(record: ProcessRecord | None, *, of_snapshots: bool) -> str:
    if record is None or record.fault:
        return ""
    return measured.caution(record, of_snapshots=of_snapshots)


@login_required
@require_GET
def evidence(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show measures and flags of a submission, and measure it now if needed."""
    work = _work(_study(request, slug, version), pk)
    record = measuring.measure_now(assignment=work, now=database_now())
    others = measured.others_of(work) if record else []
    snapshots = PackedLog.objects.filter(assignment=work, source="snapshots").exists()
    context = {
        "rows": measured.rows_of(record, others) if record else [],
        "flags": measured.flags_of(record, others) if record else [],
        "caution": _caution(record, of_snapshots=snapshots),
        "fault": record.fault if record else "",
        "snapshots": snapshots,
    }
    return render(request, "console/_evidence_rows.html", context)


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Decide, and go on with the next work that waits."""
    study = _study(request, slug, version, Act.REVIEW)
    query, work = ListQuery.parse(PARAMETERS, parameters_in(request)), _work(study, pk)
    waiting = query.replace(list="waiting")
    pks = _pks(study, waiting)
    try:
        with transaction.atomic():
            made = reviewing.decide(
                assignment=work,
                decision=request.POST.get("decision", ""),  # type: ignore[arg-type]
                reviewer=request.user.get_username(),
                reason=request.POST.get("reason", "").strip(),
                now=database_now(),
            )
            done, topic = DONE[Decision(made.decision)], work.task.writing_task.topic
            name = f"{done}: {work.worker} on “{topic}”"
            access.record(user=request.user, act="reviewed submissions", what=name, of=study)
    except reviewing.CannotReview as error:
        messages.error(request, translated_error(error))
        return redirect(_address(study, query, pk))
    message = gettext("{done}: {worker} on “{topic}”. {link}")
    again = _address(study, ListQuery.parse(PARAMETERS, {"list": "all"}), pk)
    link = format_html("<a href='{}'>{}</a>", again, gettext("Open submission"))
    about = {"done": gettext(done), "worker": work.worker, "topic": topic, "link": link}
    messages.success(request, format_html(message, **about))
    following = submissions.following(pks, pk) if pk in pks else None
    return redirect(_address(study, waiting, following) if pk in pks else again)
