"""Tasks, the places they offer, the workers who take them, and their assignments."""

import secrets
import uuid
from collections import Counter
from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy

from annotation.encryption import sealed, token_hash, unsealed
from annotation.models.corpus import Response
from annotation.models.review import ReviewAct
from annotation.models.studies import Batch, Study


def new_token() -> str:
    """Return an unguessable address: 128 random bits, URL-safe."""
    return secrets.token_urlsafe(16)


def sealed_token() -> bytes:
    return sealed(new_token(), purpose="token")


class TokenHash(models.CharField):  # type: ignore[type-arg]
    """The hash of its assignment's token; it comes with the first save, in whatever way."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        if add:
            setattr(model_instance, self.attname, token_hash(model_instance.token))
        return str(super().pre_save(model_instance, add))


class Task(models.Model):
    """One unit of paid work, done by up to `quota` workers."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="tasks", db_index=False)
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=100, default=uuid.uuid4)
    quota = models.PositiveIntegerField()
    words = models.PositiveIntegerField(default=0, help_text="words that a worker reads")
    arm = models.CharField(
        max_length=100,
        blank=True,
        default="",
        db_default="",
        help_text="key of its arm; '' for all workers",
    )
    # The responses a worker sees in it; a writer is never given an own text.
    shows = models.ManyToManyField(Response, related_name="+")

    class Meta:
        ordering = ["batch", "number"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="task_number_once_per_batch"),
            models.UniqueConstraint(fields=["batch", "key"], name="task_key_once_per_batch"),
            models.CheckConstraint(condition=Q(quota__gte=1), name="task_quota_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.batch} {self.number}"

    @cached_property
    def item_counts(self) -> Counter[str]:
        """Return the number of units of each type in the task, by the prefix of the unit."""
        return Counter(unit.partition(":")[0] for unit in self.units.values_list("unit", flat=True))


class TaskExposure(models.Model):
    """Something in a task that a worker meets at most once in a study, in whatever order.

    For a pair the unit is the same in both directions.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="units", db_index=False)
    unit = models.CharField(max_length=120)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "unit"], name="unit_once_per_task"),
        ]

    def __str__(self) -> str:
        return self.unit


class Worker(models.Model):
    """A pseudonymous person from a recruitment platform."""

    platform = models.CharField(max_length=20)
    # Found again by a keyed hash; readable only with the key
    # (annotation.people.pseudonyms).
    external_hash = models.CharField(max_length=64)
    external_id = models.BinaryField(help_text="encrypted")
    pseudonym = models.CharField(max_length=60, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "external_hash"], name="worker_once_per_platform"
            )
        ]

    def __str__(self) -> str:
        return self.pseudonym


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def addressed(self, token: str) -> Self:
        """Return the assignment whose address has this token."""
        return self.filter(token_hash=token_hash(token))

    def live(self) -> Self:
        """Those a worker may still work on."""
        return self.filter(state__in=Assignment.LIVE)

    def redos(self) -> Self:
        """Those that a reviewer has asked for once more."""
        decisions = ReviewDecision.objects.filter(assignment=models.OuterRef("pk"))
        return self.filter(models.Exists(decisions.filter(decision=ReviewDecision.Decision.REDO)))

    def counting(self) -> Self:
        """Those whose answers an analysis reads."""
        return self.filter(state__in=Assignment.COUNTING)

    def spending(self, session_hash: str) -> Self:
        """Return the begun assignments of a submission that is for one task only."""
        of_it = Q(session_hash=session_hash, alone=True, state__in=Assignment.BEGUN)
        return self.filter(of_it) if session_hash else self.none()

    def paid(self) -> Self:
        """Those that cost: handed in and not rejected, or paid all the same.

        Withdrawn work is paid if it had been accepted before.
        """
        decisions = ReviewDecision.objects.filter(assignment=models.OuterRef("pk"))
        last = models.Subquery(decisions.order_by("-pk").values("decision")[:1])
        paid = Q(state__in=Assignment.COUNTING) | Q(decided__in=ReviewDecision.PAID)
        return self.alias(decided=last).filter(paid)


# As `Assignment.BEGUN`, which its constraints cannot name.
BEGUN_STATES = ["arrived", "active", "submitted", "accepted", "rejected"]


class Assignment(models.Model):
    """One worker on one task."""

    class State(models.TextChoices):
        ARRIVED = "arrived", gettext_lazy("Arrived")
        ACTIVE = "active", gettext_lazy("Active")
        SUBMITTED = "submitted", gettext_lazy("Submitted")
        ACCEPTED = "accepted", gettext_lazy("Approved")
        REJECTED = "rejected", gettext_lazy("Rejected")
        RETURNED = "returned", gettext_lazy("Returned")
        EXPIRED = "expired", gettext_lazy("Expired")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    LIVE = (State.ARRIVED, State.ACTIVE)
    COUNTING = (State.SUBMITTED, State.ACCEPTED)
    HANDED_IN = (*COUNTING, State.REJECTED)
    DONE = (*HANDED_IN, State.WITHDRAWN)  # nobody goes on with it
    HOLDING = LIVE + COUNTING
    BEGUN = (*HOLDING, State.REJECTED)  # what a worker is at or has handed in

    task = models.ForeignKey(Task, models.CASCADE, related_name="assignments", db_index=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="assignments", db_index=False)
    worker = models.ForeignKey(Worker, models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=10, choices=State, default=State.ARRIVED)
    # Whoever reads the database can open no worker's address: the token is found by its hash and
    # readable only with the key (annotation.encryption).
    token_hash = TokenHash(max_length=64, unique=True, editable=False)
    sealed_token = models.BinaryField(default=sealed_token)
    external_id = models.BinaryField(
        blank=True, default=b"", help_text="the platform's submission, encrypted"
    )
    # What proves that somebody who comes again is the same person (recruiting.ownership).
    session_hash = models.CharField(max_length=64, blank=True, editable=False)
    browser_hash = models.CharField(max_length=64, blank=True, editable=False)
    signed = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="the platform signed the arrival"
    )
    alone = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="its submission is for it alone"
    )
    arrived_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    worked_at = models.DateTimeField(
        null=True, blank=True, help_text="the first sign of work; until then held shortly"
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(
        null=True, blank=True, help_text="accepted, rejected, returned, expired or withdrawn"
    )
    expires_at = models.DateTimeField()
    outcome = models.CharField(
        max_length=20,
        blank=True,
        default="",
        db_default="",
        help_text="why it was ended before it was handed in (annotation.fieldwork.work.ending)",
    )
    tab = models.CharField(max_length=40, blank=True, help_text="the browser tab that may save")
    number = models.BigIntegerField(
        default=0,
        db_default=0,
        help_text="the highest of its forms and tabs",
    )
    entry_answers = models.JSONField(default=dict, blank=True)
    exit_answers = models.JSONField(default=dict, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["study", "state"], name="assignment_by_study_state"),
            models.Index(
                fields=["expires_at"],
                name="assignment_expiring",
                condition=Q(state__in=["arrived", "active"]),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["task", "worker"], name="task_once_per_worker"),
            models.UniqueConstraint(
                fields=["study", "worker"],
                condition=Q(state__in=["arrived", "active"]),
                name="one_live_assignment_per_worker",
            ),
            models.UniqueConstraint(
                fields=["session_hash"],
                condition=Q(alone=True, state__in=BEGUN_STATES) & ~Q(session_hash=""),
                name="one_work_per_submission",
            ),
            models.CheckConstraint(
                condition=Q(state="arrived", started_at=None, submitted_at=None, ended_at=None)
                | Q(state="active", started_at__isnull=False, submitted_at=None, ended_at=None)
                | Q(
                    state="submitted",
                    started_at__isnull=False,
                    submitted_at__isnull=False,
                    ended_at=None,
                )
                | Q(
                    state__in=["accepted", "rejected"],
                    submitted_at__isnull=False,
                    ended_at__isnull=False,
                )
                | Q(state__in=["returned", "expired"], submitted_at=None, ended_at__isnull=False)
                | Q(state="withdrawn", ended_at__isnull=False),
                name="assignment_state_has_its_times",
            ),
            models.CheckConstraint(
                condition=Q(outcome="")
                | Q(
                    state__in=["returned", "withdrawn"],
                    outcome__in=["screened_out", "failed_check"],
                ),
                name="assignment_outcome_ended_it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker} on {self.task}"

    @cached_property
    def token(self) -> str:
        """Return the token of the worker's address: its holder acts for the worker."""
        return unsealed(self.sealed_token, purpose="token")

    @property
    def submission(self) -> str:
        """The platform's id of it, for finding it there; '' where it has none."""
        return unsealed(self.external_id, purpose="encrypt") if self.external_id else ""

    @property
    def is_live(self) -> bool:
        return self.state in self.LIVE


class Place(models.Model):
    """One of the `quota` places of a task. There are exactly as many rows as places.

    So nobody can be the sixth of five: a claim is a guarded UPDATE of a free row.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="places", db_index=False)
    number = models.PositiveIntegerField()
    assignment = models.OneToOneField(
        Assignment, models.SET_NULL, null=True, blank=True, related_name="place"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="place_number_once_per_task")
        ]
        indexes = [
            models.Index(fields=["task"], name="place_free", condition=Q(assignment=None)),
        ]

    def __str__(self) -> str:
        return f"{self.task} place {self.number}"


class AddressPace(models.Model):
    """Rate at which workers begin a study from one address (fieldwork.work.pacing).

    Each start moves `clear_at` forward; if it is too far ahead, the next worker waits.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="+", db_index=False)
    address_hash = models.CharField(max_length=64)
    clear_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "address_hash"], name="one_pace_per_study_and_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.study} until {self.clear_at}"


