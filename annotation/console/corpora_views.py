"""The researcher's pages of corpora: all of them, what one holds, and what is done to one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.shown_texts import texts_of
from annotation.corpora import contents, curating
from annotation.corpora.images.shown import image_response
from annotation.corpora.systems import writer_of
from annotation.corpora.threads import response_context, topic_context
from annotation.lists import page_of
from annotation.models import Corpus, Draft, Response, Topic
from annotation.models.studies import StudyQuerySet
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

ROWS_A_PAGE = 50


def _corpus(request: HttpRequest, slug: str, may: Act = Act.VIEW) -> Corpus:
    return access.corpus_for(request.user, slug=slug, may=may)


def _studies(request: HttpRequest, corpus: Corpus) -> StudyQuerySet:
    """Those that draw from it and that somebody may see."""
    return access.visible_studies(request.user).filter(corpus=corpus).order_by("-created_at", "-pk")


def _drafts(request: HttpRequest, corpus: Corpus) -> "QuerySet[Draft]":
    """Return the visible drafts that use this corpus."""
    return access.seen_by(request.user, curating.drafts_of(corpus)).order_by("-changed_at", "-pk")


@login_required
@require_GET
def corpora(request: HttpRequest) -> HttpResponse:
    every = list(access.seen_by(request.user, Corpus.objects.order_by("name", "pk")))
    held = contents.counts(every)
    context = {
        "rows": [(one, held[one.pk]) for one in every if not one.deleted_at],
        "deleted": [
            (one, one.deleted_at + curating.KEPT_FOR)
            for one in every
            if one.deleted_at and access.may(one, Act.MANAGE)
        ],
    }
    return render(request, "console/corpora.html", context)


@login_required
@require_GET
def corpus(request: HttpRequest, slug: str) -> HttpResponse:
    one = _corpus(request, slug)
    context = {
        **head(one, "overview"),
        "origins": contents.origins(one),
        "studies": _studies(request, one),
        "drafts": _drafts(request, one),
    }
    return render(request, "console/corpus.html", context)


@login_required
@require_GET
def corpus_part(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """One list of a corpus, searched, a page at a time."""
    one = _corpus(request, slug)
    if part not in contents.PARTS:
        raise Http404("List not found.")
    shown = contents.PARTS[part]
    query = shown.query_in(request)
    narrowed = shown.narrowed(one, query)
    is_possible = all(name is not None for *_, name in narrowed)
    rows = shown.matching(one, query) if is_possible else shown.rows(one).none()
    # Texts are searched once: counting what is found and reading a page of it would be twice.
    keys = list(rows.values_list("pk", flat=True)) if query["q"] else None
    page = page_of(rows if keys is None else keys, request, rows_a_page=ROWS_A_PAGE)
    if keys is not None:
        page.object_list = shown.read(one, page.object_list)
    context = {
        **head(one, part),
        "part": shown,
        "q": query["q"],
        "narrowed": [(list_filter.title, name or value) for list_filter, value, name in narrowed],
        "kept": [(list_filter.name, value) for list_filter, value, _ in narrowed],
        "page": page,
        "template": f"console/corpus/_{part}.html",
    }
    if part == "responses":
        context["varied"] = contents.varied(one)
    return render(request, "console/corpus_part.html", context)


@login_required
@require_GET
def corpus_topic(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a topic with its passages and responses."""
    one = _corpus(request, slug)
    topic = get_object_or_404(Topic, corpus=one, pk=pk)
    responses = list(contents.responses(one).filter(topic=topic))
    for response in responses:
        response.name = writer_of(response)  # type: ignore[attr-defined]
    texts = texts_of(one, request)
    context = {
        **head(one, "topics"),
        **topic_context(topic, texts),
        "topic": topic,
        "texts": texts,
        "passages": contents.passages_of(topic),
        "responses": responses,
        "rankings": contents.systems_that_rank(topic),
    }
    return render(request, "console/corpus_topic.html", context)


