"""Removing the imported labels of a rater from a study: all, or none."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from annotation import jobs, signals, wiping
from annotation.clock import database_now
from annotation.models import Study
from annotation.texts.coded_errors import CodedError
from judging.calls.forgetting import TAKEN_OUT, forget_reasons, shown_reasons
from judging.models import DocumentReason, Item, Judgment, MachineJudge, Rater
from judging.models.raters import OTHER_CROWD


class CannotRemove(CodedError):
    """Refusal to remove labels; the message gives the reason."""


@dataclass(frozen=True)
class Removed:
    labels: int
    items: int  # that were made for these labels alone


def imported_labels(study: Study, rater: Rater) -> "QuerySet[Judgment]":
    """Return the rater's labels without an assignment in the study."""
    return Judgment.objects.filter(rater=rater, assignment=None, item__study=study)


def withdraw_judge(*, study: Study, rater: Rater) -> None:
    """Withdraw the rater's machine judge, until it is restored. Raises CannotRemove."""
    judges = MachineJudge.objects.filter(study=study, rater=rater)
    nobody = Q(held_by="") | Q(held_until__lt=database_now())
    idle = judges.filter(nobody).exclude(state=MachineJudge.State.RUNNING)
    if not idle.update(state=MachineJudge.State.WITHDRAWN, said="") and judges.exists():
        raise CannotRemove(
            "running",
            gettext("%(name)s is running. Pause it first.") % {"name": rater},
        )


@transaction.atomic
def remove_labels(*, study: Study, rater: Rater, expected: int) -> Removed:
    """Remove all imported labels of a rater, and the items that were made for them alone.

    Nothing is removed unless their number is `expected`. The rater's machine judge is withdrawn,
    for it would save them again. Their reasons are removed from studies that show them beside
    documents, and from calls. Analyses are marked as outdated (signals.raters_changed). Raises
    CannotRemove.
    """
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)  # as an import does
    labels = imported_labels(study, rater)
    items = set(labels.values_list("item", flat=True))
    count = labels.count()
    if not count:
        raise CannotRemove(
            "no_labels",
            gettext("{rater} has no imported labels in study {slug}.").format(
                rater=rater, slug=study.slug
            ),
        )
    if count != expected:
        raise CannotRemove(
            "labels_changed",
            gettext(
                "{rater} now has {there:,} imported labels, expected {expected:,}. Reload the page."
            ).format(rater=rater, there=count, expected=expected),
        )
    withdraw_judge(study=study, rater=rater)
    if beside := shown_reasons(labels):
        forget_reasons(beside, TAKEN_OUT)
        jobs.after_commit(forget_reasons, beside, TAKEN_OUT)  # calls may be in the making
    # What hangs on labels goes first, so that none of a hundred thousand is read to delete it.
    DocumentReason.objects.filter(judgment__in=labels).delete()
    labels._raw_delete(labels.db)
    unused = Q(task_items=None, judgments=None, presentations=None, machine_calls=None)
    made, _ = Item.objects.filter(unused, study=study, pk__in=items).delete()
    gone = len(items) - Item.objects.filter(pk__in=items).count() if made else 0
    wiping.mark_erasure()
    signals.raters_changed.send(sender=Rater, study=study, pools=(_pool_of(rater), rater.pseudonym))
    return Removed(labels=count, items=gone)


def _pool_of(rater: Rater) -> str:
    return OTHER_CROWD if rater.kind == Rater.Kind.CROWD else f"{rater.kind}s"
