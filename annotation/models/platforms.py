"""Studies and workers as their platform knows them."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from annotation.encryption import unsealed
from annotation.models.studies import Study
from annotation.models.work import Assignment, Worker


class PlatformStudy(models.Model):
    """The place at a platform where people find a study, for tasks of one pay and length."""

    platform = models.CharField(max_length=20)
    external_id = models.CharField(max_length=40)
    study = models.ForeignKey(Study, models.CASCADE, related_name="platform_studies")
    state = models.CharField(max_length=40, blank=True, help_text="in the platform's words")
    pay = models.DecimalField(max_digits=8, decimal_places=2)
    minutes = models.PositiveIntegerField()
    places = models.PositiveIntegerField(default=0, help_text="as the platform was told last")
    created_at = models.DateTimeField()
    polled_at = models.DateTimeField(null=True, blank=True, help_text="all was asked for last")
    heard_at = models.DateTimeField(null=True, blank=True, help_text="the last webhook")
    problem = models.TextField(blank=True, help_text="why the last poll did not come to its end")
    is_underpaying = models.BooleanField(
        default=False, help_text="by the platform: people take longer than planned"
    )
    median_seconds = models.PositiveIntegerField(
        null=True, blank=True, help_text="of submissions that were completed there"
    )
    groups = models.JSONField(
        default=dict, help_text="of participants there whom the screening admits or excludes"
    )
    follows = models.BooleanField(
        default=False, help_text="paused by our batches, so it starts again with them"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "external_id"], name="platform_study_once_per_platform"
            )
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} at {self.platform}"

    @property
    def is_slower(self) -> bool:
        """True if the median time is longer than planned, so an hour earns less than planned."""
        return bool(self.minutes) and (self.median_seconds or 0) > 60 * self.minutes

    @property
    def median_minutes(self) -> float:
        return (self.median_seconds or 0) / 60

    @property
    def planned_wage(self) -> Decimal:
        """The reward an hour of planned time."""
        return self.pay * 60 / self.minutes

    @property
    def median_wage(self) -> Decimal:
        """The reward an hour of median time."""
        return self.pay * 3600 / (self.median_seconds or 60 * self.minutes)


class PlatformSubmission(models.Model):
    """Submission of one person to a study, as the platform reports it.

    Its status is what the platform answered when it was asked at `asked_at`; an answer to an older
    question never replaces it.
    """

    class Status(models.TextChoices):
        # As Prolific writes them.
        RESERVED = "RESERVED", gettext_lazy("place reserved")
        ACTIVE = "ACTIVE", gettext_lazy("active")
        TIMED_OUT = "TIMED-OUT", gettext_lazy("timed out")
        AWAITING_REVIEW = "AWAITING REVIEW", gettext_lazy("awaiting review")
        APPROVED = "APPROVED", gettext_lazy("approved")
        PARTIALLY_APPROVED = "PARTIALLY APPROVED", gettext_lazy("partially approved")
        REJECTED = "REJECTED", gettext_lazy("rejected")
        RETURNED = "RETURNED", gettext_lazy("returned")
        SCREENED_OUT = "SCREENED OUT", gettext_lazy("screened out")
        UNKNOWN = "UNKNOWN", gettext_lazy("unknown")

    class Source(models.TextChoices):
        WEBHOOK = "webhook"
        POLL = "poll"

    GONE = (Status.TIMED_OUT, Status.RETURNED, Status.REJECTED)  # their places are free again
    PAID = (Status.APPROVED, Status.PARTIALLY_APPROVED)
    ENDED = (*GONE, *PAID, Status.SCREENED_OUT)  # nobody begins for such a submission

    platform_study = models.ForeignKey(
        PlatformStudy, models.CASCADE, related_name="submissions", db_index=False
    )
    # The same hash as `Assignment.session_hash`: the id itself is readable only with the key.
    session_hash = models.CharField(max_length=64, db_index=True)
    external_id = models.BinaryField(help_text="encrypted")
    person_hash = models.CharField(max_length=64, help_text="as `Worker.external_hash`")
    worker = models.ForeignKey(Worker, models.SET_NULL, null=True, blank=True, related_name="+")
    assignment = models.ForeignKey(
        Assignment, models.SET_NULL, null=True, blank=True, related_name="platform_submissions"
    )
    status = models.CharField(max_length=20, choices=Status)
    code = models.CharField(max_length=60, blank=True, help_text="that the person entered there")
    was_late = models.BooleanField(default=False, help_text="it had timed out before")
    asked_at = models.DateTimeField()
    changed_at = models.DateTimeField(help_text="when we first knew of this status")
    source = models.CharField(max_length=7, choices=Source)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform_study", "session_hash"], name="submission_once_per_platform_study"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform_study}: {self.status}"

    @property
    def is_gone(self) -> bool:
        """Return whether the submission ended without pay, so that it can't be approved."""
        return self.status in self.GONE

    @property
    def submission(self) -> str:
        """The platform's id of it."""
        return unsealed(self.external_id, purpose="encrypt")


