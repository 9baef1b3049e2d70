"""The sample of a study: who took part, as a table without anybody in it."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods

from annotation.clock import database_now
from annotation.fieldwork.consenting import importing_demographics
from annotation.fieldwork.consenting.demographics import BadDemographics
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.budgets import budgeted
from annotation.texts.spreadsheets import EXCEL, Csv

MOST_BYTES = 5_000_000


@login_required
@budgeted(per_minute=20)
@require_http_methods(["GET", "POST"])
def sample(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the demographics table, and the import of the platform's file."""
    may = Act.RUN if request.method == "POST" else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=may)
    context: dict[str, object] = {"study": study}
    status = 200
    if request.method == "POST":
        assert isinstance(request.user, User)
        file = request.FILES.get("file")
        try:
            if file is None:
                raise BadDemographics([gettext("Choose the file you downloaded from Prolific.")])
            if file.size is None or file.size > MOST_BYTES:
                raise BadDemographics([gettext("The file exceeds the limit of 5 MB.")])
            context["described"] = importing_demographics.describe(
                study=study, data=file.read(), now=database_now(), user=request.user
            )
        except BadDemographics as error:
            context["faults"] = error.faults
            status = 422
    context["parts"] = importing_demographics.sample(study)
    return render(request, "console/recruit/sample.html", context, status=status)


@login_required
@require_GET
def sample_csv(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Send the same table as CSV, or with `?excel` as a file for Excel."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EXPORT)
    excel = "excel" in request.GET
    rows = [
        (part.title, value, n)
        for part in importing_demographics.sample(study)
        for value, n in part.counts
    ]
    name = f"{study.slug}-sample.{EXCEL if excel else 'csv'}"
    return HttpResponse(
        Csv(excel=excel, terminator="\n").lines([("what", "value", "n"), *rows]),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
