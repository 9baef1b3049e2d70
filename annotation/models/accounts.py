"""Records about accounts beside Django's own tables."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy


class LoginSession(models.Model):
    """A session that somebody logged in with, so that they can see and end it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="login_sessions"
    )
    key = models.CharField(max_length=40, unique=True, help_text="of Django's session")
    device = models.CharField(max_length=80, help_text="as its browser says")
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-seen_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user}, {self.device}"


class Introduction(models.Model):
    """Details of the researcher shown to workers: name, institution, address, ethics approval.

    New drafts of the account start with it.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="introduction"
    )
    text = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.text


class AccountSettings(models.Model):
    """Choices of a person for their account; without a row, the defaults."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="account_settings"
    )
    emails_when_done = models.BooleanField(
        default=False, help_text="e-mail at the end of long work that the person started"
    )

    def __str__(self) -> str:
        return f"settings of {self.user}"


class WorkNotice(models.Model):
    """An e-mail that a person gets when background work ends (annotation/people/notifying.py)."""

    class Kind(models.TextChoices):
        UPLOAD = "upload", gettext_lazy("Upload")
        ANALYSIS = "analysis", gettext_lazy("Analysis")
        JUDGE = "judge", gettext_lazy("LLM judge")
        QUERIES = "queries", gettext_lazy("Query round")
        ENTRIES = "entries", gettext_lazy("Entry round")
        AUTHORS = "authors", gettext_lazy("LLM author")
        CODERS = "coders", gettext_lazy("LLM coder")
        SIMULATION = "simulation", gettext_lazy("Simulation")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    work = models.BigIntegerField(help_text="key of the upload, study, judge, round or draft")
    title = models.CharField(max_length=200)
    path = models.CharField(max_length=500, help_text="of the page")
    asked_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True, help_text="last attempt to send it")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        *("upload", "analysis", "judge", "queries", "entries", "authors"),
                        *("coders", "simulation"),
                    ]
                ),
                name="work_notice_kind_known",
            ),
            models.UniqueConstraint(
                fields=["user", "kind", "work"], name="work_notice_once_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.work} for {self.user}"
