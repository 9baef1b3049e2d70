"""Decisions on the entries of a bank, from its page."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from annotation.clock import database_now
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.banks import adding, deciding, deleting, listing, undoing
from judging.banks.appending import Change, Decided
from judging.models import Bank, EntryDecision
from judging.pages.banks import WEIGHTS, bank_address, bank_of, number_in, work_list

MOST_AT_ONCE = 1_000  # entries per action
MOST_ANSWERS = 100
State = EntryDecision.State
Shown = dict[int, int]


@login_required
@require_POST
def bank_act(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Apply an action to one entry or to the selected ones. htmx gets the row of a single one."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    check_right(corpus, Act.EDIT)
    entry, message, fault = 0, "", ""
    try:
        shown = _shown(request)
        entry = next(iter(shown))
        entry, message = _done(request, bank, shown)
    except Refusal as refusal:
        fault = translated_error(refusal)
    if request.headers.get("HX-Request") and entry:
        typed = request.POST.get("text") if fault else None
        context: dict[str, Any] = {
            "corpus": corpus,
            "bank": bank,
            "weights": WEIGHTS,
            "said": fault or message,
            "fault": bool(fault),
            "typed": typed,
            "is_opened": typed is not None,
            "stays": request.POST.get("do") in STAYS,
            "oversees": work_list(request.POST),
        }
        rows = listing.listed(bank, [entry])
        if rows:
            return render(request, "console/banks/_entry.html", context | {"row": rows[0]})
    if fault and (typed := request.POST.get("text")):
        fault += " " + gettext("Your text: “%(typed)s”.") % {"typed": typed}
    (messages.error if fault else messages.success)(request, fault or message)
    return redirect(_next(request) or bank_address(bank))


@login_required
@require_POST
def bank_delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a bank that no study uses."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    check_right(corpus, Act.MANAGE)
    try:
        deleting.delete(bank=bank, by=user_of(request))
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
        return redirect(bank_address(bank))
    messages.success(request, gettext("%(name)s deleted.") % {"name": bank.name})
    return redirect("corpus_banks", slug)


Answer = tuple[int, str]


def _done(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    """Apply the requested action; return the entry to show and a message. Raises Refusal."""
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise Refusal("UnknownAct", Sentence("Unknown action for an entry."), status=400)
    return act(request, bank, shown)


def _decides(change: Change, done: str) -> Callable[[HttpRequest, Bank, Shown], Answer]:
    def decide(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
        by, now = user_of(request), database_now()
        decided = deciding.decide(bank=bank, shown=shown, change=change, by=by, now=now)
        return next(iter(shown)), sentence(decided, done)

    return decide


def _importance(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    importance = request.POST.get("importance", "")
    if importance not in EntryDecision.Importance.values:
        raise Refusal("UnknownImportance", Sentence("Unknown importance."), status=400)
    return _decides(Change(importance=importance), "changed")(request, bank, shown)


def _edit(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    ((entry, revision),) = _one(shown).items()
    by, now, text = user_of(request), database_now(), request.POST.get("text", "")
    new = deciding.edit(bank=bank, entry=entry, shown=revision, text=text, by=by, now=now)
    if new.pk == entry:
        return entry, gettext("Confirmed without changes.")
    return new.pk, gettext("Saved as a new entry.")


def _answers(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    ((entry, _),) = _one(shown).items()
    lines = request.POST.get("answers", "").replace("\x00", "").splitlines()
    texts = list(dict.fromkeys(filter(None, (" ".join(line.split()) for line in lines))))
    aggregator = request.POST.get("aggregator", "")
    too_long = any(len(text) > adding.LONGEST for text in texts)
    if len(texts) > MOST_ANSWERS or too_long or aggregator not in EntryDecision.Aggregator.values:
        raise Refusal(
            "TooManyAnswers",
            Sentence("Enter at most {n} answers, one per line.", n=MOST_ANSWERS),
            status=400,
        )
    (row,) = listing.listed(bank, [entry])
    kept = {answer["answer"]: answer for answer in row.entry.answers if "answer" in answer}
    answers = [kept.get(text, {"answer": text, "references": []}) for text in texts]
    change = Change(answers=answers, aggregator=aggregator)
    return _decides(change, "changed")(request, bank, shown)


def _merge(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    if len(shown) < 2:
        raise Refusal("MergeNeedsTwo", Sentence("Select at least two entries."), status=400)
    into = next(iter(shown))
    by, now = user_of(request), database_now()
    merged = deciding.merge(bank=bank, into=into, shown=shown, by=by, now=now)
    n = len(merged.done) - 1
    words = ngettext(
        "%(n)s entry merged into the first.", "%(n)s entries merged into the first.", n
    )
    return into, words % {"n": n}


def _back(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    by, now, entry = user_of(request), database_now(), 0
    for pk, revision in shown.items():
        entry = undoing.undo_entry(bank=bank, entry=pk, shown=revision, by=by, now=now)
    return entry, gettext("Decision undone.")


def _keep(request: HttpRequest, bank: Bank, shown: Shown) -> Answer:
    by, now, reason = user_of(request), database_now(), work_list(request.POST)
    kept = deciding.keep(bank=bank, shown=shown, by=by, now=now, reason=reason)
    return next(iter(shown)), sentence(kept, "kept")


ACTS: dict[str, Callable[[HttpRequest, Bank, Shown], Answer]] = {
    "confirm": _decides(Change(state=State.CONFIRMED), "confirmed"),
    "keep": _keep,
    "retire": _decides(Change(state=State.RETIRED), "retired"),
    "secret": _decides(Change(secret=True), "secret"),
    "open": _decides(Change(secret=False), "open"),
    "importance": _importance,
    "edit": _edit,
    "answers": _answers,
    "merge": _merge,
    "back": _back,
}
STAYS = ("importance", "secret", "open")  # after these the keyboard stays on the row


def sentence(decided: Decided, what: str) -> str:
    """Return a message with the number of changed entries."""
    n = len(decided.done)
    sentences = {
        "confirmed": ngettext("%(n)s entry confirmed.", "%(n)s entries confirmed.", n),
        "kept": ngettext("%(n)s entry kept.", "%(n)s entries kept.", n),
        "retired": ngettext("%(n)s entry retired.", "%(n)s entries retired.", n),
        "changed": ngettext("%(n)s entry changed.", "%(n)s entries changed.", n),
        "secret": ngettext("%(n)s entry is now secret.", "%(n)s entries are now secret.", n),
        "open": ngettext(
            "%(n)s entry is no longer secret.", "%(n)s entries are no longer secret.", n
        ),
    }
    words = [sentences[what] % {"n": f"{n:,}"}]
    if unchanged := decided.same + decided.late:
        words.append(gettext("Unchanged: %(n)s.") % {"n": unchanged})
    return " ".join(words)


def _shown(request: HttpRequest) -> Shown:
    """Return the requested entries, with the revisions that the page showed."""
    pairs = (value.partition(":") for value in request.POST.getlist("entry"))
    shown = {number_in(pk): number_in(revision) for pk, _, revision in pairs}
    shown.pop(0, None)
    if not shown:
        raise Refusal("NoEntry", Sentence("Select an entry first."), status=400)
    if len(shown) > MOST_AT_ONCE:
        sentence = Sentence("Select at most {n} entries.", n=f"{MOST_AT_ONCE:,}")
        raise Refusal("TooManyEntries", sentence, status=400)
    return shown


def _one(shown: Shown) -> Shown:
    if len(shown) != 1:
        raise Refusal("OneEntry", Sentence("You can edit one entry at a time."), status=400)
    return shown


def _next(request: HttpRequest) -> str:
    """Return the `next` address of the request if it is on this server, else ""."""
    there = request.POST.get("next", "")
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else ""
