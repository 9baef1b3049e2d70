"""Pages to list codings, code units and reconcile coders."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from judging.banks.secrets import hidden_items, hide_names, secret_items, units_about
from judging.coding import (
    adopting_codes,
    codebook_files,
    coding_units,
    marking,
    reconciling,
    saving_codebooks,
    starting,
)
from judging.coding.comments import WRITTEN
from judging.coding.starting import newest_versions
from judging.models import (
    AddedCode,
    Code,
    Codebook,
    CodebookVersion,
    Coder,
    Coding,
    CodingUnit,
    UnitDecision,
)


@dataclass(frozen=True)
class CodeGroup:
    """A group of codes, each with whether it is selected."""

    name: str
    codes: list[tuple[Code | AddedCode, bool]]


@login_required
@require_http_methods(["GET", "POST"])
def codings(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """List the codings and codebooks of a study, or start a coding."""
    act = Act.EDIT if request.method == "POST" else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=act)
    if request.method == "GET":
        return _list(request, study)
    try:
        coding = starting.start(
            study=study,
            version=_chosen(request, study),
            name=request.POST.get("name", ""),
            kinds=request.POST.getlist("kind"),
            by=user_of(request),
            now=database_now(),
        )
    except Refusal as refusal:
        return _list(request, study, refused=translated_error(refusal), status=refusal.status)
    return redirect("coding", slug, version, coding.pk)


def _chosen(request: HttpRequest, study: Study) -> CodebookVersion:
    """Return the chosen codebook version, saving a template first. Raises Refusal."""
    wanted = request.POST.get("codebook", "")
    if (template := codebook_files.templates().get(wanted)) is not None:
        by, now = user_of(request), database_now()
        return saving_codebooks.save(team=study.team, file=template, by=by, now=now)
    for version in newest_versions(study):
        if str(version.pk) == wanted:
            return version
    raise Refusal("NoCodebook", codebook_files.CHOOSE, status=422)


def _list(
    request: HttpRequest, study: Study, *, refused: str = "", status: int = 200
) -> HttpResponse:
    versions = newest_versions(study)
    names = {version.codebook.name for version in versions}
    templates = codebook_files.templates()
    context = {
        "study": study,
        "codings": Coding.objects.filter(study=study)
        .select_related("version__codebook")
        .annotate(n=Count("units"))
        .order_by("-pk"),
        "versions": versions,
        "templates": {key: book for key, book in templates.items() if book.name not in names},
        "kinds": [
            (kind.value, kind.label)
            for kind in CodingUnit.Kind
            if study.recorded or kind in WRITTEN
        ],
        "typed": request.POST,
        "chosen_kinds": request.POST.getlist("kind") or list(WRITTEN),
        "refused": refused,
    }
    return render(request, "console/coding/list.html", context, status=status)


@login_required
@require_POST
def codebook_new(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Import a codebook of the study's team from a file."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EDIT)
    file = request.FILES.get("file")
    try:
        content = file.read(codebook_files.LIMIT + 1) if file else b""
        name = request.POST.get("name", "").strip() or ((file.name or "") if file else "")
        book = codebook_files.read(content)
        saved = saving_codebooks.save(
            team=study.team,
            file=book,
            by=user_of(request),
            now=database_now(),
            name=book.name or name.rsplit(".", 1)[0],
        )
    except Refusal as refusal:
        return _list(request, study, refused=translated_error(refusal), status=refusal.status)
    messages.success(request, _saved(saved))
    return redirect("codings", slug, version)


def _saved(version: CodebookVersion) -> str:
    done = gettext("Codebook saved: {name}, version {version}.")
    return done.format(name=version.codebook.name, version=version.number)


@login_required
@require_GET
def codebook_file(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Download the newest version of a codebook as JSON, or as CSV with `?as=csv`."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    return codebook_answer(study, pk, request.GET.get("as", "json"))


def codebook_answer(study: Study, pk: int, format: str) -> HttpResponse:
    """Return a team's codebook as a file response. Raises Http404 and PermissionDenied."""
    if format not in codebook_files.FORMATS:
        raise Http404(f"Unknown format {format!r}.")
    book = get_object_or_404(Codebook, team=study.team_id, pk=pk)
    check_right(study, Act.EXPORT)
    newest = book.versions.order_by("-number").first()
    if newest is None:
        raise Http404("This codebook has no version yet.")
    content = codebook_files.written(codebook_files.file_of(newest), format)
    kind = "application/json" if format == "json" else "text/csv; charset=utf-8"
    answer = HttpResponse(content, content_type=kind)
    name = f"codebook-{book.pk}-{newest.number}.{format}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@login_required
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Code the unit at position `?unit=`, by default the coder's first uncoded unit."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, Act.REVIEW)
    try:
        find = coding_units.join if request.method == "POST" else coding_units.coder_of
        coder = find(coding=coding, user=user_of(request))
        unit = _unit(request, coding, coder)
        if unit is None:
            return redirect("coding", slug, version, pk)
        if request.method == "POST" and coder is not None:
            coding_units.record(
                coder=coder,
                unit=unit,
                codes=request.POST.getlist("code"),
                added=request.POST.get("added", ""),
                now=database_now(),
            )
            return redirect(_after(request, coding, unit))
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
        return redirect("coding", slug, version, pk)
    given = unit.given.filter(coder=coder).first() if coder else None
    codes = coding_units.codes_for(coding, coder) if coder else coding_units.codebook_of(coding)
    if coding.closed_at is not None:  # until then, all added codes are the coder's own
        hide_names(study, codes)
    context = {
        "study": study,
        "coding": coding,
        "unit": _readable(study, unit),
        "groups": groups_of(codes, given.codes if given else ()),
        "done": coder.given.count() if coder else 0,
        "last": coding.units.aggregate(last=Max("position"))["last"],
        "is_coded": given is not None,
        "before": _near(unit, position__lt=unit.position).last(),
        "after": _near(unit, position__gt=unit.position).first(),
        "may_mark": coding.closed_at is None and unit.whole is None and bool(unit.text),
        "passages": unit.passages.order_by("start") if unit.text else (),
    }
    return render(request, "console/coding/code.html", context)


