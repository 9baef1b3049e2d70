"""Erasing withdrawn or removed texts from calls: their requests and answers."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation import wiping
from annotation.models import Response
from annotation.models.corpus import erased_text
from judging.models import DocumentReason, EntryCall, ItemSlot, Judgment, MachineCall, MachineJudge

State = MachineCall.State
WITHDRAWN_TEXT = "The writer has withdrawn this text."
WITHDREW = "A rater of a document has withdrawn."
TAKEN_OUT = "A document's label was removed."


@transaction.atomic
def forget_erased(*, judge: MachineJudge | None = None) -> int:
    """Blank the calls about items with an erased text, of a judge or of all; return their number.

    Counted answers stay counted, as people's do. Prepared calls are deleted, and a late answer has
    no row to be written to.
    """
    of_rounds = forget_rounds() if judge is None else 0
    slots = ItemSlot.objects.filter(erased_text("response__") | erased_text("segment__response__"))
    calls = MachineCall.objects.all()
    if judge is not None:
        slots, calls = slots.filter(item__study=judge.study_id), calls.filter(judge=judge)
    items = list(slots.order_by().values_list("item", flat=True).distinct())
    if not items:
        return of_rounds
    forgotten = _forget(calls.filter(item__in=items), WITHDRAWN_TEXT) + of_rounds
    reasons = Judgment.objects.filter(item__in=items, rater__machine_judges__isnull=False)
    reasons.exclude(comment="").update(comment="")
    return forgotten


def forget_criteria(*, bank: int, keys: Collection[str]) -> int:
    """Blank the calls about erased entries of a bank; return their number."""
    slots = ItemSlot.objects.filter(criterion__instrument__bank=bank, criterion__key__in=keys)
    return _forget(MachineCall.objects.filter(item__in=slots.values("item")), WITHDRAWN_TEXT)


def forget_rounds() -> int:
    """Blank the calls for entries of a bank that read an erased response, or quote one."""
    quoting = EntryCall.objects.filter(round__prompt__user="").exclude(prompt_hash="")
    forgotten = _forget_entries(quoting)
    rows = EntryCall.objects.exclude(read=[]).exclude(prompt_hash="")
    shown = set().union(*rows.values_list("read", flat=True))
    erased = set(Response.objects.filter(erased_text(), pk__in=shown).values_list("pk", flat=True))
    return forgotten + forget_readers(erased)


def forget_readers(responses: Collection[int]) -> int:
    """Blank the calls for entries of a bank that read these responses; return their number."""
    rows = EntryCall.objects.exclude(read=[]).exclude(prompt_hash="")
    if not responses or not rows.exists():
        return 0
    read = rows.filter(topic__responses__in=responses).values_list("pk", "read")
    pks = {pk for pk, shown in read if not {*responses}.isdisjoint(shown)}
    return _forget_entries(EntryCall.objects.filter(pk__in=pks))


def _forget_entries(calls: "QuerySet[EntryCall]") -> int:
    pks = list(calls.values_list("pk", flat=True))
    calls = EntryCall.objects.filter(pk__in=pks)
    blank = {"request": {}, "prompt_hash": "", "raw": "", "unread": []}
    nothing: dict[str, list[str]] = {"questions": [], "nuggets": []}
    counted = calls.filter(state=State.ANSWERED).update(
        said="", parsed=nothing, counted=True, **blank
    )
    lost = calls.exclude(state=State.ANSWERED).update(
        state=State.FAILED, error="withdrawn", said=WITHDRAWN_TEXT, **blank
    )
    if counted + lost:
        wiping.mark_erasure()
    return counted + lost


def _forget(calls: "QuerySet[MachineCall]", why: str) -> int:
    unforgotten = calls.exclude(prompt_hash="")
    waiting, _ = unforgotten.filter(state=State.PREPARED).delete()
    blank = {"request": {}, "prompt_hash": "", "raw": "", "reasons": {}}
    counted = unforgotten.filter(state=State.ANSWERED).update(said="", **blank)
    lost = unforgotten.update(state=State.FAILED, error="withdrawn", said=why, **blank)
    if waiting + counted + lost:
        wiping.mark_erasure()
    return waiting + counted + lost


def shown_reasons(judgments: "QuerySet[Judgment]") -> list[tuple[int, int]]:
    """Return the studies and documents where models read a reason of these judgments."""
    rows = DocumentReason.objects.filter(judgment__in=judgments)
    return list(rows.values_list("score__instrument__study", "score__passage").distinct())


@transaction.atomic
def forget_reasons(beside: Sequence[tuple[int, int]], why: str = WITHDREW) -> int:
    """Blank the calls that showed a model an erased reason; return their number.

    On a page of several methods a model of one reads what another shows: all are blanked.
    """
    return sum(
        _forget(
            MachineCall.objects.filter(
                item__in=ItemSlot.objects.filter(item__study=study, passage=passage).values("item"),
                instrument__design__documents_annotations="shown",
            ),
            why,
        )
        for study, passage in beside
    )
