"""What a writer has withdrawn leaves the calls, too: neither asked nor answered words stay."""

from django.db import transaction
from django.db.models import Q

from judging.models import ItemSlot, Judgment, MachineCall, MachineJudge

State = MachineCall.State


@transaction.atomic
def forget_erased(*, judge: MachineJudge | None = None) -> int:
    """Blank the calls about items with an erased text, of a judge or of all; how many there were.

    What was counted stays counted, as the answers of people do; what was not sent is not sent, and
    an answer that comes later finds no row to be written to.
    """
    slots = ItemSlot.objects.filter(Q(response__text="") | Q(segment__response__text=""))
    calls = MachineCall.objects.all()
    if judge is not None:
        slots, calls = slots.filter(item__study=judge.study_id), calls.filter(judge=judge)
    items = list(slots.order_by().values_list("item", flat=True).distinct())
    if not items:
        return 0
    there = calls.filter(item__in=items).exclude(prompt_hash="")
    waiting, _ = there.filter(state=State.PREPARED).delete()
    blank = {"request": {}, "prompt_hash": "", "raw": "", "reasons": {}}
    counted = there.filter(state=State.ANSWERED).update(said="", **blank)
    lost = there.update(
        state=State.FAILED, error="withdrawn", said="The writer has withdrawn this text.", **blank
    )
    reasons = Judgment.objects.filter(item__in=items, rater__machine_judges__isnull=False)
    reasons.exclude(comment="").update(comment="")
    return waiting + counted + lost
