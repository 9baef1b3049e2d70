"""View of the analysis settings of a study."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from analysis.inputs.parameters import PARAMETERS, BadParameter, as_text, field_text, flat
from analysis.runs.adjusting import SettingsChanged, adjust
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.translation import translated_error


@login_required
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show and save the settings of all later analyses of a study."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    if request.method == "GET":
        return _page(request, study)
    texts = {name: request.POST.get(name, "").strip() for name in PARAMETERS}
    given, faults = _parsed(texts)
    if faults:
        return _page(request, study, texts, faults=faults, status=422)
    try:
        with transaction.atomic():
            changed = adjust(study=study, given=given, seen=request.POST.get("seen"))
            if changed:
                what = ", ".join(changed)
                access.record(
                    user=request.user, act="changed analysis settings", what=what, of=study
                )
    except BadParameter as error:
        return _page(request, study, texts, faults={error.name: error.sentence}, status=422)
    except SettingsChanged as error:
        study.refresh_from_db(fields=["analysis"])
        messages.error(request, translated_error(error))
        return _page(request, study, texts, status=409)
    messages.success(request, gettext("Saved. Run the analysis again to apply."))
    return redirect("analysis_settings", slug, version)


def _parsed(texts: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of the filled fields, and the errors of the others."""
    given: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, text in texts.items():
        if text:
            try:
                given[name] = PARAMETERS[name].parsed(text)
            except BadParameter as error:
                faults[name] = error.sentence
    return given, faults


def _page(
    request: HttpRequest,
    study: Study,
    texts: dict[str, str] | None = None,
    *,
    faults: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    stored = flat(study.analysis)
    shown = {name: field_text(stored.get(name)) for name in PARAMETERS} if texts is None else texts
    groups: dict[str, list[dict[str, Any]]] = {}
    for name, parameter in PARAMETERS.items():
        groups.setdefault(parameter.group, []).append(
            {
                "parameter": parameter,
                "value": shown[name],
                "usual": field_text(parameter.default),
                "fault": (faults or {}).get(name, ""),
            }
        )
    context = {
        "study": study,
        "groups": groups,
        "seen": as_text(study.analysis),
        "other_faults": [text for name, text in (faults or {}).items() if name not in PARAMETERS],
    }
    return render(request, "console/analysis_settings.html", context, status=status)
