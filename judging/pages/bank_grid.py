"""Grade grid of a topic in a bank. The page loads cells in blocks and grades on request."""

from typing import Any, get_args

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from annotation.console.corpora_views import head
from annotation.corpora.text_names import names_of_passages, names_of_responses
from annotation.lists import parameter
from annotation.models import Corpus, Passage, Response, Topic
from annotation.people import access
from annotation.people.access import Act
from judging.banks import grids, oversight
from judging.banks.entries_at import entries_at
from judging.banks.grids import MOST_BLOCK, Raters, SortedGrid
from judging.banks.secrets import masked, secret_entries
from judging.models import Bank, BankEntry
from judging.pages.banks import MOST_TOPICS, bank_of, number_in

NAME_LENGTH = 120
TEXTS: dict[str, Any] = {"passage": Passage, "response": Response}
NAMES = {"passage": names_of_passages, "response": names_of_responses}


@login_required
@require_GET
def bank_grid(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the grid of a topic without its cells, which the page requests in blocks."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    topics = oversight.graded_topics(bank)
    wanted = number_in(parameter(request, "topic"))
    topic = next((topic for topic in topics if topic.pk == wanted), next(iter(topics), None))
    context: dict[str, Any] = head(corpus, "banks") | {
        "bank": bank,
        "topics": topics[:MOST_TOPICS],
        "topic": topic,
        "raters": _raters(request),
    }
    if topic is not None:
        grid, key = grids.grid_of(bank, topic)
        context |= {"grid": grid, "key": key, "cells": len(grid.texts) * len(grid.entries)}
    return render(request, "console/banks/grid.html", context)


@login_required
@require_GET
def bank_grid_block(request: HttpRequest, slug: str, pk: int) -> JsonResponse:
    """Return a block of cells with its row and column headers."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    topic = _topic(corpus, request)
    grid = grids.sorted_grid(bank, topic, _raters(request), key=parameter(request, "key"))
    rows, columns = (_slice(request, name) for name in ("row", "column"))
    return JsonResponse(
        {
            "rows": _texts(grid, rows),
            "columns": _entries(bank, grid, columns),
            "cells": grid.block(rows, columns),
        }
    )


@login_required
@require_GET
def bank_grid_cell(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the grades of one text on one entry."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    entry: BankEntry = get_object_or_404(
        BankEntry, bank=bank, pk=number_in(parameter(request, "entry"))
    )
    kind, _, number = parameter(request, "text").partition("-")
    if kind not in TEXTS:
        raise Http404("Text not found.")
    text: Any = get_object_or_404(TEXTS[kind], topic=entry.topic_id, pk=number_in(number))
    is_hidden = not access.may(corpus, Act.EDIT) and entry.pk in secret_entries(bank)
    grades = oversight.cell_grades(bank, entry.key, **{kind: text.pk})
    context = {
        "corpus": corpus,
        "bank": bank,
        "entry": entry,
        "is_hidden": is_hidden,
        "text": text,
        "name": NAMES[kind]([text.pk])[text.pk],
        "kind": kind,
        "grades": grades,
    }
    return render(request, "console/banks/_grid_cell.html", context)


def _raters(request: HttpRequest) -> Raters:
    typed = parameter(request, "raters")
    return next((name for name in get_args(Raters) if name == typed), "all")


def _topic(corpus: Corpus, request: HttpRequest) -> Topic:
    topic: Topic = get_object_or_404(
        Topic, corpus=corpus, pk=number_in(parameter(request, "topic"))
    )
    return topic


def _slice(request: HttpRequest, name: str) -> slice:
    first = number_in(parameter(request, name))
    if first > 10**9:
        raise Http404("Block not found.")
    return slice(first, first + MOST_BLOCK)


def _texts(grid: SortedGrid, rows: slice) -> list[dict[str, Any]]:
    texts = [grid.grid.texts[row] for row in grid.rows[rows]]
    names: dict[tuple[str, int], str] = {}
    for kind, names_of in NAMES.items():
        named = names_of(pk for name, pk in texts if name == kind)
        names |= {(kind, pk): name for pk, name in named.items()}
    sums = grid.sums_of_rows(rows)
    return [
        {"id": f"{kind}-{pk}", "name": names.get((kind, pk), "")[:NAME_LENGTH], "sum": total}
        for (kind, pk), total in zip(texts, sums, strict=True)
    ]


def _entries(bank: Bank, grid: SortedGrid, columns: slice) -> list[dict[str, Any]]:
    pks = [grid.grid.entries[column] for column in grid.columns[columns]]
    found = entries_at(bank, entries=pks) if pks else []
    may_read = access.may(bank.corpus, Act.EDIT)
    rows = {row.pk: row for row in (found if may_read else masked(bank, found))}
    sums = grid.sums_of_columns(columns)
    return [
        {
            "id": pk,
            "name": rows[pk].text[:NAME_LENGTH],
            "state": rows[pk].state,
            "sum": total,
        }
        for pk, total in zip(pks, sums, strict=True)
    ]
