"""Views of the review queue, of the panel of one submission, and of decisions."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from analysis.pages.entities.assignments import last_decisions, works_of
from analysis.pages.entities.flags import middle_of
from analysis.pages.entities.names import work_name
from analysis.pages.review import panel as panels
from analysis.pages.review import queued_work
from analysis.pages.review.queue_order import GROUPS, QueuedWork, title_of
from analysis.pages.review.queued_work import SORTS, STATES, QueueView, queue_query
from annotation.clock import database_now
from annotation.fieldwork.review import effects, reviewing, saving_views, undoing
from annotation.fieldwork.review.platform_states import gone_among
from annotation.lists import (
    ListQuery,
    ListSelect,
    page_of,
    parameters_in,
    parameters_of,
    with_query,
)
from annotation.models import ReviewAct, ReviewDecision, SavedView, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check, only_looked_at
from annotation.refusals import Refusal
from annotation.studies.active_time import active_times
from annotation.texts.translation import translated_error
from writing.review.submissions import onboarding_places

Decision = ReviewDecision.Decision
ROWS_A_PAGE = 50
DONE = {
    Decision.ACCEPT: gettext_lazy("Approved"),
    Decision.REJECT: gettext_lazy("Rejected"),
    Decision.REJECT_BUT_PAY: gettext_lazy("Rejected but paid"),
    Decision.REDO: gettext_lazy("Changes requested"),
}


def _study(request: HttpRequest, slug: str, version: int, may: Act = Act.VIEW) -> Study:
    return access.study_for(request.user, slug=slug, version=version, may=may)


def address(study: Study, query: str = "", **more: object) -> str:
    """Return the address of the queue with a query."""
    path = reverse("review", args=[study.slug, study.version])
    return with_query(path, {**dict(parse_qsl(query)), **more})


@login_required
@require_GET
def queue(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show a page of the queue; with `?at=` the panel of one submission beside it."""
    study = _study(request, slug, version)
    query, works = queue_query(parameters_in(request)), queued_work.every(study)
    matching = queued_work.wanted(study, works, query)
    page = page_of([work.pk for work in matching], request, rows_a_page=ROWS_A_PAGE)
    by_pk = {work.pk: work for work in matching}
    batches = list(study.batches.order_by("number").values_list("number", "name", "pay"))
    names = {str(number): name for number, name, _ in batches}
    pays = {number: study.pay if pay is None else pay for number, _, pay in batches}
    views, selects = _views(request, study, works, query), _selects(study, works, query, names)
    middle = middle_of([work.agreement for work in works if work.agreement is not None])
    return render(
        request,
        "console/queue/queue.html",
        {
            "study": study,
            "page": page,
            "rows": _rows(study, [by_pk[pk] for pk in page.object_list], query),
            "total": len(matching),
            "asked": query,
            "shows_state": query["state"] in ("decided", "all"),
            "middle": middle,
            "middle_at": _percent(middle),
            "views": views,
            "narrowed": "" if any(row["is_here"] for row in views) else _narrowed(selects, query),
            "selects": selects,
            "sum": sum((pays[work.batch] for work in matching), Decimal(0)),
            "kept": [("worker", query["worker"])] if query["worker"] else [],
            "here": _here(study, query, request),
            "newest": _newest_act(request, study),
            **_beside(request, study, matching),
        },
    )


def _selects(
    study: Study, works: Sequence[QueuedWork], query: ListQuery, names: dict[str, str]
) -> list[ListSelect]:
    states = {key: str(words) for key, words in STATES.items()}
    all_batches = {"": gettext("all")}
    without = {"agreement"} if study.kind == Study.Kind.WRITING else set()
    without |= set() if study.onboarding_tasks else {"onboarding"}
    sorts = {key: str(words) for key, words in SORTS.items() if key not in without}
    batch = ListSelect("batch", gettext("Batch"), all_batches | names, query["batch"])
    return [
        ListSelect("state", gettext("State"), states, query["state"]),
        ListSelect("mark", gettext("Flags"), _marks(works), query["mark"]),
        *([batch] if len(names) > 1 else []),
        ListSelect("sort", gettext("Sort"), sorts, query["sort"]),
    ]


def _narrowed(selects: Sequence[ListSelect], query: ListQuery) -> str:
    """Return the filters of a list that is no view."""
    options = [
        str(select.options.get(select.value, select.value))
        for select in selects
        if select.name != "sort" and select.name in query.given
    ]
    return ", ".join([*options, *(query[name] for name in ("worker", "q") if query[name])])


def _percent(share: float | None) -> str:
    """Return a share as a position in a plot."""
    return "" if share is None else f"{100 * share:.1f}%"


def _here(study: Study, query: ListQuery, request: HttpRequest) -> str:
    """Return the address of this page of the list, without the selected submission."""
    number = request.GET.get("page", "")
    return address(study, query.query, **({"page": number} if number.isdecimal() else {}))


