"""Money: what people of a study are owed and were paid, and what an hour earns them."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation import access
from annotation.access import Act
from annotation.console import paging
from annotation.models import Study
from annotation.paying import totals
from annotation.paying.statements import statement

ROWS = 100


@login_required
@never_cache
@require_GET
def money(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    return render(request, "console/money/money.html", _shown(request, study))


def _shown(request: HttpRequest, study: Study) -> dict[str, Any]:
    accounts, q = totals.accounts_of(study), paging.sought(request)
    hours = sum(each.hours for each in accounts)
    timed = [each for each in accounts if each.wage is not None]
    return {
        "study": study,
        "sums": totals.sums_of(study),
        "people": len(accounts),
        "wage": _over_all(timed, hours),
        "timed": sum(each.n for each in accounts),
        "under": sum((each.wage or 0) < study.hourly_wage for each in timed),
        "timed_people": len(timed),
        "page": paging.page_of(
            [each for each in accounts if q.lower() in each.worker.pseudonym.lower()],
            request,
            rows_a_page=ROWS,
        ),
        "q": q,
    }


def _over_all(timed: list[totals.Account], hours: float) -> float | None:
    """All pay by all hours (studies.wages)."""
    return sum((each.wage or 0) * each.hours for each in timed) / hours if hours else None


@login_required
@never_cache
@require_GET
def money_statement(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EXPORT)
    text = statement(study, totals.accounts_of(study))
    access.record(user=request.user, act="downloaded the statement of pay", of=study)
    return HttpResponse(
        text,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{study.slug}-pay.csv"'},
    )
