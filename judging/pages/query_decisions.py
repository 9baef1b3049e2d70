"""Page to decide on proposed queries, and their files."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.clock import database_now
from annotation.console.corpora_views import head
from annotation.console.shown_texts import texts_of
from annotation.lists import page_of
from annotation.models import Corpus
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.spreadsheets import EXCEL
from annotation.texts.translation import translated_error
from judging.models import ProposedQuery, QueryRound
from judging.queries import deciding, files, proposals
from judging.queries.deciding import CannotDecide, DecidedQueries
from judging.queries.proposals import ProposalFilter, StratifiedSample

ROWS_A_PAGE = 25
LOOKED_THROUGH = 200  # compared with all topics: a third of a second where they are 10,000
MOST_DIGITS = 18  # of an id that a database takes
MOST_AT_ONCE = 1_000  # decided on together
LARGEST_SAMPLE = 10_000  # of a round
State = ProposedQuery.State


@login_required
@require_GET
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """Show proposals with their passage and most similar topic, waiting ones first.

    With the filter on similarity a page looks through a fixed number of proposals.
    """
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    narrowed = _narrowed(request.GET)
    ids = list(proposals.rows(corpus, narrowed).values_list("pk", flat=True))
    a_page = LOOKED_THROUGH if narrowed.alike else ROWS_A_PAGE
    page = page_of(ids, request, rows_a_page=a_page)
    page_ids = list(page.object_list)
    if narrowed.alike:
        page_ids = ids = proposals.alike(corpus, page_ids)
    sizes = dict(narrowed.sample.sizes) if narrowed.sample else {}
    context = head(corpus, "queries") | {
        "page": page,
        "texts": texts_of(corpus),
        "rows": proposals.shown(corpus, page_ids),
        "narrowed": narrowed,
        "states": State.values,
        "rounds": (rounds := _rounds(corpus, narrowed)),
        "sample_sizes": [(one_round, sizes.get(one_round.pk, "")) for one_round in rounds],
        "count": len(ids),
        "listed": ",".join(map(str, ids[:MOST_AT_ONCE])),
        "most": MOST_AT_ONCE,
        "here": _address(corpus, narrowed),
    }
    return render(request, "console/queries/review.html", context)


@login_required
@require_POST
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept, reject, edit or take back one proposal, the chosen ones, or the whole list.

    For a single one the answer is its row.
    """
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EDIT)
    assert isinstance(request.user, User)
    narrowed = _narrowed(request.POST)
    try:
        pks = _chosen(request)
        message = _decided(request.POST.get("do", ""), corpus, pks, request)
    except CannotDecide as error:
        message, fault = translated_error(error), True
        pks = _numbers(request.POST.getlist("proposal"))
    else:
        fault = False
    if request.headers.get("HX-Request") and len(pks) == 1:
        context: dict[str, Any] = {
            "corpus": corpus,
            "narrowed": narrowed,
            "texts": texts_of(corpus),
            "said": message,
            "fault": fault,
            "typed": request.POST.get("text") if fault else None,
        }
        rows = proposals.shown(corpus, pks)
        if not rows:
            raise Http404("Proposal not found.")
        context["each"] = rows[0]
        return render(request, "console/queries/_proposal.html", context)
    if fault and (typed := request.POST.get("text")):
        message += " " + gettext("Your text: “%(typed)s”.") % {"typed": typed}
    (messages.error if fault else messages.success)(request, message)
    return redirect(_address(corpus, narrowed))


def _rounds(corpus: Corpus, narrowed: ProposalFilter) -> "QuerySet[QueryRound]":
    """Return the rounds to choose from: those that are not deleted, and the current one."""
    selectable = ~Q(state=QueryRound.State.WITHDRAWN) | Q(pk=narrowed.round)
    return QueryRound.objects.filter(selectable, corpus=corpus)