class PlatformMessage(models.Model):
    """A message to a participant through their platform, or a request to return a submission.

    Written before it is sent. A repeated call would send it again, so one whose fate is unknown is
    left to a person.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", gettext_lazy("Message")
        RETURN = "return", gettext_lazy("Request to return")

    class State(models.TextChoices):
        SENDING = "sending", gettext_lazy("Sending")
        SENT = "sent", gettext_lazy("Sent")
        UNKNOWN = "unknown", gettext_lazy("Unknown")
        REFUSED = "refused", gettext_lazy("Not sent")

    submission = models.ForeignKey(
        PlatformSubmission, models.CASCADE, related_name="messages", db_index=False
    )
    number = models.PositiveIntegerField(help_text="the same form is sent once")
    kind = models.CharField(max_length=7, choices=Kind)
    body = models.TextField()
    state = models.CharField(max_length=7, choices=State, default=State.SENDING)
    said = models.TextField(blank=True, help_text="why it was not sent, or is not known")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", db_index=False
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "number"], name="platform_message_written_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(body=""), name="platform_message_has_a_text"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} about {self.submission}"


class WebhookEvent(models.Model):
    """A message of a platform, taken once. It says only that something should be asked again."""

    platform = models.CharField(max_length=20)
    event_id = models.CharField(max_length=200)
    # Of its signature: the same message under another event id is taken once as well.
    signature_hash = models.CharField(max_length=64, null=True, unique=True)
    resource = models.BinaryField(help_text="the submission to ask about, encrypted")
    received_at = models.DateTimeField(db_index=True)
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "event_id"], name="webhook_event_once_per_platform"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.event_id}"


class WebhookSecret(models.Model):
    """Secret with which Prolific signs its messages about a workspace: the newest only."""

    workspace = models.CharField(max_length=60, unique=True)
    secret = models.BinaryField(help_text="encrypted")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.workspace}, {self.made_at}"


class SpentToken(models.Model):
    """A platform's signed link that somebody opened: it is good for nobody else."""

    fingerprint = models.CharField(max_length=64, unique=True)
    browser_hash = models.CharField(max_length=64, blank=True, help_text="who may reload the page")
    spent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.fingerprint[:8]} at {self.spent_at}"


class OutcomeCode(models.Model):
    """The code with which people of a study go back to their platform after an outcome.

    Kept as it is once somebody may have been shown it. That of completion and that of no consent
    are fields of the study.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="outcome_codes", db_index=False)
    outcome = models.CharField(max_length=20)
    code = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "outcome"], name="one_code_per_outcome"),
            models.UniqueConstraint(fields=["study", "code"], name="one_outcome_per_code"),
            models.CheckConstraint(condition=~models.Q(code=""), name="outcome_code_is_said"),
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} {self.outcome}: {self.code}"
