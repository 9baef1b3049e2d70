"""Pages that list the banks of a corpus and the entries of a bank."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.corpora_views import head
from annotation.lists import page_of, parameter, search_words
from annotation.models import Corpus, Passage, Study
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.studies.drafts import making
from annotation.studies.drafts.contacts import with_contact
from annotation.studies.drafts.plain_data import BadDocument
from annotation.studies.drafts.workload import outline_or_why
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.banks import adding, histories, listing, oversight
from judging.banks.listing import EntryFilter
from judging.banks.studies import method_of
from judging.models import Bank, BankEntry, EntryDecision, EntryRound

ROWS_A_PAGE = 50
MOST_TOPICS = 200  # in the list to choose from
MOST_ROUNDS = 50
MOST_DIGITS = 18  # of an id that a database takes
State, Importance = EntryDecision.State, EntryDecision.Importance
WEIGHTS = [choice for choice in Importance.choices if choice[0]]
STATES = ("", *State.values, "all")
OVERSIGHT = ("spurious", "uncovered", "universal", "hard", "apart", "stale")  # work lists
IMPORTANCES = (*Importance.values, "none")


@login_required
@require_http_methods(["GET", "POST"])
def banks(request: HttpRequest, slug: str) -> HttpResponse:
    """List the banks of a corpus, or create a bank."""
    act = Act.EDIT if request.method == "POST" else Act.VIEW
    corpus = access.corpus_for(request.user, slug=slug, may=act)
    if request.method == "POST":
        name, kind = request.POST.get("name", ""), request.POST.get("kind", "")
        try:
            if kind not in Bank.Kind.values:
                raise Refusal("BankKind", Sentence("Choose questions or nuggets."), status=400)
            by, now = user_of(request), database_now()
            bank = adding.make(corpus=corpus, name=name, kind=kind, by=by, now=now)
        except Refusal as refusal:
            context = {"typed": name, "kind": kind, "refused": translated_error(refusal)}
            return render(request, "console/banks/list.html", _list(corpus) | context, status=422)
        return redirect("corpus_bank", slug, bank.pk)
    return render(request, "console/banks/list.html", _list(corpus))


@login_required
@require_GET
def bank_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the entries of a bank by topic."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    narrowed = filter_of(request)
    secrets = access.may(corpus, Act.EDIT)
    matching = listing.matching(bank, narrowed, secrets=secrets)
    ids = list(matching.values_list("entry", flat=True))
    page = page_of(ids, request, rows_a_page=ROWS_A_PAGE)
    topics = listing.topics_of(bank, most=MOST_TOPICS + 1)
    counts = listing.state_counts(corpus)[bank.pk]
    context = head(corpus, "banks") | {
        "bank": bank,
        "page": page,
        "rows": listing.listed(bank, list(page.object_list), secrets=secrets),
        "narrowed": narrowed,
        "counts": {state: counts[state] for state in State.values},
        "not_retired": counts.total() - counts[State.RETIRED],
        "total": counts.total(),
        "importances": [*WEIGHTS, ("none", gettext("Not set"))],
        "weights": WEIGHTS,
        "topics": topics if len(topics) <= MOST_TOPICS else [],
        "studies": _studies(request, bank),
        "rounds": EntryRound.objects.filter(bank=bank).order_by("pk")[:MOST_ROUNDS],
        "here": address(bank, narrowed),
    }
    return render(request, "console/banks/bank.html", context)


@login_required
@require_POST
def bank_study(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Create a draft study on the confirmed entries of a bank, about passages or else answers."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank, by = bank_of(corpus, pk), user_of(request)
    check_right(corpus, Act.EDIT)
    has_passages = Passage.objects.filter(topic__corpus=corpus).exists()
    try:
        file = method_of(bank, method="" if has_passages else "nugget-support")
        document = making.document_of_methods(
            kind=Study.Kind.JUDGING, instruments=[file], title=bank.name, corpus=corpus
        )
        document = making.as_suggested(document, outline_or_why(document, corpus)[0])
        document = with_contact(document, user=by)
        draft = making.make_draft(document=document, user=by, now=database_now())
    except (Refusal, BadDocument) as refusal:  # such as one of too many entries
        messages.error(request, translated_error(refusal))
        return redirect(bank_address(bank))
    return redirect(draft)


@login_required
@require_GET
def bank_entry(request: HttpRequest, slug: str, pk: int, entry: int) -> HttpResponse:
    """Show the history of an entry. htmx requests only its row, with `?edit` as a form."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    rows = BankEntry.objects.filter(bank=bank).select_related("topic")
    one: BankEntry = get_object_or_404(rows, pk=entry)
    secrets = access.may(corpus, Act.EDIT)
    (listed,) = listing.listed(bank, [one.pk], secrets=secrets)
    context: dict[str, Any] = head(corpus, "banks") | {
        "bank": bank,
        "row": listed,
        "weights": WEIGHTS,
        "aggregators": EntryDecision.Aggregator.choices,
    }
    if request.headers.get("HX-Request"):
        is_opened = "edit" in request.GET and secrets
        context |= {"is_opened": is_opened, "stays": True, "oversees": work_list(request.GET)}
        return render(request, "console/banks/_entry.html", context)
    if secrets or not listed.entry.secret:
        context["wordings"] = histories.wordings(bank, one, secrets=secrets)
        context["texts"] = oversight.graded_texts(bank, one.key)
    return render(request, "console/banks/entry.html", context)


def work_list(sent: QueryDict) -> str:
    """Return the name of the work list that the request came from, or ""."""
    name = sent.get("list", "")
    return name if name in OVERSIGHT else ""


def bank_of(corpus: Corpus, pk: int) -> Bank:
    """Return a bank of a corpus, which already knows the role of the user."""
    bank: Bank = get_object_or_404(Bank, corpus=corpus, pk=pk)
    bank.corpus = corpus  # has the role of the user
    return bank


def filter_of(request: HttpRequest) -> EntryFilter:
    state, importance = parameter(request, "state"), parameter(request, "importance")
    return EntryFilter(
        state=state if state in STATES else "",
        importance=importance if importance in IMPORTANCES else "",
        topic=number_in(parameter(request, "topic")) or None,
        words=search_words(request),
    )


def address(bank: Bank, narrowed: EntryFilter) -> str:
    """Return the address of the bank page with this filter."""
    values = {
        "q": narrowed.words,
        "state": narrowed.state,
        "importance": narrowed.importance,
        "topic": narrowed.topic or "",
    }
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{bank_address(bank)}?{query}" if query else bank_address(bank)


def bank_address(bank: Bank) -> str:
    return reverse("corpus_bank", args=[bank.corpus.slug, bank.pk])


def number_in(typed: str) -> int:
    """Return the id in a parameter, or 0 if it is not a valid id."""
    return int(typed) if typed.isdecimal() and len(typed) <= MOST_DIGITS else 0


def _list(corpus: Corpus) -> dict[str, Any]:
    counts = listing.state_counts(corpus)
    rows = Bank.objects.filter(corpus=corpus).defer("extra").order_by("name", "pk")
    used = rows.annotate(studies=Count("instruments__study", distinct=True))
    return head(corpus, "banks") | {
        "rows": [(bank, {state: counts[bank.pk][state] for state in State.values}) for bank in used]
    }


def _studies(request: HttpRequest, bank: Bank) -> list[Any]:
    rows = access.visible_studies(request.user).filter(instruments__bank=bank)
    return list(rows.distinct().order_by("-created_at", "-pk")[:20])
