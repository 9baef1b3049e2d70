"""The page of a bank's leaderboard."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_GET

from analysis.analyses.bank_board import TREC
from analysis.inputs.bank_cells import MODELS, PEOPLE
from analysis.pages.banks.boards import Choice, ShownBoard, agreements, causes, shown_board
from analysis.stats.retrieval.entry_values import Lead
from analysis.stats.verdicts import LEAST_UNITS
from annotation.console.corpora_views import head
from annotation.lists import parameter
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from judging.models import Bank, EntryDecision
from judging.pages.banks import bank_of

MOST_CAUSES = 20
MOST_REVISIONS = 50
MOST_NAMED = 3
MOST_DIGITS = 9
HIDDEN = ("weighted", "strict weighted")
TITLES = {
    "vital": gettext_lazy("Vital"),
    "strict vital": gettext_lazy("Strict vital"),
    "okay": gettext_lazy("Okay"),
    "all": gettext_lazy("All"),
    "strict all": gettext_lazy("Strict all"),
    "weighted": gettext_lazy("Weighted"),
    "strict weighted": gettext_lazy("Strict weighted"),
    "avoid": gettext_lazy("Avoid"),
    "cover": gettext_lazy("Cover"),
    "n-cover": gettext_lazy("n-cover"),
    "subtopic recall": gettext_lazy("Subtopic recall"),
    "support precision": gettext_lazy("Support precision"),
    "support recall": gettext_lazy("Support recall"),
}
CHANGES = {
    "added": gettext_lazy("added"),
    "retired": gettext_lazy("retired"),
    "reweighted": gettext_lazy("importance changed"),
    "replaced": gettext_lazy("edited"),
}
POOLS = {PEOPLE: gettext_lazy("People"), MODELS: gettext_lazy("Models")}


@login_required
@require_GET
def board(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the leaderboard of a bank, optionally compared with an earlier revision."""
    corpus = access.corpus_for(request.user, slug=slug, may=Act.VIEW)
    bank = bank_of(corpus, pk)
    refused, status = "", 200
    try:
        shown = shown_board(bank, choice_of(request))
    except Refusal as refusal:
        refused, status = translated_error(refusal), 422
        shown = shown_board(bank, Choice())
    secret = access.may(corpus, Act.EDIT)
    context: dict[str, Any] = head(corpus, "banks") | {
        "bank": bank,
        "refused": refused,
        "shown": shown,
        "heading": heading(shown),
        "lead": lead_sentence(shown),
        "columns": [(name, title_of(name)) for name in _columns(shown)],
        "rows": _rows(shown, _columns(shown)),
        "relevance": [title_of(name) for name in _relevance_columns(shown)],
        "relevance_rows": _rows(shown, _relevance_columns(shown)),
        "pools": POOLS.items(),
        "pool": POOLS[shown.choice.pool],
        "grades": shown.board.cells[shown.choice.pool],
        "topics": shown.board.topics,
        "measures": [(name, title_of(name)) for name in shown.board.measures],
        "revisions": _revisions(bank),
        "changed": _changed(shown),
        "causes": _causes(shown, secret=secret),
        "more_causes": _more_causes(shown),
        "orders": _orders(shown),
        "zeros": _zeros(shown),
        "ungraded": [shown.board.names.get(key, key) for key in shown.board.ungraded],
        "percent": f"{shown.board.confidence:.0%}",
        "few": shown.board.topics < LEAST_UNITS,
        "least": LEAST_UNITS,
        "has_worse": _has_worse(shown),
    }
    return render(request, "console/banks/board.html", context, status=status)


def choice_of(request: HttpRequest) -> Choice:
    """Return the choices in the address. Invalid numbers become -1, which `shown_board` refuses."""
    k = parameter(request, "k")
    return Choice(
        pool=parameter(request, "pool"),
        measure=parameter(request, "measure"),
        revision=_number(parameter(request, "revision")),
        before=_number(parameter(request, "before")),
        **({"k": _number(k) or 0} if k else {}),
    )