class Exposure(models.Model):
    """A worker has met this unit in this study; kept whatever became of the assignment."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="+", db_index=False)
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="+")
    unit = models.CharField(max_length=120)
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="exposures")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "worker", "unit"], name="unit_once_per_worker_and_study"
            )
        ]

    def __str__(self) -> str:
        return f"{self.worker} met {self.unit}"


class Consent(models.Model):
    """A worker agreed to a version of a study's consent text. One row each time."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="consents", db_index=False)
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="consents")
    version = models.CharField(max_length=40)
    given_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "worker"],
                condition=Q(withdrawn_at=None),
                name="one_valid_consent_per_worker_and_study",
            )
        ]

    def __str__(self) -> str:
        return f"{self.worker} consents to {self.study.slug} {self.version}"


class ReviewDecision(models.Model):
    """Decision of a person or a rule about a submission. Appended, never edited."""

    class Decision(models.TextChoices):
        ACCEPT = "accept", gettext_lazy("approved")
        REJECT = "reject", gettext_lazy("rejected")
        REJECT_BUT_PAY = "reject_but_pay", gettext_lazy("rejected but paid")
        REDO = "redo", gettext_lazy("changes requested")
        # What was decided: it waits for a decision again.
        REOPEN = "reopen", gettext_lazy("decision undone")
        # In its time (annotation.fieldwork.review.returning_redos).
        LAPSED = "lapsed", gettext_lazy("changes not submitted")

    # After these the work is open again, or waits for a decision.
    UNDECIDED = (Decision.REDO, Decision.REOPEN, Decision.LAPSED)

    PAID = (Decision.ACCEPT, Decision.REJECT_BUT_PAY)
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="decisions")
    decision = models.CharField(max_length=20, choices=Decision)
    reason = models.TextField(blank=True)
    reviewer = models.CharField(max_length=150, help_text="user name, or the rule")
    decided_at = models.DateTimeField()
    # Of what was decided on: work that is to be redone has lost it, and gets it back by an undo.
    submitted_at = models.DateTimeField(null=True, blank=True)
    act = models.ForeignKey(
        ReviewAct, models.CASCADE, null=True, blank=True, related_name="decisions"
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.decision}"