def _rows(study: Study, found: Sequence[QueuedWork], query: ListQuery) -> list[dict[str, Any]]:
    """Return the rows of a page, with a constant number of queries.

    A row shows two flags, so those that were asked for come first.
    """
    mark = query["mark"]
    first = GROUPS[mark][1] if mark in GROUPS else (mark,)
    pks = [queued.pk for queued in found]
    by_pk = {queued.pk: queued for queued in works_of(study).filter(pk__in=pks)}
    active, last = active_times(study, only=pks), last_decisions(pks)
    onboarding = onboarding_places(study) if study.onboarding_tasks else {}
    gone = gone_among(pks)
    rows = []
    for queued in found:
        work = by_pk[queued.pk]
        work.study = study
        time = active.get(queued.pk)
        rows.append(
            {
                "queued": queued,
                "work": work,
                "name": work_name(work),
                "active": time.seconds if time and time.seconds else None,
                "last": last.get(queued.pk),
                "onboarding": onboarding.get(queued.pk),
                "marks": [
                    title_of(rule)
                    for rule in sorted(queued.marks, key=lambda rule: rule not in first)
                ],
                "gone": gone.get(queued.pk, ""),
                "pay": study.pay if work.task.batch.pay is None else work.task.batch.pay,
                "agreement_at": _percent(queued.agreement),
                "low": None if queued.low is None else round(100 * queued.low),
                "high": None if queued.high is None else round(100 * queued.high),
            }
        )
    return rows


def _views(
    request: HttpRequest, study: Study, works: Sequence[QueuedWork], query: ListQuery
) -> list[dict[str, Any]]:
    """Return the lists that everybody has, then those that the user saved."""
    offered = queued_work.ready(study, works)
    for saved_view in SavedView.objects.filter(study=study, user=request.user.pk):
        mine = queue_query(parameters_of(saved_view.query))
        offered.append(
            QueueView(
                saved_view.name, mine, len(queued_work.wanted(study, works, mine)), saved_view.pk
            )
        )
    return [
        {
            "view": saved,
            "address": address(study, saved.query.query),
            "is_here": saved.query == (query if saved.pk else query.replace(sort="concern")),
        }
        for saved in offered
    ]


def _marks(works: Sequence[QueuedWork]) -> dict[str, str]:
    """Return the flags that the list can be filtered by: groups, then single flags."""
    rules = sorted({rule for work in works for rule in work.marks})
    return {
        "": gettext("all"),
        "any": gettext("flagged"),
        **{key: str(title) for key, (title, of) in GROUPS.items() if set(of) & set(rules)},
        **{rule: title_of(rule) for rule in rules if rule not in GROUPS},
    }


def _beside(request: HttpRequest, study: Study, found: Sequence[QueuedWork]) -> dict[str, Any]:
    """Return the context of the selected panel, if the list has it."""
    at = request.GET.get("at", "")
    if not at.isdecimal() or len(at) > 18:
        return {}
    work = panels.work_in(study).filter(pk=int(at)).first()
    return {"at": int(at), **panels.context(study, work)} if work else {}


def _newest_act(request: HttpRequest, study: Study) -> ReviewAct | None:
    """Return the last decision of this user, if it can be undone."""
    mine = ReviewAct.objects.filter(study=study, reviewer=request.user.get_username())
    newest = mine.order_by("-pk").first()
    if newest is None or newest.undoes_id or hasattr(newest, "undone_by"):
        return None
    return newest


