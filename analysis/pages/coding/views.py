"""View of a coding: progress while it is open, agreement once it is closed."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.pages.coding.llm_tables import llm_summaries
from analysis.pages.coding.tables import code_counts, code_rows
from annotation.people import access
from annotation.people.access import Act
from judging.coding.reconciling import (
    LEAST_CODERS,
    decisions,
    disagreements,
    erased_since_closing,
    finished_coders,
)
from judging.models import AddedCode, Coder, Coding
from judging.pages.coding_pages import coding_of


@login_required
@require_GET
def coding(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show the progress of each coder and, for a closed coding, agreement and counts."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    shown = coding_of(study, pk)
    coders = Coder.objects.filter(coding=shown).select_related("user").annotate(done=Count("given"))
    context: dict[str, Any] = {
        "study": study,
        "coding": shown,
        "coders": coders.order_by("number"),
        "total": shown.units.count(),
        "llm_coders": llm_summaries(shown),
    }
    if shown.closed_at is None:
        context["may_close"] = len(finished_coders(shown)) >= LEAST_CODERS
    else:
        context |= _compared(shown)
    return render(request, "console/coding/coding.html", context)


def _compared(shown: Coding) -> dict[str, Any]:
    compared, rows, unused = code_rows(shown)
    different = disagreements(shown)
    return {
        "compared": compared,
        "rows": rows,
        "unused": unused,
        "added": any(isinstance(row.code, AddedCode) and row.code.name for row in rows),
        "different": len(different),
        "left": len(set(different) - set(decisions(shown))),
        "erased": erased_since_closing(shown),
        "counts": code_counts(shown),
    }
