"""Pages of rounds in which a model proposes entries of a bank."""

from functools import partial
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.corpora_views import head
from annotation.models import Topic, WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.banks import (
    adding,
    deleting_rounds,
    generating,
    setting_up,
    starting_rounds,
    wording,
)
from judging.banks.setting_up import (
    LONGEST_SUBTOPIC,
    MOST_ENTRIES,
    MOST_PASSAGES,
    MOST_RESPONSES,
    MOST_SUBTOPICS,
    EntrySettings,
    MarkedSpan,
    subtopics_of,
)
from judging.calls.asking import BadAsker
from judging.models import Bank, BankEntry, EntryPrompt, EntryRound
from judging.pages import asker_views, askers
from judging.pages.askers import NEW, AskerForm, TermsForm, copy_of, count_field, terms_of
from judging.pages.bank_adding import source_of
from judging.pages.banks import bank_of, number_in

FROM_SELECTION = 3  # default number of entries for a selection


class EntryRoundForm(AskerForm):
    currency = forms.RegexField("^[A-Z]{3}$")
    number = count_field(least=1, most=MOST_ENTRIES)
    passages = count_field(most=MOST_PASSAGES)
    responses = count_field(most=MOST_RESPONSES, required=False)
    subtopics = forms.CharField(required=False, max_length=2000)
    which = forms.ChoiceField(choices=[("all", ""), ("empty", ""), ("one", "")])
    topic = forms.CharField(required=False, max_length=20)

    def manner(self) -> EntrySettings:
        settings = self.settings("number", "passages", "responses", "currency")
        return EntrySettings(**settings | {"responses": settings["responses"] or 0})

    def topics(self, bank: Bank) -> list[Topic]:
        """Return the chosen topics."""
        which = self.cleaned_data["which"]
        if which == "one":
            topic = number_in(self.cleaned_data["topic"])
            return list(Topic.objects.filter(corpus=bank.corpus, pk=topic))
        return starting_rounds.topics_of(bank, which)


