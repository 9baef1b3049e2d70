"""Withdrawing, restoring and deleting machine judges.

Judgments of a withdrawn judge do not count; its costs stay. A judge without a sent call can be
deleted.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation import wiping
from annotation.clock import database_now
from annotation.people import access
from annotation.texts.translation import translated_error
from judging.calls.asking import BadAsker, called, may_be_deleted
from judging.labels.removing import CannotRemove, imported_labels, remove_labels, withdraw_judge
from judging.machines.recording import take_answers
from judging.models import MachineCall, MachineJudge, Rater

State = MachineJudge.State


@transaction.atomic
def withdraw(*, judge: MachineJudge, by: User | None) -> int:
    """Remove all judgments of the judge in its study; return their number. Raises BadAsker."""
    Rater.objects.select_for_update(no_key=True).get(pk=judge.rater_id)
    judge.refresh_from_db()
    labels = imported_labels(judge.study, judge.rater).count()
    if judge.state == State.WITHDRAWN and not labels:
        raise BadAsker(
            "already_withdrawn", gettext("{judge} is already withdrawn.").format(judge=judge)
        )
    try:
        if labels:
            remove_labels(study=judge.study, rater=judge.rater, expected=labels)
        else:
            withdraw_judge(study=judge.study, rater=judge.rater)
    except CannotRemove as error:
        raise BadAsker(error.code, translated_error(error)) from error
    access.record(
        user=by,
        act="withdrew an LLM judge",
        what=f"{called(judge)}: {labels:,} judgments",
        of=judge.study,
    )
    return labels


@transaction.atomic
def restore(*, judge: MachineJudge, by: User | None, now: datetime) -> int:
    """Count the judge's answers again and pause it; return their number. Raises BadAsker."""
    Rater.objects.select_for_update(no_key=True).get(pk=judge.rater_id)
    rows = MachineJudge.objects.filter(pk=judge.pk, state=State.WITHDRAWN)
    if not rows.update(state=State.PAUSED, said=""):
        raise BadAsker("not_withdrawn", gettext("{judge} is not withdrawn.").format(judge=judge))
    MachineCall.objects.filter(judge=judge, counted=True).update(counted=False)
    added = take_answers(judge=judge, now=now).added
    access.record(
        user=by,
        act="restored an LLM judge",
        what=f"{called(judge)}: {added:,} judgments",
        of=judge.study,
    )
    return added


@transaction.atomic
def delete(*, judge: MachineJudge, by: User | None) -> None:
    """Delete the judge, and its rater if that has no judgments anywhere. Raises BadAsker."""
    rater = Rater.objects.select_for_update(no_key=True).get(pk=judge.rater_id)
    locked = MachineJudge.objects.select_for_update().get(pk=judge.pk)
    if locked.is_busy(database_now()):
        raise BadAsker("running", gettext("%(name)s is running. Pause it first.") % {"name": judge})
    if not may_be_deleted(judge):
        raise BadAsker(
            "has_calls",
            gettext("{judge} has already made calls. Withdraw it instead.").format(judge=judge),
        )
    locked.delete()
    if not rater.judgments.exists() and not rater.machine_judges.exists():
        rater.delete()
    wiping.mark_erasure()
    access.record(user=by, act="deleted an LLM judge", what=called(judge), of=judge.study)
