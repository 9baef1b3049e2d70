"""Page of the official orders of a corpus: list, import and delete."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.console.corpora_views import head
from annotation.corpora import importing_orders
from annotation.corpora.importing_orders import CannotImportOrder
from annotation.corpora.official_orders import matched_orders
from annotation.models import Corpus, OfficialOrder
from annotation.people import access
from annotation.people.access import Act

MOST_KEPT = 200_000  # characters of a file that the page keeps while it asks
FIELDS = ("text", "file_name", "name", "measure", "better")


@login_required
@require_http_methods(["GET", "POST"])
def official_orders(request: HttpRequest, slug: str) -> HttpResponse:
    may = Act.EDIT if request.method == "POST" else Act.VIEW
    corpus = access.corpus_for(request.user, slug=slug, may=may)
    if request.method != "POST":
        return _page(request, corpus, values={}, fault=None)
    values = {field: request.POST.get(field, "") for field in FIELDS}
    try:
        if file := request.FILES.get("file"):
            values |= {"text": importing_orders.text_of(file), "file_name": file.name or ""}
        order = _imported(request, corpus, values)
    except CannotImportOrder as refused:
        values["text"] = values["text"][: MOST_KEPT + 1]
        return _page(request, corpus, values=values, fault=refused)
    messages.success(request, gettext("{order} imported.").format(order=order))
    return redirect("corpus_official_orders", slug)


@transaction.atomic
def _imported(request: HttpRequest, corpus: Corpus, values: dict[str, str]) -> OfficialOrder:
    """Import the order and log it. Raises CannotImportOrder."""
    order = importing_orders.import_order(
        corpus=corpus,
        text=values["text"],
        file=values["file_name"],
        name=values["name"],
        measure=values["measure"],
        better=values["better"],
    )
    access.record(user=request.user, act="imported an official order", what=order.name, of=corpus)
    return order


@login_required
@require_POST
def delete_official_order(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EDIT)
    order = corpus.official_orders.filter(pk=pk).first()
    if order is not None:
        with transaction.atomic():
            importing_orders.delete_order(corpus=corpus, pk=pk)
            access.record(
                user=request.user, act="deleted an official order", what=order.name, of=corpus
            )
        messages.success(request, gettext("%(name)s deleted.") % {"name": order})
    return redirect("corpus_official_orders", slug)


def _page(
    request: HttpRequest,
    corpus: Corpus,
    *,
    values: dict[str, str],
    fault: CannotImportOrder | None,
) -> HttpResponse:
    is_kept = 0 < len(values.get("text", "")) <= MOST_KEPT
    context: dict[str, Any] = {
        **head(corpus, "systems"),
        "orders": matched_orders(corpus),
        "values": values,
        "is_kept": is_kept and fault is not None and fault.field != "file",
        "fault": fault,
        "directions": OfficialOrder.Better.choices,
    }
    status = 400 if fault else 200
    return render(request, "console/corpus/official_orders.html", context, status=status)
