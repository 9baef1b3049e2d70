"""People and contracts: who comes to a study by a link of their own."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.clock import database_now
from annotation.fieldwork.paying import totals
from annotation.fieldwork.recruiting import contracting
from annotation.fieldwork.recruiting.contracting import NewLink
from annotation.lists import page_of
from annotation.models import Assignment, Contract, Study
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check
from annotation.people.pseudonyms import revealed
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

ROWS = 100


@login_required
@require_http_methods(["GET", "POST"])
def contracts(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the contractors, and new links, which are shown only once."""
    study = _study(request, slug, version)
    made: list[NewLink] = []
    context: dict[str, Any] = {}
    if request.method == "POST":
        typed = request.POST.get("people", "")
        try:
            made = contracting.hire(
                study=study, people=_people(typed), user=user_of(request), now=database_now()
            )
        except Refusal as error:
            context = {"refused": translated_error(error), "typed": typed}
    return _shown(request, study, made, context)


@login_required
@require_POST
def contract_change(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Replace or revoke a contractor's link."""
    study = _study(request, slug, version)
    rows = Contract.objects.filter(study__slug=study.slug).select_related("study", "worker")
    contract = get_object_or_404(rows, pk=pk)
    made: list[NewLink] = []
    context: dict[str, Any] = {}
    try:
        if request.POST.get("change") == "revoke":
            contracting.revoke(contract=contract, user=user_of(request), now=database_now())
            context["done"] = gettext("The link for {contract} no longer works.").format(
                contract=contract
            )
        else:
            made = [contracting.renew(contract=contract, user=user_of(request), now=database_now())]
    except Refusal as error:
        context["refused"] = translated_error(error)
    return _shown(request, study, made, context)


def _study(request: HttpRequest, slug: str, version: int) -> Study:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    if not study.by_personal_link:
        raise Http404("This study doesn't use personal links.")
    check(study, Act.RUN)
    return study


def _people(typed: str) -> list[tuple[str, str]]:
    """Parse one person a line: the id, then a comma or tab and the name."""
    lines = (line.replace("\t", ",").partition(",") for line in typed.splitlines() if line.strip())
    return [(external_id.strip(), name.strip()) for external_id, _, name in lines]


def _shown(
    request: HttpRequest, study: Study, made: list[NewLink], context: dict[str, Any]
) -> HttpResponse:
    rows = Contract.objects.filter(study__slug=study.slug).select_related("worker")
    page = page_of(rows.order_by("-pk"), request, rows_a_page=ROWS)
    people = [contract.worker_id for contract in page.object_list]
    states: dict[int, list[str]] = {pk: [] for pk in people}
    works = Assignment.objects.filter(study__slug=study.slug, worker__in=people)
    for worker, state in works.values_list("worker", "state"):
        states[worker].append(state)
    accounts = {account.worker.pk: account for account in totals.accounts_of(study, only=people)}
    for row in page.object_list:
        row.external = revealed(row.worker) if row.worker.external_id else "deleted"
        row.begun = len(states[row.worker_id])
        row.handed_in = sum(state in Assignment.HANDED_IN for state in states[row.worker_id])
        row.accepted = states[row.worker_id].count(Assignment.State.ACCEPTED)
        row.account = accounts.get(row.worker_id)
    context |= {"study": study, "page": page, "made": made}
    status = 422 if "refused" in context else 200
    return render(request, "console/recruit/contracts.html", context, status=status)