def _number(typed: str) -> int | None:
    """Return a parameter as a number, None if empty, -1 if invalid."""
    if not typed:
        return None
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= MOST_DIGITS
    return int(typed) if is_number else -1


def heading(shown: ShownBoard) -> str:
    """Return the heading: which system leads, and whether the lead is clear."""
    lead = shown.lead
    if not len(shown.board.rows):
        return gettext("No system has grades yet")
    if shown.is_open:
        return gettext("Preliminary: a study is still open")
    if lead is None:
        return gettext("Only one system has grades")
    first = shown.board.names.get(lead.first, lead.first)
    if not lead.close:
        return gettext("{system} leads according to these raters").format(system=first)
    if lead.n < LEAST_UNITS:
        few = gettext("{system} ranks first (too few topics to name a winner)")
        return few.format(system=first)
    return gettext("{system} ranks first without a clear lead").format(system=first)


def lead_sentence(shown: ShownBoard) -> str:
    """Return the numbers behind the heading."""
    lead = shown.lead
    if lead is None:
        return ""
    names, rows = shown.board.names, shown.board.rows
    mine = rows[(rows["measure"] == shown.choice.measure) & (rows["system"] == lead.first)]
    numbers = gettext("{measure} {value}, {difference} above {other}{interval}.").format(
        measure=title_of(shown.choice.measure),
        value=f"{mine['value'].iloc[0]:.2f}",
        difference=f"{lead.difference:.2f}",
        other=names.get(lead.second, lead.second),
        interval=_interval(lead, shown.board.confidence),
    )
    if lead.close and lead.n >= LEAST_UNITS:
        numbers += " " + _not_worse(lead, names)
    return numbers


def _interval(lead: Lead, confidence: float) -> str:
    if lead.why:
        return ""
    return f" ({confidence:.0%} CI {lead.low:.2f} to {lead.high:.2f})".replace("-", "−")


def _not_worse(lead: Lead, names: dict[str, str]) -> str:
    n = len(lead.close)
    if n > MOST_NAMED:
        return ngettext(
            "{n} system is not clearly worse.", "{n} systems are not clearly worse.", n
        ).format(n=n)
    listed = ", ".join(names.get(key, key) for key in lead.close)
    return gettext("Not clearly worse: {systems}.").format(systems=listed)


def title_of(measure: str) -> str:
    """Return the title of a measure, with the depth of measures such as `cover@20`."""
    name, at, k = measure.partition("@")
    return f"{TITLES.get(name, name)}{at}{k}"


def _columns(shown: ShownBoard) -> list[str]:
    """Return the measures for the table columns, starting with the one that orders the systems."""
    names = [
        name
        for name in shown.board.rows["measure"].unique()
        if name not in HIDDEN and not name.startswith(TREC)
    ]
    chosen = shown.choice.measure
    return [chosen, *(name for name in names if name != chosen)] if chosen else names


def _relevance_columns(shown: ShownBoard) -> list[str]:
    """Return the measures of trec_eval."""
    return [name for name in shown.board.rows["measure"].unique() if name.startswith(TREC)]


def _rows(shown: ShownBoard, shown_columns: list[str]) -> list[dict[str, Any]]:
    """Return a row a system, the best by the chosen measure first; others by name at the end.

    While a study is open, all are in the order of their names.
    """
    columns = _columns(shown)
    cells: dict[str, dict[str, dict[str, Any]]] = {}
    for row in shown.board.rows.to_dict("records"):
        cells.setdefault(row["system"], {})[row["measure"]] = {str(k): v for k, v in row.items()}
    lead = shown.lead
    best = {lead.first, *lead.close} if lead and _has_worse(shown) else set()
    rows = [
        {
            "key": key,
            "name": shown.board.names.get(key, key),
            "is_best": key in best,
            "cells": [_cell(found.get(name), title_of(name)) for name in shown_columns],
            "judged": _judged([row["judged"] for row in found.values()]),
            "place": 0 if shown.is_open else -_value(found.get(columns[0])),
        }
        for key, found in cells.items()
    ]
    return sorted(rows, key=lambda row: (row["place"], row["name"]))


