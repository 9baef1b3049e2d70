"""What is kept about accounts beside Django's own tables."""

from django.conf import settings
from django.db import models


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
