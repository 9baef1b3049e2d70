"""Roles of people on studies and corpora, and the audit log."""

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy


class Role(models.TextChoices):
    """Role of a person in a team; annotation/people/access/roles.py lists its rights."""

    OWNER = "owner", gettext_lazy("Owner")
    RESEARCHER = "researcher", gettext_lazy("Researcher")
    REVIEWER = "reviewer", gettext_lazy("Reviewer")
    VIEWER = "viewer", gettext_lazy("Viewer")


class Team(models.Model):
    """The people of a study (its draft, all its versions) or a corpus, which others never see."""

    role = ""  # of whoever looks at it; annotation.people.access.lookup says it

    def __str__(self) -> str:
        return str(self.shares)

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.pk])

    @cached_property
    def shares(self) -> Any:
        """Return the study (newest version), draft or corpus of this team."""
        study = self.studies.select_related("corpus").order_by("-version").first()
        return study or self.drafts.first() or getattr(self, "corpus", "what was deleted")


class Membership(models.Model):
    """A person in a team."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships", db_index=False)
    # Who has a role is deactivated, not deleted: an owner would be missing.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="person_once_per_team"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role}"


class AuditIsFinal(TypeError):
    """Refusal to change the audit log; the database refuses it as well (a trigger)."""

    def __init__(self) -> None:
        super().__init__(gettext("Audit log entries can't be changed or deleted."))


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def update(self, **changes: Any) -> int:
        raise AuditIsFinal

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AuditIsFinal


class AuditEntry(models.Model):
    """Somebody did something with a study, a corpus or an account. Written once.

    A migration that alters this table on SQLite makes it again without its triggers: it has to
    bring them back (`ForbidChanges` of annotation.migration_operations).
    """

    # What happened to accounts has no team. Neither people nor teams that did something go away.
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="audit_entries", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=150, help_text="of the person, as it was then")
    act = models.CharField(max_length=60, help_text="in the past tense: closed a batch")
    what = models.CharField(max_length=500, blank=True, help_text="which one, and how")
    at = models.DateTimeField(auto_now_add=True)

    objects = AuditQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-pk"]
        indexes = [models.Index(fields=["team", "-id"], name="audit_of_a_team")]

    def __str__(self) -> str:
        return f"{self.name} {self.act}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AuditIsFinal
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AuditIsFinal


class Invitation(models.Model):
    """A link that makes whoever follows it first a member. Only the hash of its token is kept."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    name = models.CharField(max_length=150, blank=True, help_text="for whom, as its maker says")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="invitation_role_known"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, accepted_by=None)
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False, revoked_at=None),
                name="invitation_is_accepted_by_somebody_or_revoked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name or 'somebody'}, {self.role}"
