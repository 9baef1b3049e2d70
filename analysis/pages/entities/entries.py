"""Entries in the ledger of a study: amounts owed, approved and paid."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext

from analysis.pages.entities.names import work_name
from annotation.fieldwork.paying.amounts import major
from annotation.lists import BY_PERSON, ListColumn, ListFilter, ListQuery, RecordList, Rows
from annotation.models import Assignment, LedgerEntry, Study
from annotation.texts.sentences import marked

Kind = LedgerEntry.Kind
STANDS = Q(reversal=None)  # what was not taken back
KINDS = {
    Kind.OWED.value: marked("owed"),
    "waiting": marked("owed, not reviewed"),
    Kind.APPROVED.value: marked("approved"),
    "due": marked("approved, not paid"),
    Kind.PAID.value: marked("paid"),
    "unapproved": marked("paid, not approved"),
    "spent": marked("spent: paid, owed and bonuses"),
    Kind.BONUS.value: marked("bonus"),
    Kind.FEE.value: marked("platform fee"),
    Kind.REVERSED.value: marked("undone"),
}
# A list shows entries of the first kind whose work has none of the second.
NEXT = {
    "waiting": (Kind.OWED, Kind.APPROVED),
    "due": (Kind.APPROVED, Kind.PAID),
    "unapproved": (Kind.PAID, Kind.APPROVED),
}


@dataclass(frozen=True)
class EntryRow:
    """Entry in a list; `reversed` marks one that a later entry (`is_reversal`) cancels."""

    entry: LedgerEntry
    name: str
    kind: str
    amount: Decimal
    is_reversal: bool
    reversed: bool


def entries_of(study: Study) -> "QuerySet[LedgerEntry]":
    """Return the entries of a study, the newest first."""
    rows = LedgerEntry.objects.filter(study=study)
    rows = rows.select_related("worker", "assignment__task__batch", "reverses", "reversal")
    if study.kind == Study.Kind.WRITING:
        rows = rows.select_related("assignment__task__writing_task__topic")
    return rows.order_by("-pk")


def shown(study: Study, entries: Sequence[LedgerEntry]) -> list[EntryRow]:
    rows = []
    for entry in entries:
        work: Assignment = entry.assignment
        work.study = study
        of = entry.reverses or entry
        rows.append(
            EntryRow(
                entry=entry,
                name=work_name(work),
                kind=gettext(KINDS[of.kind]),
                amount=major(entry.amount),
                is_reversal=entry.reverses is not None,
                reversed=hasattr(entry, "reversal"),
            )
        )
    return rows


def _kind(_: Study, value: str) -> Q:
    if value in NEXT:
        kind, follows = NEXT[value]
        return STANDS & Q(~_of_same_work(follows), kind=kind)
    if value == "spent":
        unpaid = Q(~_of_same_work(Kind.PAID), kind=Kind.OWED)
        return STANDS & (unpaid | Q(kind__in=[Kind.PAID, Kind.BONUS]))
    if value == Kind.REVERSED:
        return Q(kind=value)
    return STANDS & Q(kind=value)


def _of_same_work(kind: LedgerEntry.Kind) -> Exists:
    rows = LedgerEntry.objects.filter(STANDS, assignment=OuterRef("assignment"), kind=kind)
    return Exists(rows)


def _total(rows: Rows, query: ListQuery) -> Decimal | None:
    """Return the sum of entries of one kind; amounts owed and paid make no sum."""
    if not query["kind"]:
        return None
    return major(rows.order_by().aggregate(total=Sum("amount"))["total"] or 0)


LISTING = RecordList(
    key="entries",
    title=marked("Ledger"),
    rows=entries_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Entered"), "created_at"),
        ListColumn(gettext("Type"), "kind"),
        ListColumn(gettext("Amount"), "amount", number=True),
        ListColumn(gettext("Participant"), "worker__pseudonym"),
        ListColumn(gettext("For")),
    ],
    filters=(
        ListFilter("kind", marked("Type"), _kind, KINDS, KINDS),
        ListFilter("worker", marked("Participant"), "worker__pseudonym"),
    ),
    search_in=("worker__pseudonym",),
    search_hint=BY_PERSON,
    search_ids=("worker__external_hash", "assignment__session_hash"),
    total=_total,
)
