"""Page to add an entry to a bank, optionally from a selection in a text."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.console.corpora_views import head
from annotation.lists import with_query
from annotation.models import Corpus, Passage, Response, Topic
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.banks import adding
from judging.banks.adding import Author, NewEntry
from judging.banks.spans import span_of
from judging.models import Bank, EntryDecision
from judging.pages.banks import MOST_TOPICS, bank_address, number_in


@dataclass(frozen=True)
class EntrySource:
    """The passage or response with the selected words that a new entry is based on."""

    passage: Passage | None = None
    response: Response | None = None
    selected: str = ""

    @property
    def topic(self) -> Topic | None:
        source = self.passage or self.response
        return source.topic if source else None

    @property
    def span(self) -> tuple[int, int] | tuple[None, None]:
        source = self.passage or self.response
        return (span_of(source.text, self.selected) if source else None) or (None, None)


@login_required
@require_http_methods(["GET", "POST"])
def entry_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a new entry, or add the entry."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.EDIT)
    sent = request.POST if request.method == "POST" else request.GET
    source = source_of(corpus, sent)
    topic = source.topic or _topic(corpus, sent)
    if request.method == "GET":
        return _page(request, corpus, source, topic, text=source.selected)
    text = sent.get("text", "")
    try:
        bank = _bank(corpus, sent)
        if topic is None:
            raise Refusal("EntryTopic", Sentence("Choose a topic."), status=400)
        if sent.get("do") == "model":
            return redirect(_to_model(bank, topic, source))
        new = _new(topic, source, sent)
        adding.add(bank=bank, entry=new, by=user_of(request), now=database_now())
    except Refusal as refusal:
        return _page(request, corpus, source, topic, text=text, refused=translated_error(refusal))
    messages.success(request, gettext("Entry added and confirmed."))
    return redirect(f"{bank_address(bank)}?topic={topic.pk}")


def _to_model(bank: Bank, topic: Topic, source: EntrySource) -> str:
    """Return the address of the round form for the selected words."""
    there = reverse("corpus_bank_round_new", args=[bank.corpus.slug, bank.pk])
    of_source = {
        name: row.pk
        for name, row in (("passage", source.passage), ("response", source.response))
        if row is not None
    }
    return with_query(there, {"topic": topic.pk, "selected": source.selected, **of_source})


def _new(topic: Topic, source: EntrySource, sent: QueryDict) -> NewEntry:
    importance = sent.get("importance", "")
    known = importance in EntryDecision.Importance.values
    start, end = source.span
    return NewEntry(
        topic,
        sent.get("text", ""),
        importance=importance if known else "",
        author=Author.PERSON,
        passage=source.passage,
        response=source.response,
        start=start,
        end=end,
    )


def _page(
    request: HttpRequest,
    corpus: Corpus,
    source: EntrySource,
    topic: Topic | None,
    *,
    text: str,
    refused: str = "",
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    context: dict[str, Any] = head(corpus, "banks") | {
        "banks": Bank.objects.filter(corpus=corpus).order_by("name"),
        "bank": number_in(sent.get("bank", "")),
        "topics": Topic.objects.filter(corpus=corpus).order_by("pk")[:MOST_TOPICS],
        "topic": topic,
        "source": source,
        "text": " ".join(text.replace("\x00", "").split()),
        "importance": sent.get("importance", ""),
        "refused": refused,
    }
    return render(request, "console/banks/entry_new.html", context, status=422 if refused else 200)


def source_of(corpus: Corpus, sent: QueryDict) -> EntrySource:
    """Return the source given by the parameters of a request."""
    selected = sent.get("selected", "").replace("\x00", "")[: adding.LONGEST]
    passages = Passage.objects.filter(topic__corpus=corpus).select_related("topic")
    responses = Response.objects.with_text().filter(topic__corpus=corpus).select_related("topic")
    passage = passages.filter(pk=number_in(sent.get("passage", ""))).first()
    response = responses.filter(pk=number_in(sent.get("response", ""))).first()
    if not passage and not response and (sent.get("passage") or sent.get("response")):
        selected = ""  # the text was withdrawn or deleted since
    return EntrySource(passage, None if passage else response, selected)


def _topic(corpus: Corpus, sent: QueryDict) -> Topic | None:
    """Return the topic given by its id or its key."""
    topics = Topic.objects.filter(corpus=corpus)
    chosen = sent.get("topic", "").replace("\x00", "")
    return topics.filter(pk=number_in(chosen)).first() or topics.filter(key=chosen[:200]).first()


def _bank(corpus: Corpus, sent: QueryDict) -> Bank:
    banks = Bank.objects.select_related("corpus").filter(corpus=corpus)
    bank = banks.filter(pk=number_in(sent.get("bank", ""))).first()
    if bank is None:
        raise Refusal("NoBank", Sentence("Choose a bank."), status=400)
    return bank
