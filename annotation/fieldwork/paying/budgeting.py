"""Budgets: recruiting pauses when a study has spent its budget."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext

from annotation import signals
from annotation.fieldwork.paying.budgets import budgets_of
from annotation.models import AuditEntry, Batch, Study
from annotation.people.access import record
from annotation.people.access.roles import Act
from annotation.refusals import Refusal
from annotation.studies.act_effects import terms_of_batches
from annotation.studies.waiting_notices import WaitingNotice

RULE = "the budget limit"
MAX_BUDGET = Decimal(100_000_000)


@transaction.atomic
def set_budget(*, study: Study, amount: Decimal | None, user: User | None, now: datetime) -> None:
    """Set what a study may cost with fees; None is no limit. Raises Refusal."""
    if amount is not None and not 0 < amount < MAX_BUDGET:
        raise Refusal(
            "BudgetRange",
            gettext("Enter a budget above 0 and below {most:,.0f}.").format(most=MAX_BUDGET),
        )
    Study.objects.filter(pk=study.pk).update(budget=amount)
    study.refresh_from_db(fields=["budget"])
    entry = "no limit" if amount is None else f"{amount:.2f} {study.currency}"
    record(user=user, act="set the budget", what=entry, of=study)
    pause_where_spent(study=study)


@transaction.atomic
def pause_where_spent(*, study: Study) -> int:
    """Pause the open batches of a study whose budget covers no further place; return how many."""
    if study.purpose != Study.Purpose.STUDY:  # a trial owes nobody
        return 0
    budget = budgets_of([study]).get(study.pk)
    if budget is None or not budget.is_spent:
        return 0
    paused = 0
    for batch in study.batches.open():
        moved = Batch.objects.filter(pk=batch.pk, state=Batch.State.OPEN)
        if moved.update(state=Batch.State.PAUSED):
            paused += 1
            AuditEntry.objects.create(
                team_id=study.team_id,
                name=RULE,
                act="paused a batch",
                what=(
                    f"{batch.name}: {budget.used:.2f} of {budget.amount:.2f} {study.currency} is "
                    "spent or committed"
                ),
            )
    return paused


def pause_spent() -> int:
    """Pause studies whose budget was used up by a bonus or by several arrivals at once."""
    rows = Study.objects.exclude(budget=None).filter(batches__state=Batch.State.OPEN).distinct()
    return sum(pause_where_spent(study=study) for study in rows)


@receiver(signals.confirming)
def confirm_cost(*, batch: Batch, **_: Any) -> list[str]:
    """Return a warning if the budget does not cover the places of open batches."""
    study = batch.study
    budget = budgets_of([study]).get(study.pk)
    if budget is None:
        return []
    batches = list(study.batches.open())
    for open_batch in batches:
        open_batch.study = study
    cost = sum((offer.left.total for offer in terms_of_batches(batches)), Decimal(0))
    left = max(budget.amount - budget.used, Decimal(0))
    if cost <= left:
        return []
    return [
        gettext(
            "Free places cost {cost:,.2f} {currency}; the budget has {left:,.2f} {currency} left."
        ).format(cost=cost, left=left, currency=study.currency)
    ]


@receiver(signals.waiting)
def tell_spent(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Return which studies paused because their budget is spent."""
    spent = {pk: budget for pk, budget in budgets_of(studies).items() if budget.is_spent}
    paused = Batch.objects.filter(study__in=spent, state=Batch.State.PAUSED)
    stopped = set(paused.values_list("study", flat=True)) if spent else set()
    return {
        study.pk: WaitingNotice(
            gettext(
                "Recruiting is paused: {used:.2f} of {amount:.2f} {currency} is spent or committed."
            ).format(
                used=spent[study.pk].used, amount=spent[study.pk].amount, currency=study.currency
            ),
            gettext("budget spent"),
            gettext("Raise budget"),
            reverse("money", args=[study.slug, study.version]),
            Act.RUN,
            is_bad=True,
            code="budget_spent",
        )
        for study in studies
        if study.pk in stopped
    }
