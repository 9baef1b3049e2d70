"""What people are owed and were paid: a ledger that is only added to."""

from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models.studies import Batch, Study
from annotation.models.work import Assignment, Worker


class LedgerIsFinal(TypeError):
    """What was entered stays as it was entered; the database refuses it as well (a trigger)."""

    def __init__(self) -> None:
        super().__init__("An entry of the ledger is neither changed nor deleted: it is reversed.")


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def update(self, **changes: Any) -> int:
        raise LedgerIsFinal

    def delete(self) -> tuple[int, dict[str, int]]:
        raise LedgerIsFinal


class LedgerEntry(models.Model):
    """An amount that somebody is owed, that was approved, paid, or charged; or taken back.

    Amounts are in minor units (cents). What is reversed stays: another entry takes it back, once,
    and `reverses` says which. So the sum of a kind is that of its entries without the reversed.

    A migration that alters this table on SQLite makes it again without its triggers: it has to
    bring them back, as that of its making does.
    """

    class Kind(models.TextChoices):
        OWED = "owed"  # handed in, and not rejected without pay
        APPROVED = "approved"  # a decision says that it is paid
        PAID = "paid"
        BONUS = "bonus"  # paid on top
        FEE = "fee"  # of the platform, for what was paid
        REVERSED = "reversed"

    study = models.ForeignKey(Study, models.PROTECT, related_name="ledger", db_index=False)
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="+", db_index=False)
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="ledger", db_index=False)
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="ledger")
    kind = models.CharField(max_length=8, choices=Kind)
    amount = models.BigIntegerField(help_text="in minor units: cents")
    currency = models.CharField(max_length=3)
    key = models.CharField(max_length=80, unique=True, help_text="the same is entered once")
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversal")
    created_at = models.DateTimeField()

    objects = LedgerQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering = ["id"]
        indexes = [models.Index(fields=["study", "worker"], name="ledger_of_a_study")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="reversed", amount__lt=0, reverses__isnull=False)
                | Q(
                    kind__in=["owed", "approved", "paid", "bonus", "fee"],
                    amount__gt=0,
                    reverses=None,
                ),
                name="ledger_entry_adds_or_reverses",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount / 100:.2f} {self.currency}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LedgerIsFinal
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise LedgerIsFinal
