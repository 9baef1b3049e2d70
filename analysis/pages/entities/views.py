"""Views of the lists of a study and of one worker, assignment, item, topic or response."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from analysis.pages.entities import (
    assignment_page,
    item_page,
    response_page,
    topic_page,
    worker_page,
)
from analysis.pages.entities.catalogue import LISTS
from analysis.pages.entities.workers import workers_of
from annotation.console.shown_texts import texts_of
from annotation.corpora.threads import response_context, topic_context
from annotation.lists import ListFilter, ListQuery, ListSelect, RecordList, page_of
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act

ROWS_A_PAGE = 50


def _study(request: HttpRequest, slug: str, version: int) -> Study:
    return access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)


@login_required
@require_GET
def listed(request: HttpRequest, slug: str, version: int, what: str) -> HttpResponse:
    """Show a page of a list, filtered, searched and sorted as the address asks."""
    study, listing = _study(request, slug, version), LISTS[what]
    if study.kind not in listing.kinds:
        raise Http404(f"A {study.kind} study has no list of {listing.key}.")
    query = listing.query_in(request)
    rows = listing.matching(study, query)
    page = page_of(listing.sorted_ids(study, rows, query), request, rows_a_page=ROWS_A_PAGE)
    context = {
        "study": study,
        "listing": listing,
        "template": f"console/entities/_{listing.key}.html",
        "heads": [column.head(query["sort"]) for column in listing.columns(study)],
        "page": page,
        "rows": listing.shown(study, listing.read(study, page.object_list)),
        "title": gettext(listing.title),
        "hint": gettext(listing.search_hint) if listing.search_hint else "",
        "q": query["q"],
        "total": listing.total(rows, query) if listing.total else None,
        **_narrowed(listing, study, query),
    }
    return render(request, "console/entities/list.html", context)


def _narrowed(listing: RecordList[Study], study: Study, query: ListQuery) -> dict[str, Any]:
    """Return the active and the offered filters, and those that a search keeps."""
    selects = [
        _select(list_filter, options, query[list_filter.name])
        for list_filter in listing.filters
        if (options := list_filter.options(study))
    ]
    selects = [select for select in selects if select.value in select.options]
    narrowed = listing.narrowed(study, query)
    shown = {select.name for select in selects}
    kept = [
        (list_filter.name, value)
        for list_filter, value, _ in narrowed
        if list_filter.name not in shown
    ]
    return {
        "selects": selects,
        "narrowed": [(gettext(list_filter.title), label) for list_filter, _, label in narrowed],
        "kept": [*kept, *([("sort", query["sort"])] if query["sort"] else [])],
    }


def _select(list_filter: ListFilter[Study], choices: Mapping[str, str], value: str) -> ListSelect:
    title = gettext(list_filter.title)
    everything = gettext("%(title)s: all") % {"title": title}
    return ListSelect(list_filter.name, title, {"": everything, **choices}, value)


@login_required
@require_GET
def worker(request: HttpRequest, slug: str, version: int, pseudonym: str) -> HttpResponse:
    study = _study(request, slug, version)
    rows = workers_of(study)
    one = get_object_or_404(rows, pseudonym=pseudonym)
    context = worker_page.context(study, one)
    return render(request, "console/entities/worker.html", {"study": study, **context})


@login_required
@require_GET
def assignment(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    study = _study(request, slug, version)
    context = assignment_page.context(study, assignment_page.work_of(study, pk))
    context |= {"study": study, "texts": texts_of(study, request)}
    return render(request, "console/entities/assignment.html", context)


@login_required
@require_GET
def item(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show an item; with `?work=` as the worker of that assignment saw it."""
    study = _study(request, slug, version)
    context = item_page.context(
        study,
        item_page.item_of(study, pk),
        request.GET.get("work", ""),
        shown=texts_of(study, request),
    )
    return render(request, "console/entities/item.html", {"study": study, **context})


@login_required
@require_GET
def topic(request: HttpRequest, slug: str, version: int, key: str) -> HttpResponse:
    study = _study(request, slug, version)
    context = topic_page.context(study, topic_page.topic_of(study, key))
    texts = texts_of(study, request)
    context |= {"study": study, "shown_texts": texts} | topic_context(context["topic"], texts)
    return render(request, "console/entities/topic.html", context)


@login_required
@require_GET
def response(request: HttpRequest, slug: str, version: int, key: str) -> HttpResponse:
    study = _study(request, slug, version)
    context = response_page.context(study, response_page.response_of(study, key))
    context |= {"study": study} | response_context(context["response"], texts_of(study, request))
    return render(request, "console/entities/response.html", context)