def _decided(do: str, corpus: Corpus, pks: Sequence[int], request: HttpRequest) -> str:
    """Return the result as a sentence. Raises CannotDecide."""
    assert isinstance(request.user, User)
    by, now, shown = request.user, database_now(), _shown(request)
    if do in ("accept", "edit") and len(pks) == 1 and "text" in request.POST:
        text = request.POST["text"]
        deciding.edit(corpus=corpus, proposal=pks[0], text=text, by=by, shown=shown)
    if do == "accept":
        done = deciding.accept(corpus=corpus, proposals=pks, by=by, now=now, shown=shown)
        return _said(gettext("approved"), done)
    if do == "reject":
        return _said(
            gettext("rejected"), deciding.reject(corpus=corpus, proposals=pks, by=by, now=now)
        )
    if do == "back":
        return _said(
            gettext("waiting again"), deciding.take_back(corpus=corpus, proposals=pks, by=by)
        )
    if do == "edit":
        return gettext("Saved.")
    raise CannotDecide("unknown_action", gettext("Unknown action for a query."))


def _said(what: str, decided: DecidedQueries) -> str:
    n = decided.done
    words = {"n": f"{n:,}", "what": what}
    sentences = [ngettext("%(n)s query %(what)s.", "%(n)s queries %(what)s.", n) % words]
    if decided.same:
        sentences.append(gettext("Skipped as duplicates of topics: %(n)s.") % {"n": decided.same})
    if decided.late:
        sentences.append(gettext("Unchanged: %(n)s.") % {"n": decided.late})
    return " ".join(sentences)


def _chosen(request: HttpRequest) -> list[int]:
    """Return the chosen ids. Raises CannotDecide.

    The whole list is what the page showed: proposals since then are not included.
    """
    if request.POST.get("all"):
        pks = _numbers(request.POST.get("listed", "").split(","))
    else:
        pks = _numbers(request.POST.getlist("proposal"))
    if not pks:
        raise CannotDecide("nothing_selected", gettext("Select a query first."))
    if len(pks) > MOST_AT_ONCE:
        raise CannotDecide(
            "too_many",
            gettext("Select at most %(n)s queries.") % {"n": f"{MOST_AT_ONCE:,}"},
        )
    return pks


def _shown(request: HttpRequest) -> str:
    """Return the state in which the queries were shown: of the row, or else of the list."""
    state = request.POST.get("shown", request.POST.get("state", ""))
    return state if state in State.values else State.WAITING


def _numbers(typed: Sequence[str]) -> list[int]:
    return [int(number) for number in typed if _is_number(number)]


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) <= MOST_DIGITS


def _narrowed(said: Any) -> ProposalFilter:
    state, round_number = said.get("state", ""), said.get("round", "")
    return ProposalFilter(
        state=state if state in State.values else State.WAITING,
        round=int(round_number) if _is_number(round_number) else None,
        alike=bool(said.get("alike")),
        sample=_sample(said),
    )


def _sample(said: Any) -> StratifiedSample | None:
    """Return the sample of a form: `of` and `take` are lists of rounds and sizes."""
    pairs = zip(said.getlist("of"), said.getlist("take"), strict=False)
    sizes = [
        (int(query_round), min(int(size), LARGEST_SAMPLE))
        for query_round, size in pairs
        if _is_number(query_round) and _is_number(size) and int(size)
    ]
    seed = said.get("seed", "")
    return StratifiedSample(tuple(sizes), int(seed) if _is_number(seed) else 0) if sizes else None


def _address(corpus: Corpus, narrowed: ProposalFilter) -> str:
    parameters: dict[str, Any] = {"state": narrowed.state}
    if narrowed.round is not None:
        parameters["round"] = narrowed.round
    if narrowed.alike:
        parameters["alike"] = 1
    if narrowed.sample is not None:
        parameters["of"] = [query_round for query_round, _ in narrowed.sample.sizes]
        parameters["take"] = [size for _, size in narrowed.sample.sizes]
        parameters["seed"] = narrowed.sample.seed
    address = reverse("corpus_query_review", args=[corpus.slug])
    return f"{address}?{urlencode(parameters, doseq=True)}"


@login_required
@require_GET
def file(request: HttpRequest, slug: str, form: str) -> HttpResponseBase:
    """Send all proposals, or those of a state, as CSV (`?excel`: for Excel) or JSONL."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EXPORT)
    state = request.GET.get("state", "")
    rows = files.rows(corpus, state=state if state in State.values else "")
    excel = form == "csv" and "excel" in request.GET
    lines: Iterator[str] = (
        files.as_csv(rows, excel=excel) if form == "csv" else files.as_jsonl(rows)
    )
    kind = "text/csv" if form == "csv" else "application/x-ndjson"
    name = f"{corpus.slug}-queries.{EXCEL if excel else form}"
    return StreamingHttpResponse(
        lines,
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
