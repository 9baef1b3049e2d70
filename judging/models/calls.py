"""Abstract models of askers, which ask a model behind an endpoint, and of their calls.

A machine judge asks about items (`machines`), a round of queries about passages (`queries`).
"""

import hashlib
import json
import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Team

HOLD = timedelta(seconds=30)  # without a sign of life somebody else goes on


class Wording(models.Model):
    """Prompt with `{variables}`. A version is never changed: another wording is the next one."""

    key = models.SlugField(max_length=40)
    version = models.PositiveIntegerField()
    system = models.TextField(blank=True)
    user = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @property
    def digest(self) -> str:
        """Hash of the wording, the same wherever it is used."""
        content = json.dumps([self.system, self.user]).encode()
        return hashlib.sha256(content).hexdigest()[:8]


class Asker(models.Model):
    """Request to ask a model: address, price, progress.

    Address, key, prices and limits may change. The key is sealed; the default is the host's key in
    settings.MACHINE_KEYS.
    """

    class Protocol(models.TextChoices):
        CHAT = "chat", "chat completions"
        RESPONSES = "responses"

    class State(models.TextChoices):
        READY = "ready"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"
        WITHDRAWN = "withdrawn"

    name = models.CharField(max_length=100)
    base_url = models.CharField(max_length=300)
    protocol = models.CharField(max_length=10, choices=Protocol, default=Protocol.CHAT)
    model = models.CharField(max_length=100)
    sealed_key = models.BinaryField(default=b"", blank=True, editable=False)
    structured = models.BooleanField(default=True, help_text="answers by JSON schema")
    settings = models.JSONField(default=dict, help_text="temperature, max_tokens, seed")
    repeats = models.BooleanField(
        default=False,
        help_text="the endpoint charges a call once that is sent again with its Idempotency-Key",
    )
    price_in = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, help_text="per million tokens"
    )
    price_out = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, help_text="per million tokens"
    )
    budget = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    at_most = models.PositiveSmallIntegerField(default=8, help_text="calls at the same time")
    state = models.CharField(max_length=10, choices=State, default=State.READY)
    said = models.TextField(blank=True, help_text="why it is paused")
    strikes = models.PositiveIntegerField(
        default=0, editable=False, help_text="calls in a row that have failed"
    )
    # Whoever sends its calls just now, and until when they are believed to be alive.
    held_by = models.CharField(max_length=32, blank=True, editable=False)
    held_until = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField()
    hashed_for = models.CharField(
        max_length=300,
        blank=True,
        editable=False,
        help_text="the address that is in the hashes of calls without an answer",
    )

    calls: "models.Manager[Any]"

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    def is_busy(self, now: datetime) -> bool:
        """Return whether calls are sent, or still wait for answers."""
        is_held = self.held_by != "" and self.held_until is not None and self.held_until >= now
        return is_held or self.state == self.State.RUNNING

    @property
    def team(self) -> Team:
        """Team that sees it and shares the answers to its calls."""
        raise NotImplementedError

    @property
    def wants(self) -> Any:
        """Wish that may change while it runs: then it is not done."""
        return None


def kept_to(name: str, state_name: str) -> list[models.BaseConstraint]:
    """Return the constraints of an asker's table."""
    return [
        models.CheckConstraint(
            condition=Q(budget=None) | Q(price_in__isnull=False, price_out__isnull=False),
            name=f"{name}_budget_needs_prices",
        ),
        models.CheckConstraint(
            condition=(Q(price_in=None) | Q(price_in__gte=0))
            & (Q(price_out=None) | Q(price_out__gte=0))
            & (Q(budget=None) | Q(budget__gte=0)),
            name=f"{name}_money_from_0",
        ),
        models.CheckConstraint(
            condition=Q(at_most__gte=1, at_most__lte=128), name=f"{name}_calls_at_once_bounded"
        ),
        models.CheckConstraint(
            condition=Q(state__in=["ready", "running", "paused", "done", "withdrawn"]),
            name=state_name,
        ),
    ]


def call_constraints(table: str, kind: str = "") -> list[models.BaseConstraint]:
    """Return the constraints of a table of calls; `kind` is a part of their names."""
    return [
        models.UniqueConstraint(
            fields=["team", "prompt_hash"],
            condition=Q(state="sent"),
            name=f"{kind}prompt_is_out_once",
        ),
        models.CheckConstraint(
            condition=Q(state__in=["prepared", "sent", "answered", "failed", "unknown"]),
            name=f"{table}_state_known",
        ),
        models.CheckConstraint(
            condition=~Q(state="answered") | Q(parsed__isnull=False, error=""),
            name=f"answered_{kind}calls_are_parsed",
        ),
        models.CheckConstraint(
            condition=~Q(state="failed") | ~Q(error=""), name=f"failed_{kind}calls_say_how"
        ),
    ]


def call_indexes(table: str, asker: str) -> list[models.Index]:
    return [
        models.Index(fields=[asker, "state", "id"], name=f"{table}_state"),
        models.Index(fields=[asker, "prompt_hash"], name=f"{table}_same"),
        models.Index(
            fields=["prompt_hash"], name=f"{table}_answered", condition=Q(state="answered")
        ),
    ]


class Call(models.Model):
    """A call, made before it is sent; `key` identifies it to an endpoint when it is repeated.

    `parsed` is the whole answer, or nothing. `cost_micro` is its cost in millionths of the
    currency, empty if unknown; `risked_micro` the possible cost of earlier tries without an
    answer.
    """

    class State(models.TextChoices):
        PREPARED = "prepared"
        SENT = "sent"
        ANSWERED = "answered"
        FAILED = "failed"
        UNKNOWN = "unknown"

    # Kinds of failure at which the model did answer, with what cannot be taken. At every other one
    # a server refused or broke, or we did not ask: that says nothing of the model.
    UNREAD = ("unparsed", "third text", "unknown code", "length", "refused")

    key = models.UUIDField(default=uuid.uuid4, editable=False)
    prompt_hash = models.CharField(max_length=64)
    request = models.JSONField(help_text="as it is sent, without the key")
    state = models.CharField(max_length=8, choices=State, default=State.PREPARED)
    raw = models.TextField(blank=True, help_text="the answer as it came")
    parsed = models.JSONField(null=True, blank=True)
    error = models.CharField(max_length=20, blank=True, help_text="the kind of failure")
    said = models.TextField(blank=True, help_text="what went wrong, as a sentence")
    copied = models.BooleanField(default=False, help_text="answered by an earlier, identical call")
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    most_in = models.PositiveIntegerField(help_text="tokens that the request has at most")
    cost_micro = models.BigIntegerField(null=True, blank=True)
    risked_micro = models.BigIntegerField(default=0)
    counted = models.BooleanField(default=False, help_text="what it says was recorded")
    seconds = models.FloatField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="how often it was sent")
    sent_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
