"""Preview of the impact of decisions on the leaderboard, and of a wording on a sample."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from analysis.analyses.bank_board import CONFIRM, EDIT, RETIRE, Impact, impacts
from analysis.pages.banks.board_view import MOST_NAMED, choice_of, signed, title_of
from analysis.pages.banks.boards import Choice, ShownBoard, in_order, shown_board
from analysis.pages.banks.wording_tries import tried, tries_shown
from annotation.console.corpora_views import head
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from judging.banks.entries_at import EntryAt, entries_at
from judging.banks.secrets import secret_entries
from judging.banks.trying_wordings import MOST_TEXTS
from judging.models import Bank, BankEntry, EntryDecision
from judging.pages.banks import bank_of

State, Importance = EntryDecision.State, EntryDecision.Importance
TITLES = {
    EDIT: gettext_lazy("Edit"),
    RETIRE: gettext_lazy("Retire"),
    CONFIRM: gettext_lazy("Accept"),
    **{value: label for value, label in Importance.choices if value},
}


@login_required
@require_http_methods(["GET", "POST"])
def impact(request: HttpRequest, slug: str, pk: int, entry: int) -> HttpResponse:
    """Show the impact of each possible decision on an entry, or try a wording on a sample.

    htmx gets only the list.
    """
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    check_right(corpus, Act.EDIT)
    get_object_or_404(BankEntry, bank=bank, pk=entry)
    (row,) = entries_at(bank, entries=[entry])
    refused, status = "", 200
    if request.method == "POST":
        try:
            study = tried(request, bank, row)
            return redirect("machine_new", study.slug, study.version)
        except Refusal as refusal:
            refused, status = translated_error(refusal), refusal.status
    try:
        shown, found = impact_of(bank, row, choice_of(request))
    except Refusal:
        shown, found = impact_of(bank, row, Choice())
    context: dict[str, Any] = head(corpus, "banks") | {
        "bank": bank,
        "entry": row,
        "measure": title_of(shown.choice.measure),
        "impacts": [_row(shown, one) for one in found],
    }
    if request.headers.get("HX-Request"):
        return render(request, "console/banks/_impact.html", context)
    context |= {
        "tries": tries_shown(bank, row),
        "typed": request.POST,
        "most_texts": MOST_TEXTS,
        "is_secret": row.pk in secret_entries(bank),
        "refused": refused,
    }
    return render(request, "console/banks/impact.html", context, status=status)


def impact_of(bank: Bank, entry: EntryAt, choice: Choice) -> tuple[ShownBoard, list[Impact]]:
    """Return the board and the impact of each decision on an entry. Raises Refusal.

    The default measure is the first one in which the entry counts. While a study is open,
    there is no leader.
    """
    shown = shown_board(bank, Choice(pool=choice.pool, measure=choice.measure, k=choice.k))
    found: list[Impact] = []
    measures = [shown.choice.measure] if choice.measure else in_order(shown.board.measures)
    for measure in measures:
        decisions = decisions_on(entry)
        effects = impacts(shown.board, measure, entry.key, decisions, kind=entry.importance)
        if shown.is_open:
            effects = [replace(one, leaders=("", "")) for one in effects]
        if not found or any(one.differences for one in effects[:2]):
            found = effects
            shown = replace(shown, choice=replace(shown.choice, measure=measure))
        if any(one.differences for one in effects[:2]):
            break
    return shown, found


def decisions_on(entry: EntryAt) -> list[str]:
    """Return the decisions on an entry that could change the board."""
    if entry.state != State.CONFIRMED:
        return [CONFIRM]
    others = [value for value in Importance.values if value and value != entry.importance]
    return [EDIT, RETIRE, *others]


def impact_json(shown: ShownBoard, found: list[Impact]) -> dict[str, Any]:
    """Return impacts as JSON data."""
    return {
        "measure": shown.choice.measure,
        "raters": shown.board.pool,
        "decisions": [
            {
                "decision": one.decision,
                "leader": one.leaders[0],
                "leader_after": one.leaders[1],
                "differences": {s: None if d != d else d for s, d in one.differences.items()},
            }
            for one in found
        ],
    }


def _row(shown: ShownBoard, one: Impact) -> dict[str, Any]:
    """Return the systems that gain and lose through a decision, largest changes first."""
    names = shown.board.names
    ordered = sorted(one.differences.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
    pairs = [(names.get(system, system), d) for system, d in ordered]
    gains = [(name, signed(d)) for name, d in pairs if d > 0]
    losses = [(name, signed(d)) for name, d in pairs if d < 0]
    before, after = (names.get(system, system) for system in one.leaders)
    return {
        "decision": one.decision,
        "title": TITLES[one.decision],
        "gains": gains[:MOST_NAMED],
        "losses": losses[:MOST_NAMED],
        "more_gains": max(0, len(gains) - MOST_NAMED),
        "more_losses": max(0, len(losses) - MOST_NAMED),
        "leader": after if after != before else "",
    }
