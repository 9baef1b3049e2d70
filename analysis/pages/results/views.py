"""Views of the results pages."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from analysis import tasks
from analysis.analyses.groups import UNNAMED
from analysis.exports import catalogue as exports
from analysis.exports.table_files import NoSuchTable, table_file
from analysis.inputs.definition import offered_analyses
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.settings import PEOPLE, WITH_MACHINES, UnknownCompat
from analysis.models import AnalysisRun
from analysis.pages.results import pages
from analysis.pages.results.details import details_of, shown_answer
from analysis.pages.results.missing_results import is_empty, lacks_of, needed
from analysis.pages.results.pages.first_sight import is_first_sight
from analysis.pages.results.presentation.catalogue import figures_of
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.sections import (
    FEW_ROWS,
    PARTS,
    ResultsPart,
    called,
    not_computed,
    parts_of,
    sections_of,
    table_of,
)
from analysis.pages.results.summary import kept_summary
from analysis.pages.results.topic_winners import topic_winners
from analysis.pages.results.uncounted_work import uncounted_in
from analysis.pages.results.writing_summary import written_in
from analysis.plots import standalone
from analysis.runs import requesting, running
from analysis.stats.verdicts import SampleVerdict, topics_verdict
from annotation import jobs
from annotation.clock import database_now
from annotation.lists import ListColumn, ListQuery, QueryParameter, page_of, parameters_in
from annotation.models import Study, WorkNotice
from annotation.people import access, notifying
from annotation.people.access import Act, user_of
from annotation.studies.drafts.kinds import kind_of
from annotation.texts.translation import translated_error
from judging.raters.pools import Pool, UnknownPool, offered

ROWS_A_PAGE = 50
EVERY = "all"  # opens all sections of a part, to search or print it


@login_required
@require_GET
def results(request: HttpRequest, slug: str, version: int, part: str = "") -> HttpResponse:
    """Show the summary of the newest finished run, or one part of it.

    An htmx request gets the progress of a newer run alone; when that is done it reloads the page.
    With a section in its address it gets the contents of that section.
    """
    if part and part not in PARTS:
        raise Http404(f"Results have no part {part}. Available: {', '.join(PARTS)}.")
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    progress = pages.progress_of(study)
    moving = progress is not None and not progress.run.finished_at
    context: dict[str, Any] = {
        "study": study,
        "progress": progress,
        "queued": not moving and requesting.is_waiting(study),
        "part": PARTS.get(part),
        "pools": offered(study),
    }
    is_fragment = getattr(request, "htmx", False)
    if is_fragment and "section" not in request.GET:
        response = render(request, "console/_run_progress.html", context)
        if not moving and not context["queued"]:
            response["HX-Refresh"] = "true"
        return response
    run = study.runs.newest_finished(pages.pool_asked_for(request))
    if run is None:
        ready = [pool for pool in offered(study) if running.has_work(study=study, pool=pool)]
        context |= {"pools": ready, "is_too_early": not ready}
        context["is_labelled"] = bool(ready) and PEOPLE not in {pool.name for pool in ready}
    if len(context["pools"]) > 1:
        context["has_models"] = any(pool.name == MODELS for pool in context["pools"])
        context["analysed_pools"] = [Pool(name) for name in study.runs.finished_pools()]
    if run is not None:
        run.study = study
        run_results = RunResults(run)
        context |= {"run": run, "found": run_results, "parts": parts_of(run_results)}
        context |= _pool(run)
        context |= (
            _part(run_results, PARTS[part], request)
            if part
            else _overview(run_results, request, is_stale=moving or context["queued"])
        )
        if part:
            context["part"] = called(PARTS[part], run_results)
    return render(request, _template(part, context, is_fragment=is_fragment), context)


def _template(part: str, context: dict[str, Any], *, is_fragment: bool) -> str:
    """Return the template of a page, or of the one section that a fragment has."""
    if not part:
        return "console/results.html"
    if is_fragment and len(context.get("opened", ())) == 1:
        context["section"] = next(
            each for each in context["sections"] if each.name in context["opened"]
        )
        return "console/_section.html"
    return "console/results_part.html"


def _pool(run: AnalysisRun) -> dict[str, Any]:
    """Return the pool whose answers are shown, if not people, for addresses and searches."""
    if run.pool == PEOPLE:
        return {}
    kept = [("pool", run.pool)]
    return {"pool": Pool(run.pool), "of_pool": "?" + urlencode(kept), "kept": kept}


def _overview(found: RunResults, request: HttpRequest, *, is_stale: bool) -> dict[str, Any]:
    """Return the context of the summary, for the question and the reference of the address."""
    questions = {measure.key: measure.title for measure in found.scored}
    question = request.GET.get("question", "")
    question = question if question in questions else ""
    systems = set(found.systems) | set(UNNAMED.values())
    reference = request.GET.get("reference", "")
    summary = kept_summary(found, question, reference if reference in systems else "")
    written, missing, uncounted = written_in(found), not_computed(found), uncounted_in(found.run)
    needs = needed(reason for _, _, reason in found.missing)
    answer = summary.answer
    corpus = access.visible_corpora(user_of(request)).filter(pk=found.run.study.corpus_id)
    winners = topic_winners(found, answer.question) if answer.systems > 1 else None
    return {
        "summary": summary,
        "written": written,
        "questions": questions if len(questions) > 1 else {},
        "details": details_of(
            found, summary, missing=missing, needs=needs, uncounted=uncounted, written=written
        ),
        "uncounted": uncounted,
        "stale": is_stale,
        "topics_left": topics_left(found.run.study) if summary.state == "unknown" else None,
        "may_add_topics": corpus.exists,  # asked by the page that says there are none left
        **shown_answer(found, summary, winners),
    }


def topics_left(study: Study) -> int | None:
    """Return the number of topics that a study can add; None if it has enough for intervals."""
    used = study.items.order_by().values("topic").distinct().count()
    if not study.launched_at or topics_verdict(used) is SampleVerdict.ENOUGH:
        return None
    return kind_of(study.kind).topics_left(study)


def _part(found: RunResults, part: ResultsPart, request: HttpRequest) -> dict[str, Any]:
    """Return the context of a part beside the tables of its sections."""
    every = sections_of(found, part)
    empty = [part_section for part_section in every if is_empty(part_section, found.computed)]
    sections = [part_section for part_section in every if part_section not in empty]
    opened = _opened(request, [section.name for section in sections])
    context: dict[str, Any] = {
        "sections": sections,
        "opened": opened,
        "is_first_sight": is_first_sight(request),
        "most_figures": 1 if is_first_sight(request) else None,
        "most_rows": None if request.GET.get("section") == EVERY else FEW_ROWS,
        "questions": found.measures,
        "lacks": lacks_of(empty),
        "needed": needed(reason for part_section in every for reason in part_section.sentences),
    }
    if (asked := request.GET.get("section", "")) in {*opened, EVERY}:
        context["kept"] = [*_pool(found.run).get("kept", []), ("section", asked)]
    for section in sections:
        if section.name not in opened:
            continue
        context |= section.panel.context(found, request)
        if "cards" in context:  # the texts of each topic, which stand once on a page
            context.setdefault("cards_in", section.analysis.name)
    return context


def _opened(request: HttpRequest, names: list[str]) -> set[str]:
    """Return the sections whose contents the page has: the first, the requested one, or all."""
    section = request.GET.get("section", "")
    if section == EVERY:
        return set(names)
    return {section} & set(names) or set(names[:1])


@login_required
@require_GET
def table(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponse:
    """Download a stored table of the newest finished run as CSV or LaTeX."""
    run = _finished(request, slug, version)
    try:
        data = table_file(run, name)
    except NoSuchTable as error:
        raise Http404(translated_error(error)) from error
    kind = "text/csv" if name.endswith(".csv") else "application/x-tex"
    return _file(data, kind, exports.named(run.study, name, run=run))


@login_required
@require_GET
def rows(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponse:
    """Show a long table on pages of its own, searched and sorted as a whole."""
    run_results = RunResults(_finished(request, slug, version))
    table = table_of(run_results, name)
    if table is None:
        raise Http404(f"The newest finished analysis has no table {name}.")
    query = ListQuery.parse((QueryParameter("sort"), QueryParameter("q")), parameters_in(request))
    words, columns = query["q"], [str(at) for at in range(len(table.heads))]
    column, descending = query.order(columns)
    matching = table.rows.found(words) if words else table.rows
    if column:
        matching = matching.sorted_by(int(column), descending=descending)
    part = next(part for part in PARTS.values() if name.partition("-")[0] in part.analyses)
    context = {
        "study": run_results.run.study,
        "table": table,
        "part": part,
        "page": page_of(matching, request, rows_a_page=ROWS_A_PAGE),
        "q": words,
        "heads": [
            ListColumn(head.title, at, head.number).head(query["sort"], largest_first=False)
            for at, head in zip(columns, table.heads, strict=True)
        ],
    }
    of_pool = _pool(run_results.run)
    kept = [("sort", query["sort"])] if column else []
    context |= of_pool | {"kept": kept + of_pool.get("kept", [])}
    return render(request, "console/results_rows.html", context)


@login_required
@require_GET
def plot(request: HttpRequest, slug: str, version: int, name: str) -> HttpResponse:
    """Download a plot of the newest finished run."""
    run = _finished(request, slug, version)
    analysis = name.rpartition("-")[0]
    analyses = offered_analyses()
    drawn = figures_of(RunResults(run), analysis) if analysis in analyses else []
    for figure in drawn:
        if name == figure.name:
            data = standalone(figure.wide).encode()
            return _file(data, "image/svg+xml", exports.named(run.study, f"{name}.svg", run=run))
    raise Http404(f"The newest finished analysis has no plot {name}.")


def _finished(request: HttpRequest, slug: str, version: int) -> AnalysisRun:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    run = study.runs.newest_finished(pages.pool_asked_for(request))
    if run is None:
        raise Http404(f"Study {slug} has not been analysed yet.")
    run.study = study
    return run


def _file(data: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(data, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@require_POST
def analyse(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Queue an analysis of the current votes, also while a batch is open."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    pool = request.POST.get("pool", PEOPLE).replace("\x00", "")
    where = reverse("results", args=[slug, version])
    try:
        with transaction.atomic():
            wanted: dict[str, Any] = {
                "pool": pool,
                WITH_MACHINES: bool(request.POST.get(WITH_MACHINES)),
            }
            requesting.ask(study=study, compat=request.POST.get("compat", ""), **wanted)
            what = requesting.request_title(**wanted)
            access.record(user=request.user, act="started an analysis", what=what, of=study)
            notifying.expect(
                user=user_of(request),
                kind=WorkNotice.Kind.ANALYSIS,
                work=study.pk,
                title=study.title,
                path=where,
                now=database_now(),
            )
    except running.NothingToAnalyse as error:
        messages.warning(request, translated_error(error), extra_tags=error.code)
    except (UnknownPool, UnknownCompat) as error:
        messages.error(request, translated_error(error))
    else:
        jobs.send_after_commit(tasks.answer_request, study.pk)
        if pool != PEOPLE:
            where += "?" + urlencode({"pool": pool})
    return redirect(where)


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Cancel the queued analysis and the newest unfinished run of the study."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    queued = requesting.withdraw(study=study)
    progress = pages.progress_of(study)
    stopped = progress is not None and running.cancel(run=progress.run)
    if queued or stopped:
        access.record(user=request.user, act="cancelled an analysis", of=study)
    else:
        messages.info(request, gettext("No analysis is running."))
    return redirect("results", slug, version)
