"""Money owed and paid: a ledger that is only added to, and orders to pay."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from annotation.models.studies import Batch, Study
from annotation.models.work import Assignment, Worker


class LedgerIsFinal(TypeError):
    """Refusal to change the ledger; the database refuses it as well (a trigger)."""

    def __init__(self) -> None:
        super().__init__(gettext("Ledger entries can only be reversed."))


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
    bring them back (`ForbidChanges` of annotation.migration_operations).
    """

    class Kind(models.TextChoices):
        OWED = "owed", gettext_lazy("Owed")  # handed in, and not rejected without pay
        APPROVED = "approved", gettext_lazy("Approved")  # a decision says that it is paid
        PAID = "paid", gettext_lazy("Paid")
        BONUS = "bonus", gettext_lazy("Bonus")  # paid on top
        FEE = "fee", gettext_lazy("Fee")  # of the platform, for what was paid
        REVERSED = "reversed", gettext_lazy("Reversed")

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


class Payment(models.Model):
    """An order to pay a worker, or to report a rejection to their platform.

    It is written before anything is sent, and stays `unknown` until the outcome is known.
    """

    class Kind(models.TextChoices):
        REWARD = "reward", gettext_lazy("Reward")
        BONUS = "bonus", gettext_lazy("Bonus")
        REJECTION = "rejection", gettext_lazy("Rejection")

    class Way(models.TextChoices):
        PLATFORM = "platform"  # its submission is approved or rejected, or gets a bonus on top
        HAND = "hand", "by hand"
        BONUS = "bonus"  # a reward that the platform pays as a bonus

    class State(models.TextChoices):
        PREPARED = "prepared", gettext_lazy("queued")
        SENT = "sent", gettext_lazy("sent")
        PAID = "paid", gettext_lazy("paid")
        UNKNOWN = "unknown", gettext_lazy("outcome unknown")
        REFUSED = "refused", gettext_lazy("refused by the platform")

    OPEN = (State.PREPARED, State.SENT, State.UNKNOWN)

    study = models.ForeignKey(Study, models.PROTECT, related_name="payments")
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="payments", db_index=False)
    assignment = models.ForeignKey(
        Assignment, models.PROTECT, related_name="payments", db_index=False
    )
    kind = models.CharField(max_length=9, choices=Kind)
    way = models.CharField(max_length=8, choices=Way)
    state = models.CharField(max_length=8, choices=State, default=State.PREPARED)
    amount = models.BigIntegerField(help_text="in minor units, without fees")
    currency = models.CharField(max_length=3)
    key = models.CharField(max_length=80, unique=True, help_text="the same is ordered once")
    category = models.CharField(max_length=20, blank=True, help_text="of a rejection")
    message = models.TextField(blank=True, help_text="what the person is told")
    # Of a bonus: the platform's list, made before it is paid, and how many bonuses of this amount
    # the submission had before.
    external_id = models.CharField(max_length=100, blank=True)
    before = models.PositiveIntegerField(default=0)
    said = models.TextField(blank=True, help_text="why it is not done, or not known")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["state", "kind"],
                name="payment_to_go_on_with",
                condition=Q(state__in=["prepared", "sent", "unknown"]),
            ),
        ]
        constraints = [
            # A platform takes one decision about a submission: approved or rejected.
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(kind__in=["reward", "rejection"])
                & ~Q(way="bonus")
                & ~Q(state="refused"),
                name="one_reward_or_rejection_of_work",
            ),
            # The reward is paid once, whichever way.
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(kind="reward") & ~Q(state="refused"),
                name="one_reward_of_work",
            ),
            # With one bonus at a time, the bonuses that the platform shows tell which was paid.
            models.UniqueConstraint(
                fields=["assignment"],
                condition=(Q(kind="bonus") | Q(way="bonus"))
                & Q(state__in=["prepared", "sent", "unknown"]),
                name="one_bonus_of_work_at_a_time",
            ),
            models.CheckConstraint(
                condition=~Q(way="bonus") | Q(kind="reward"),
                name="only_a_reward_is_paid_as_a_bonus",
            ),
            models.CheckConstraint(
                condition=Q(kind="rejection", amount=0)
                | Q(kind__in=["reward", "bonus"], amount__gt=0),
                name="payment_has_an_amount",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["prepared", "sent", "paid", "unknown", "refused"]),
                name="payment_state_known",
            ),
        ]

    @property
    def is_bonus_there(self) -> bool:
        """Return whether the platform pays this as a bonus."""
        return self.kind == self.Kind.BONUS or self.way == self.Way.BONUS

    @property
    def amount_in_major(self) -> Decimal:
        return Decimal(self.amount) / 100

    def __str__(self) -> str:
        return f"{self.kind} {self.amount / 100:.2f} {self.currency}, {self.get_state_display()}"
