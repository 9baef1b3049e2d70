"""Pages of rounds of queries."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.console.corpora_views import head
from annotation.models import Corpus, Passage, WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.calls.asking import BadAsker
from judging.models import ProposedQuery, QueryPrompt, QueryRound
from judging.pages import asker_views, askers, query_forms
from judging.pages.askers import TermsForm, terms_of
from judging.queries import deleting, setting_up, wording
from judging.queries.answers import answers_of
from judging.queries.forecasts import RoundForecast, forecast_of
from judging.queries.passage_choice import chosen
from judging.queries.preparing import messages_of

State = ProposedQuery.State


@dataclass(frozen=True)
class RoundPreview:
    """Messages about a passage, and the forecast of the round."""

    passage: Passage
    messages: list[dict[str, str]]
    forecast: RoundForecast


@login_required
@require_GET
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rounds of a corpus with their progress and proposals."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    query_rounds = QueryRound.objects.filter(corpus=corpus).select_related("prompt")
    counts = {
        state: Count("calls__proposals", filter=Q(calls__proposals__state=state))
        for state in State.values
    }
    listed = list(query_rounds.annotate(**counts))
    every = list(zip(listed, answers_of(listed), strict=True))
    gone = QueryRound.State.WITHDRAWN
    rows = [row for row in every if row[0].state != gone]
    context = head(corpus, "queries") | {
        "rows": rows,
        "deleted": [row for row in every if row[0].state == gone],
        "waiting": sum(row.waiting for row, _ in rows),  # type: ignore[attr-defined]
    }
    return render(request, "console/queries/list.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def round_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Set a round up, or preview its prompt about a real passage, and its price."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.RUN)
    context: dict[str, Any] = head(corpus, "queries") | {"variables": wording.VARIABLES}

    def show(form: query_forms.RoundForm, *, status: int = 200, **more: Any) -> HttpResponse:
        priced = {"currency": form["currency"].value()}  # for the labels of the prices
        shown = context | {"form": form, "priced": priced} | more
        return render(request, "console/queries/new.html", shown, status=status)

    if request.method == "GET":
        return show(query_forms.RoundForm(initial=_begun(request, corpus)))
    return asker_views.answer_new(
        request,
        query_forms.RoundForm(request.POST),
        show=show,
        preview=partial(_typed_preview, corpus),
        save=lambda form: address(_set_up(request, corpus, form)),
    )


@login_required
@require_GET
def round_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a round: progress, failures, prompt. htmx requests the progress alone."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    query_round = _round(corpus, pk)
    if request.headers.get("HX-Request"):
        return render(request, "console/queries/_progress.html", _progress(corpus, query_round))
    return _page(request, corpus, query_round, TermsForm(initial=terms_of(query_round)))


def _page(request: HttpRequest, corpus: Corpus, one: QueryRound, form: TermsForm) -> HttpResponse:
    """Render the page of a round; refused terms stay as typed."""
    first = one.passages.select_related("topic").order_by("pk").first()
    context = _progress(corpus, one) | head(corpus, "queries")
    context |= {"first": first, "told": messages_of(one, first) if first else []}
    return asker_views.answer_round(
        request, "console/queries/round.html", one, form, context, "passage"
    )


@login_required
@require_POST
def round_act(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Run, pause, retry failed calls, change the terms, delete, or restore."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    query_round = _round(corpus, pk)
    check_right(corpus, Act.RUN)
    return asker_views.answer_round_act(
        request,
        query_round,
        show=partial(_page, request, corpus, query_round),
        at=address(query_round),
        list_at=reverse("corpus_queries", args=[slug]),
        kind=WorkNotice.Kind.QUERIES,
        task=tasks.propose,
        delete=deleting.delete,
        restore=deleting.restore,
    )


def address(one: QueryRound) -> str:
    return reverse("corpus_query_round", args=[one.corpus.slug, one.pk])


def _round(corpus: Corpus, pk: int) -> QueryRound:
    rows = QueryRound.objects.select_related("corpus", "prompt")
    return get_object_or_404(rows, corpus=corpus, pk=pk)


def _begun(request: HttpRequest, corpus: Corpus) -> dict[str, Any]:
    """Return the initial values: those of another round, or the ready wording."""
    other = askers.asker_to_copy(request, QueryRound.objects.filter(corpus=corpus))
    return query_forms.begun() | (query_forms.like(other) if other is not None else {})


def _examples(corpus: Corpus, form: query_forms.RoundForm) -> tuple[str, ...]:
    data = form.cleaned_data
    return setting_up.examples_of(
        corpus,
        typed=data["examples"],
        topics=data["from_topics"] or 0,
        seed=data["drawn_by"] or 0,
    )


def _typed_preview(corpus: Corpus, form: query_forms.RoundForm) -> RoundPreview:
    """Return the preview of typed values before they are saved. Raises BadPrompt and BadAsker."""
    words = form.wording()
    wording.check(**words)
    manner, terms = form.manner(_examples(corpus, form)), form.terms()
    prompt = QueryPrompt(corpus=corpus, **words)
    query_round = QueryRound(
        corpus=corpus,
        prompt=prompt,
        number=manner.number,
        joined=form.cleaned_data["joined"],
        examples=list(manner.examples),
        settings=manner.settings,
        price_in=terms.price_in,
        price_out=terms.price_out,
    )
    passages = chosen(corpus, form.choice())
    if not passages:
        raise BadAsker("no_passages", gettext("No passages match."))
    shown = Passage.objects.select_related("topic").get(pk=passages[0])
    return RoundPreview(shown, messages_of(query_round, shown), forecast_of(query_round, passages))


def _set_up(request: HttpRequest, corpus: Corpus, form: query_forms.RoundForm) -> QueryRound:
    """Save the prompt and the round. Raises BadPrompt or BadAsker; then neither is saved."""
    how: dict[str, Any] = {"terms": form.terms(), "manner": form.manner(_examples(corpus, form))}
    how |= {"corpus": corpus, "owner": {"corpus": corpus, "choice": form.choice()}}
    made: QueryRound = asker_views.set_up(setting_up, form.cleaned_data, user_of(request), **how)
    return made


def _progress(corpus: Corpus, one: QueryRound) -> dict[str, Any]:
    context = askers.progress_context(one)
    proposed = ProposedQuery.objects.filter(call__round=one)
    counts = {state: Count("pk", filter=Q(state=state)) for state in State.values}
    return context | {
        "corpus": corpus,
        "owner": corpus,
        "round": one,
        "round_url": address(one),
        "act_url": reverse("corpus_query_act", args=[corpus.slug, one.pk]),
        "new_url": reverse("corpus_queries_new", args=[corpus.slug]),
        "forecast": None if context["progress"].calls else forecast_of(one),
        "proposed": proposed.aggregate(n=Count("pk"), **counts),
    }