@login_required
@require_GET
def panel(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show the evidence on one submission: beside the list, or on a page of its own."""
    study = _study(request, slug, version)
    work = get_object_or_404(panels.work_in(study), pk=pk)
    context = {
        "study": study,
        "here": address(study, queue_query(parameters_in(request)).query),
        **panels.context(study, work),
    }
    is_fragment = request.headers.get("HX-Request") == "true"
    name = "_panel" if is_fragment else "work"
    return render(request, f"console/queue/{name}.html", context)


@login_required
@require_POST
def decide(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Decide on the selected submissions.

    Without `sure` show a preview. If somebody else decided meanwhile, answer 409 and decide
    nothing.
    """
    study = _study(request, slug, version, Act.REVIEW)
    decision = request.POST.get("decision", "")
    chosen = _chosen(request, study)
    if "sure" not in request.POST:
        return _preview(request, study, decision, chosen)
    try:
        with transaction.atomic():
            act = reviewing.decide_all(
                study=study,
                works=list(chosen),
                decision=decision,  # type: ignore[arg-type]
                reviewer=request.user.get_username(),
                now=database_now(),
                reason=request.POST.get("reason", "").replace("\x00", "").strip(),
                seen=chosen,
            )
            outcome = f"{DONE[Decision(act.decision)]}: {_named(act)}"
            access.record(user=request.user, act="reviewed submissions", what=outcome, of=study)
    except reviewing.CannotReview as error:
        return _preview(request, study, decision, chosen, fault=error)
    messages.success(request, f"{outcome}.")
    return redirect(_back(request, study))


def _named(act: ReviewAct) -> str:
    workers = list(act.decisions.values_list("assignment__worker__pseudonym", flat=True)[:2])
    return workers[0] if len(workers) == 1 else f"{act.decisions.count():,} submissions"


def _chosen(request: HttpRequest, study: Study) -> dict[int, int]:
    """Return the selected submissions (or all of the list), each with its last seen decision."""
    if "all" in request.POST:
        query = queue_query(parameters_of(request.POST.get("query", "")))
        pks = [work.pk for work in queued_work.wanted(study, queued_work.every(study), query)]
        last = last_decisions(pks)
        return {pk: last[pk].pk if pk in last else 0 for pk in pks}
    words = " ".join(request.POST.getlist("work")).split()
    pairs = [word.partition(".") for word in words[: 10 * reviewing.MAX_AT_ONCE]]
    return {int(pk): int(seen) for pk, _, seen in pairs if _is_id(pk) and _is_id(seen)}


def _is_id(said: str) -> bool:
    return said.isdecimal() and len(said) < 19


def _back(request: HttpRequest, study: Study) -> str:
    """Return the address of the list at the next submission, or of the submission."""
    pk = request.POST.get("page_of", "")
    if _is_id(pk):
        return reverse("assignment_page", args=[study.slug, study.version, int(pk)])
    more = {"at": at} if _is_id(at := request.POST.get("next", "")) else {}
    return address(study, request.POST.get("query", "")[:1000], **more)


def _preview(
    request: HttpRequest,
    study: Study,
    decision: str,
    chosen: dict[int, int],
    fault: reviewing.CannotReview | None = None,
) -> HttpResponse:
    """Show the effect of a decision with its button; after a refusal the current state (409)."""
    pks = list(chosen)
    meanwhile = isinstance(fault, reviewing.DecidedMeanwhile)
    faults = getattr(fault, "faults", {})
    if faults:
        rest = [pk for pk in pks if pk not in faults]
        last = last_decisions(rest)
        chosen = {pk: last[pk].pk if pk in last else 0 for pk in rest}
    works = works_of(study).filter(pk__in=list(faults)[:ROWS_A_PAGE])
    context = {
        "study": study,
        "decision": decision,
        "title": _title(decision),
        "effect": effects.effect_of(study=study, works=list(chosen), decision=decision),
        "chosen": " ".join(f"{pk}.{seen}" for pk, seen in chosen.items()),
        "needs_reason": decision != Decision.ACCEPT,
        "reason": request.POST.get("reason", ""),
        "query": request.POST.get("query", ""),
        "fault": fault,
        "meanwhile": meanwhile,
        "refused": [(work, faults[work.pk]) for work in works],
        "most": reviewing.MAX_AT_ONCE,
        "back": _back(request, study),
    }
    return render(request, "console/queue/decide.html", context, status=409 if fault else 200)


TITLES = {
    "accept": gettext_lazy("Approve"),
    "reject": gettext_lazy("Reject"),
    "reject_but_pay": gettext_lazy("Reject but pay"),
    "redo": gettext_lazy("Ask for changes to"),
}


def _title(decision: str) -> str:
    return str(TITLES.get(decision, gettext("Review")))


@login_required
@require_POST
def undo(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Undo a decision on several submissions, all of them or none."""
    study = _study(request, slug, version)
    made = get_object_or_404(ReviewAct, study=study, pk=pk)
    check(study, Act.REVIEW)
    try:
        with transaction.atomic():
            undoing.undo(act=made, reviewer=request.user.get_username(), now=database_now())
            done = f"{_title(made.decision).lower()} {_named(made)}"
            noted = f"Undone: {done}"
            access.record(user=request.user, act="reviewed submissions", what=noted, of=study)
    except reviewing.CannotReview as error:
        messages.error(request, translated_error(error))
    else:
        messages.success(request, gettext("Undone: {done}.").format(done=done))
    return redirect(_back(request, study))


@login_required
@require_POST
def view(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Save a list under a name, or delete one; in a simulated copy do neither."""
    study = _study(request, slug, version)
    if study.purpose != Study.Purpose.STUDY:
        raise only_looked_at(study.title)
    query = queue_query(parameters_of(request.POST.get("query", "")))
    try:
        if _is_id(pk := request.POST.get("forget", "")):
            saving_views.forget(study=study, user=request.user, pk=int(pk))  # type: ignore[arg-type]
        else:
            saving_views.keep(
                study=study,
                user=request.user,  # type: ignore[arg-type]
                name=request.POST.get("name", ""),
                query=query.query,
            )
    except Refusal as error:
        messages.error(request, translated_error(error))
    return redirect(address(study, query.query))


@login_required
@require_GET
def before(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Redirect the former list of questionnaires to the queue."""
    study = _study(request, slug, version)
    return redirect(address(study, queue_query(parameters_in(request)).query))