@login_required
@require_http_methods(["GET", "POST"])
def round_new(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Create a round, or preview its prompt and price."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    check_right(corpus, Act.RUN)
    context: dict[str, Any] = head(corpus, "banks") | {"bank": bank}
    context |= {"variables": wording.VARIABLES}
    show = partial(_form_page, request, bank, context)
    if request.method == "GET":
        return show(EntryRoundForm(initial=_begun(request, bank)))
    return asker_views.answer_new(
        request,
        EntryRoundForm(request.POST),
        show=show,
        preview=partial(_typed_preview, bank),
        save=lambda form: address(_set_up(request, bank, form)),
    )


@login_required
@require_GET
def round_page(request: HttpRequest, slug: str, pk: int, round: int) -> HttpResponse:
    """Show progress, failures and prompt of a round. htmx requests only the progress."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    one = round_of(bank_of(corpus, pk), round)
    if request.headers.get("HX-Request"):
        return render(request, "console/banks/_round_progress.html", _progress(one))
    return _page(request, one, TermsForm(initial=terms_of(one)))


@login_required
@require_POST
def round_act(request: HttpRequest, slug: str, pk: int, round: int) -> HttpResponse:
    """Apply an action to a round: run, pause, retry, change terms, delete or restore."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    one = round_of(bank_of(corpus, pk), round)
    check_right(corpus, Act.RUN)
    now = database_now()
    return asker_views.answer_round_act(
        request,
        one,
        show=partial(_page, request, one),
        at=address(one),
        list_at=reverse("corpus_bank", args=[slug, pk]),
        kind=WorkNotice.Kind.ENTRIES,
        task=tasks.propose_entries,
        delete=partial(deleting_rounds.delete, now=now),
        restore=partial(deleting_rounds.restore, now=now),
    )


def round_of(bank: Bank, pk: int) -> EntryRound:
    """Return a round of a bank that was looked up for a person. Raises Http404."""
    rows = EntryRound.objects.select_related("prompt")
    one: EntryRound = get_object_or_404(rows, bank=bank, pk=pk)
    one.bank = bank
    return one


def address(one: EntryRound) -> str:
    return reverse("corpus_bank_round", args=[one.bank.corpus.slug, one.bank_id, one.pk])


def _begun(request: HttpRequest, bank: Bank) -> dict[str, Any]:
    """Return the initial form values, copied from another round or from the default prompt."""
    by_subtopic = request.GET.get("wording") == "subtopic"
    ready = (wording.SUBTOPIC if by_subtopic else wording.READY)[bank.kind]
    topic = number_in(request.GET.get("topic", ""))
    begun = NEW | {"currency": "USD", "max_tokens": 1000, "number": 10, "passages": 0}
    begun |= {"responses": 0, "subtopics": _facets(bank, topic) if by_subtopic else ""}
    begun |= {"prompt": ready.key, "system": ready.system, "user": ready.user}
    begun |= {"which": "one" if topic else "all", "topic": topic or ""}
    if selected := request.GET.get("selected", "").replace("\x00", "")[: adding.LONGEST]:
        begun |= {"user": wording.about(ready.user, selected), "number": FROM_SELECTION}
    other = askers.asker_to_copy(request, EntryRound.objects.filter(bank=bank))
    if other is None:
        return begun
    names = ("currency", "number", "passages", "responses")
    copied = {name: getattr(other, name) for name in names}
    copied |= {"subtopics": "\n".join(other.subtopics)}
    return begun | {"temperature": None, "seed": None} | copy_of(other) | copied


def _facets(bank: Bank, topic: int) -> str:
    """Return the subtopics of a topic that have entries, one per line."""
    rows = BankEntry.objects.filter(bank=bank, topic=topic).exclude(facet="")
    facets = rows.order_by("facet").values_list("facet", flat=True).distinct()
    short = [facet for facet in facets if len(facet) <= LONGEST_SUBTOPIC]
    return "\n".join(short[:MOST_SUBTOPICS])


def _form_page(
    request: HttpRequest,
    bank: Bank,
    context: dict[str, Any],
    form: EntryRoundForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    topic = Topic.objects.filter(corpus=bank.corpus, pk=number_in(str(form["topic"].value() or "")))
    context |= {
        "form": form,
        "priced": {"currency": form["currency"].value()},
        "one_topic": topic.first(),
        "source": _source_fields(request),
        **more,
    }
    return render(request, "console/banks/round_new.html", context, status=status)


def _source_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the request parameters that identify a selection."""
    sent = request.POST if request.method == "POST" else request.GET
    names = ("selected", "passage", "response")
    return [(name, sent[name][: adding.LONGEST]) for name in names if sent.get(name)]


def _typed_preview(bank: Bank, form: EntryRoundForm) -> dict[str, Any]:
    """Return a preview of the unsaved form values. Raises BadPrompt and BadAsker."""
    data = form.cleaned_data
    words = form.wording()
    wording.check(**words)
    subtopics = subtopics_of(data["subtopics"])
    wording.check_subtopics(**words, subtopics=subtopics)
    manner, terms, topics = form.manner(), form.terms(), form.topics(bank)
    if not topics:
        raise BadAsker("no_topics", gettext("No topics match."))
    one = EntryRound(
        bank=bank,
        prompt=EntryPrompt(corpus=bank.corpus, **words),
        number=manner.number,
        passages=manner.passages,
        responses=manner.responses,
        subtopics=subtopics,
        settings=manner.settings,
        price_in=terms.price_in,
        price_out=terms.price_out,
    )
    forecast = generating.forecast_of(one, [topic.pk for topic in topics])
    told = generating.messages_of(one, topics[0], next(iter(subtopics), ""))
    return {"told": told, "forecast": forecast}


def _set_up(request: HttpRequest, bank: Bank, form: EntryRoundForm) -> EntryRound:
    """Save the prompt and the round, or neither. Raises BadPrompt or BadAsker."""
    how: dict[str, Any] = {"terms": form.terms(), "manner": form.manner(), "corpus": bank.corpus}
    how["owner"] = {
        "bank": bank,
        "topics": form.topics(bank),
        "subtopics": form.cleaned_data["subtopics"].splitlines(),
        "span": _span(request, bank),
    }
    made: EntryRound = asker_views.set_up(setting_up, form.cleaned_data, user_of(request), **how)
    return made


def _span(request: HttpRequest, bank: Bank) -> MarkedSpan:
    source = source_of(bank.corpus, request.POST)
    start, end = source.span
    return MarkedSpan(source.passage, source.response, start, end)


def _progress(one: EntryRound) -> dict[str, Any]:
    context = askers.progress_context(one)
    return context | {
        "corpus": one.bank.corpus,
        "owner": one.bank.corpus,
        "round_url": address(one),
        "act_url": f"{address(one)}act/",
        "new_url": reverse("corpus_bank_round_new", args=[one.bank.corpus.slug, one.bank_id]),
        "bank": one.bank,
        "round": one,
        "forecast": None if context["progress"].calls else generating.forecast_of(one),
        "added": one.calls.aggregate(added=Sum("added"), same=Sum("same")),
        "unread": generating.unread_replies(one),
    }


def _page(request: HttpRequest, one: EntryRound, form: TermsForm) -> HttpResponse:
    """Render the page of a round; refused terms keep the entered values."""
    corpus, first = one.bank.corpus, one.topics.order_by("pk").first()
    told = generating.messages_of(one, first, next(iter(one.subtopics), "")) if first else []
    context = _progress(one) | head(corpus, "banks") | {"told": told}
    return asker_views.answer_round(
        request, "console/banks/round.html", one, form, context, "topic"
    )
