"""Keys with which programs act for a person."""

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def valid(self, *, now: datetime) -> "ApiKeyQuerySet":
        return self.filter(revoked_at=None).exclude(expires_at__lte=now)


class ApiKey(models.Model):
    """Key with which a program acts for a person, within its scopes.

    Of the secret only a hash is kept: it is shown once.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80, help_text="what it is for")
    prefix = models.CharField(max_length=12, unique=True, help_text="by which people know it")
    secret_hash = models.CharField(max_length=64)
    scopes = models.JSONField(help_text="acts of annotation/people/access/roles.py")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True, help_text="last; to the hour")
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at=None) | Q(expires_at__gt=F("created_at")),
                name="api_key_expires_after_it_was_made",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def allows(self, act: str) -> bool:
        scopes: Collection[str] = self.scopes
        return act in scopes