@login_required
@require_GET
def corpus_response(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a response beside the passages that it cites."""
    one = _corpus(request, slug)
    response = get_object_or_404(
        Response.objects.select_related("topic", "system"), corpus=one, pk=pk
    )
    passages = contents.passages_of(response.topic)
    cited = set(response.citations.values_list("passage_id", flat=True))
    for passage in passages:
        passage.is_cited = passage.pk in cited  # type: ignore[attr-defined]
    context = {
        **head(one, "responses"),
        **response_context(response, texts_of(one, request)),
        "response": response,
        "passages": passages,
        "cited_count": len(cited),
    }
    return render(request, "console/corpus_response.html", context)


@login_required
@require_GET
def corpus_image(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Send an image of a text."""
    return image_response(_corpus(request, slug).pk, digest)


@login_required
@require_GET
def study_image(request: HttpRequest, slug: str, version: int, digest: str) -> HttpResponse:
    """Send an image of a text to people who see a study and perhaps not its corpus."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    return image_response(study.corpus_id, digest)


@login_required
@require_http_methods(["GET", "POST"])
def corpus_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Its name and licence, and how to delete it."""
    one = _corpus(request, slug, Act.EDIT)
    values = {"name": one.name, "licence": one.licence}
    faults: dict[str, Any] = {}
    if request.method == "POST":
        values = {field: request.POST.get(field, "").replace("\x00", "") for field in values}
        try:
            with transaction.atomic():
                curating.describe(corpus=one, **values)
                access.record(
                    user=request.user, act="described a corpus", what=values["name"], of=one
                )
        except ValidationError as error:
            faults = error.message_dict
        except Refusal as refusal:
            messages.error(request, translated_error(refusal))
            return redirect("corpora")
        else:
            messages.success(request, gettext("Saved."))
            return redirect("corpus_settings", slug)
    return _settings(request, slug, values=values, faults=faults)


@login_required
@require_POST
def delete_corpus(request: HttpRequest, slug: str) -> HttpResponse:
    one = _corpus(request, slug, Act.MANAGE)
    typed = request.POST.get("typed", "")
    try:
        with transaction.atomic():
            until = curating.delete(corpus=one, typed=typed, now=database_now())
            access.record(user=request.user, act="deleted a corpus", what=one.name, of=one)
    except Refusal as refusal:
        faults = {"typed": [translated_error(refusal)]}
        values = {"name": one.name, "licence": one.licence, "typed": typed}
        return _settings(request, slug, values=values, faults=faults)
    messages.success(
        request,
        gettext("{one} deleted. You can restore it until {until:%-d %B, %H:%M} (UTC).").format(
            one=one, until=until
        ),
    )
    return redirect("corpora")


@login_required
@require_POST
def bring_back_corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the deletion of a corpus."""
    one = access.one_for(request.user, Corpus.objects.all(), slug=slug, may=Act.MANAGE)
    try:
        with transaction.atomic():
            back = curating.bring_back(corpus=one)
            access.record(user=request.user, act="restored a corpus", what=one.name, of=one)
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
        return redirect("corpora")
    messages.success(request, gettext("{name} restored.").format(name=back))
    return redirect(back)


def _settings(
    request: HttpRequest, slug: str, *, values: dict[str, str], faults: dict[str, Any]
) -> HttpResponse:
    one = _corpus(request, slug)
    context = {**head(one, "settings"), "values": values, "faults": faults}
    if any(used := curating.uses(one)):
        context["in_use"] = curating.why_in_use(one, *used)
        context |= {"studies": _studies(request, one), "drafts": _drafts(request, one)}
    return render(request, "console/corpus_settings.html", context, status=400 if faults else 200)


def head(corpus: Corpus, at: str) -> dict[str, Any]:
    """Return the context of every page of a corpus: name, tabs and counts."""
    return {
        "corpus": corpus,
        "held": SimpleLazyObject(lambda: contents.counts([corpus])[corpus.pk]),
        "parts": contents.PARTS.values(),
        "at": at,
    }
