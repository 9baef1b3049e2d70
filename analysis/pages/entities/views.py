"""Views of the lists of a study and of one worker, assignment, item, topic or response."""

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
from analysis.pages.entities.lists import ListQuery, StudyList, found, in_order
from analysis.pages.entities.workers import workers_of
from annotation.console import paging
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
        raise Http404(f"A {study.kind} study has no {listing.key}.")
    asked = ListQuery.of(request, listing)
    rows = found(listing, study, asked)
    page = paging.page_of(in_order(listing, study, rows, asked), request, rows_a_page=ROWS_A_PAGE)
    by_pk = {row.pk: row for row in listing.rows(study).filter(pk__in=list(page.object_list))}
    context = {
        "study": study,
        "listing": listing,
        "columns": listing.columns(study),
        "page": page,
        "rows": listing.shown(study, [by_pk[pk] for pk in page.object_list if pk in by_pk]),
        "title": gettext(listing.title),
        "one": gettext(listing.one),
        "hint": gettext(listing.sought_hint) if listing.sought_hint else "",
        "q": asked.q,
        "sort": asked.sort,
        "total": listing.total(rows, asked) if listing.total else None,
        **_narrowed(listing, study, asked),
    }
    return render(request, "console/entities/list.html", context)


def _narrowed(listing: StudyList, study: Study, asked: ListQuery) -> dict[str, Any]:
    """Return the active and the offered filters, and those that a search keeps."""
    offered = [
        {
            "name": each.name,
            "title": gettext(each.title),
            "choices": {value: words for value, words in each.choices(study).items()},
            "value": asked.by.get(each.name, ""),
        }
        for each in listing.filters
        if each.choices
    ]
    among = {each["name"] for each in offered if each["value"] in ("", *each["choices"])}
    narrowed = [
        {
            "name": each.name,
            "title": gettext(each.title),
            "said": each.said(study, asked.by[each.name]),
        }
        for each in listing.filters
        if each.name in asked.by
    ]
    kept = [(name, value) for name, value in asked.by.items() if name not in among]
    return {
        "offered": [each for each in offered if each["name"] in among],
        "narrowed": narrowed,
        "kept": [*kept, *([("sort", asked.sort)] if asked.sort else [])],
    }


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
    return render(request, "console/entities/assignment.html", {"study": study, **context})


@login_required
@require_GET
def item(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show an item; with `?work=` as the worker of that assignment saw it."""
    study = _study(request, slug, version)
    context = item_page.context(study, item_page.item_of(study, pk), request.GET.get("work", ""))
    return render(request, "console/entities/item.html", {"study": study, **context})


@login_required
@require_GET
def topic(request: HttpRequest, slug: str, version: int, key: str) -> HttpResponse:
    study = _study(request, slug, version)
    context = topic_page.context(study, topic_page.topic_of(study, key))
    return render(request, "console/entities/topic.html", {"study": study, **context})


@login_required
@require_GET
def response(request: HttpRequest, slug: str, version: int, key: str) -> HttpResponse:
    study = _study(request, slug, version)
    context = response_page.context(study, response_page.response_of(study, key))
    return render(request, "console/entities/response.html", {"study": study, **context})