def _judged(shares: list[float]) -> int | None:
    """Return the largest share in percent; None if no measure counts an entry."""
    known = [share for share in shares if share == share]
    return round(100 * max(known)) if known else None


def _value(row: dict[str, Any] | None) -> float:
    """Return a value to sort by; that of a system without one is below all others."""
    return -1.0 if row is None or row["value"] != row["value"] else float(row["value"])


def _has_worse(shown: ShownBoard) -> bool:
    """Return whether a system is clearly worse than the first."""
    lead = shown.lead
    return lead is not None and len(lead.close) + 1 < len(
        shown.board.of(shown.choice.measure).systems
    )


def _cell(row: dict[str, Any] | None, title: str) -> dict[str, Any]:
    if row is None or row["value"] != row["value"]:
        return {"title": title}
    has_ends = row["low"] == row["low"]
    return {
        "title": title,
        "value": f"{row['value']:.2f}",
        "ends": f"[{row['low']:.2f}, {row['high']:.2f}]" if has_ends else "",
    }


def _revisions(bank: Bank) -> list[dict[str, Any]]:
    """Return the last revisions of recent acts, newest first, without the current revision."""
    rows = EntryDecision.objects.filter(bank=bank, revision__lt=bank.revision).order_by()
    acts = rows.values("act").annotate(end=Max("revision"), when=Max("at")).order_by("-act")
    return list(acts[:MOST_REVISIONS])


def _changed(shown: ShownBoard) -> list[dict[str, Any]]:
    if shown.changed is None:
        return []
    rows = shown.changed.board.sort_values(["now", "system"], ascending=[False, True])
    return [
        {
            "name": shown.board.names.get(row["system"], row["system"]),
            "now": f"{row['now']:.2f}",
            "before": f"{row['before']:.2f}",
            "difference": signed(row["difference"]),
        }
        for row in rows.to_dict("records")
    ]


def _causes(shown: ShownBoard, *, secret: bool) -> list[dict[str, Any]]:
    """Return the entries with the largest effects, and the systems they affect most."""
    rows, names = [], shown.board.names
    for row in causes(shown, secret=secret)[:MOST_CAUSES]:
        ordered = sorted(row["shares"].items(), key=lambda pair: (-abs(pair[1]), pair[0]))
        effects = [(names.get(system, system), signed(d)) for system, d in ordered if abs(d) > 0]
        more = max(0, len(effects) - MOST_NAMED)
        row |= {"effects": effects[:MOST_NAMED], "more": more, "kind": CHANGES[row["change"]]}
        rows.append(row)
    return rows


def _more_causes(shown: ShownBoard) -> int:
    if shown.changed is None:
        return 0
    return max(0, shown.changed.causes["entry"].nunique() - MOST_CAUSES)


def signed(value: float) -> str:
    """Return a difference as text with a plus or minus sign."""
    return f"{value:+.3f}".replace("-", "−")


def _orders(shown: ShownBoard) -> list[dict[str, Any]]:
    """Return table rows of the agreement with official orders, one per order and measure."""
    rows = []
    for row in agreements(shown):
        if row["measure"] in HIDDEN:
            continue
        numbers = [row.get(name) for name in ("rho", "tau", "tau_ap")]
        top = ", ".join(f"{k}: {share:.0%}" for k, share in row.get("top", {}).items())
        defined = [None if v is None or v != v else f"{v:.2f}" for v in numbers]
        rows.append(row | {"title": title_of(row["measure"]), "numbers": defined, "overlap": top})
    return rows


def _zeros(shown: ShownBoard) -> list[tuple[str, str, list[str]]]:
    """Return rows of (system, reason, topics that count as 0)."""
    groups = shown.board.zeros.groupby(["system", "why"], sort=True)["topic"]
    return [
        (shown.board.names.get(str(system), str(system)), str(why), list(topics))
        for (system, why), topics in groups
    ]
