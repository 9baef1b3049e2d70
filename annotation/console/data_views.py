"""The data of a study's people: until when they are kept, and their deletion in one step."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.clock import database_now
from annotation.fieldwork.consenting import erasing_study_data
from annotation.fieldwork.consenting.erasing_study_data import CannotForget, StillOwed
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.studies.setting_retention import (
    PLATFORM_IDS,
    data_kinds,
    promise,
    retention_periods,
)
from annotation.texts.translation import translated_error


@login_required
@require_http_methods(["GET", "POST"])
def study_data(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Until when each sort of data is kept."""
    may = Act.RUN if request.method == "POST" else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=may)
    if request.method == "GET":
        return _page(request, study)
    assert isinstance(request.user, User)
    try:
        until = {
            data_kind: _day(request.POST.get(data_kind, "")) for data_kind in data_kinds(study)
        }
        promise(study=study, until=until, user=request.user)
    except Refusal as error:
        return _page(request, study, fault=translated_error(error), status=422)
    messages.success(request, gettext("Saved."))
    return redirect("study_data", slug, version)


@login_required
@require_POST
def forget_ids(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Delete the platform ids. What is owed has to be confirmed."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.MANAGE)
    assert isinstance(request.user, User)
    try:
        done = erasing_study_data.forget(
            study=study,
            what=PLATFORM_IDS,
            now=database_now(),
            user=request.user,
            although_owed=request.POST.get("although_owed") == "yes",
        )
    except StillOwed as owed:
        return _page(request, study, owed=str(owed), status=409)
    except CannotForget as error:
        return _page(request, study, refused=translated_error(error), status=409)
    message = ngettext(
        "Platform IDs deleted for {n} participant.",
        "Platform IDs deleted for {n} participants.",
        done.n,
    )
    messages.success(request, message.format(n=done.n))
    return redirect("study_data", slug, version)


def _day(typed: str) -> date | None:
    """Parse a date. Raises Refusal."""
    if not typed.strip():
        return None
    try:
        day = parse_date(typed.strip())
    except ValueError:
        day = None
    if day is None:
        raise Refusal(
            "BadDate",
            gettext("Enter a date, such as 2027-03-31.").format(typed=typed),
        )
    return day


def _page(request: HttpRequest, study: Study, *, status: int = 200, **said: Any) -> HttpResponse:
    kept = retention_periods(study)
    ids = next(period for period in kept if period.what == PLATFORM_IDS)
    context = {
        "study": study,
        "kept": kept,
        "ids_erased_at": ids.erased_at,
        "consequences": list(erasing_study_data.consequences(study)),
        "why_not": erasing_study_data.why_not(study),
        "still_owed": erasing_study_data.still_owed(study),
        **said,
    }
    return render(request, "console/recruit/data.html", context, status=status)