def _near(unit: CodingUnit, **where: int) -> "QuerySet[CodingUnit]":
    """Return units before or after a unit. Positions have gaps where comments were erased."""
    return CodingUnit.objects.filter(coding=unit.coding_id, **where).order_by("position")


@login_required
@require_POST
def passage(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Mark a passage of a unit for all coders, or remove the mark that the unit is."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, Act.REVIEW)
    unit = _unit(request, coding, None)
    if unit is None:
        raise Http404("This coding has no comments.")
    shown = unit.whole or unit
    try:
        if request.POST.get("act") == "unmark":
            marking.unmark(unit=unit)
        else:
            start = request.POST.get("start", "")
            is_number = start.isascii() and start.isdigit() and len(start) < 10
            place, words = int(start) if is_number else -1, request.POST.get("passage", "")
            made = marking.mark(unit=_readable(study, unit), start=place, passage=words)
            messages.success(request, gettext("Marked as comment {n}.").format(n=made.position))
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
        shown = unit
    here = reverse("code_unit", args=[slug, version, pk])
    return redirect(f"{here}?unit={shown.position}")


def _after(request: HttpRequest, coding: Coding, unit: CodingUnit) -> str:
    """Return the next address: the same unit after adding a code, else the next unit."""
    here = reverse("code_unit", args=[coding.study.slug, coding.study.version, coding.pk])
    return f"{here}?unit={unit.position}" if "stay" in request.POST else here


def _unit(request: HttpRequest, coding: Coding, coder: Coder | None) -> CodingUnit | None:
    """Return the requested unit, or else the coder's first uncoded unit."""
    units = coding.units.select_related("instrument", "whole").order_by("position")
    wanted = request.GET.get("unit") or request.POST.get("unit", "")
    if wanted:
        is_number = wanted.isascii() and wanted.isdigit() and len(wanted) < 10
        return get_object_or_404(units, position=int(wanted) if is_number else 0)
    return units.exclude(given__coder=coder).first() if coder else units.first()


def _readable(study: Study, unit: CodingUnit, decision: UnitDecision | None = None) -> CodingUnit:
    """Return the unit. Words on a secret entry are empty if the reader may not read the entry."""
    if units_about(study, hidden_items(study)).filter(pk=unit.pk).exists():
        unit.text = ""
        if unit.whole is not None:
            unit.whole.text = ""
        if decision is not None:
            decision.note = ""
    return unit


def groups_of(codes: Sequence[Code | AddedCode], chosen: Any) -> list[CodeGroup]:
    """Return the codes by group, with added codes last."""

    def name(code: Code | AddedCode) -> str:
        return code.group if isinstance(code, Code) else gettext("Added while coding")

    return [
        CodeGroup(group, [(code, code.key in chosen) for code in members])
        for group, members in groupby(codes, key=name)
    ]


@login_required
@require_POST
def coding_act(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Perform an `act` on a coding: close it, gather new comments, or adopt added codes."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, Act.EDIT)
    try:
        if request.POST.get("act") == "close":
            reconciling.close(coding=coding, by=user_of(request), now=database_now())
        elif request.POST.get("act") == "adopt":
            saved = adopting_codes.adopt(
                coding=coding,
                by=user_of(request),
                now=database_now(),
                silent=units_about(study, secret_items(study)),
            )
            messages.success(request, _saved(saved))
        else:
            n = starting.gather(coding=coding)
            messages.success(request, gettext("{n} comments added.").format(n=n))
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
    return redirect("coding", slug, version, pk)


@login_required
@require_http_methods(["GET", "POST"])
def reconcile(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show a unit on which coders disagree, or save the decision on it."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, Act.REVIEW)
    if coding.closed_at is None:
        return redirect("coding", slug, version, pk)
    different = reconciling.disagreements(coding)
    decided = reconciling.decisions(coding)
    wanted = request.GET.get("unit") or request.POST.get("unit", "")
    positions = dict(coding.units.filter(pk__in=different).values_list("position", "pk"))
    left = [unit for unit in different if unit not in decided]
    if wanted:
        is_number = wanted.isascii() and wanted.isdigit() and len(wanted) < 10
        shown = positions.get(int(wanted) if is_number else 0)
        if shown is None:
            raise Http404("Coders agree on this comment.")
    elif left:
        shown = left[0]
    else:
        return redirect("coding", slug, version, pk)
    unit = coding.units.select_related("instrument", "whole").get(pk=shown)
    if request.method == "POST":
        try:
            reconciling.decide(
                coding=coding,
                unit=unit,
                codes=request.POST.getlist("code"),
                note=request.POST.get("note", ""),
                by=user_of(request),
                now=database_now(),
            )
        except Refusal as refusal:
            messages.error(request, translated_error(refusal))
        return redirect("reconcile_coding", slug, version, pk)
    return render(
        request,
        "console/coding/reconcile.html",
        {"study": study, "coding": coding, "total": len(different), "left": len(left)}
        | _compared(coding, _readable(study, unit, decided.get(unit.pk)))
        | {"decision": decided.get(unit.pk)},
    )


def _compared(coding: Coding, unit: CodingUnit) -> dict[str, Any]:
    """Return the codes that all coders gave to a unit, and those that only some gave."""
    codes = coding_units.codes_for(coding, None)
    hide_names(coding.study, codes)
    given = reconciling.codes_by_coder(coding)[unit.pk]
    coders = {coder.number: coder for coder in reconciling.finished_coders(coding)}
    of_all = frozenset.intersection(*given.values())
    decided = unit.decisions.order_by("-number").first()
    return {
        "unit": unit,
        "columns": [
            (coders[number], [(code, code.key in of_all) for code in codes if code.key in keys])
            for number, keys in given.items()
        ],
        "groups": groups_of(codes, decided.codes if decided else of_all),
        "some": frozenset.union(*given.values()) - of_all,
    }


def coding_of(study: Study, pk: int) -> Coding:
    """Return a coding whose study knows the role of the user. Raises Http404."""
    rows = Coding.objects.select_related("version__codebook")
    coding: Coding = get_object_or_404(rows, study=study, pk=pk)
    coding.study = study  # has the role of the user
    return coding
