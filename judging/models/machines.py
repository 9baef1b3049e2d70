"""Models that are asked to judge: their prompts, the judges, and every call that goes out."""

import hashlib
import json
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Study
from judging.models.instruments import Instrument
from judging.models.items import Item
from judging.models.raters import Rater


class Prompt(models.Model):
    """What a model is asked, with `{variables}` for what stands in an item (machines.prompts).

    A version is never changed: another wording is the next one.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="prompts", db_index=False)
    key = models.SlugField(max_length=40)
    version = models.PositiveIntegerField()
    system = models.TextField(blank=True)
    user = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["study", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "key", "version"], name="prompt_version_once_per_study"
            )
        ]

    def __str__(self) -> str:
        return f"{self.key} v{self.version}"

    @property
    def digest(self) -> str:
        """The same for the same wording, in whatever study."""
        said = json.dumps([self.system, self.user]).encode()
        return hashlib.sha256(said).hexdigest()[:8]


class MachineJudge(models.Model):
    """A model behind an endpoint, a version of a prompt, and settings: one rater.

    What makes it this rater stays as it is. Where it is reached, its key, prices and limits may
    change. The key is sealed; without one, settings.MACHINE_KEYS has it for the host.
    """

    class Protocol(models.TextChoices):
        CHAT = "chat", "chat completions"
        RESPONSES = "responses"

    class Orders(models.TextChoices):
        ONE = "one", "as designed"
        BOTH = "both", "both orders"

    class Disagreement(models.TextChoices):
        TIE = "tie", "a tie, where the question has one"
        FIRST = "first", "the answer to the order as designed"

    class State(models.TextChoices):
        READY = "ready"
        RUNNING = "running"
        PAUSED = "paused"
        DONE = "done"

    study = models.ForeignKey(Study, models.CASCADE, related_name="machine_judges", db_index=False)
    name = models.CharField(max_length=100)
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="machine_judges")
    base_url = models.CharField(max_length=300)
    protocol = models.CharField(max_length=10, choices=Protocol, default=Protocol.CHAT)
    model = models.CharField(max_length=100)
    sealed_key = models.BinaryField(default=b"", blank=True, editable=False)
    prompt = models.ForeignKey(Prompt, models.RESTRICT, related_name="judges")
    at_once = models.BooleanField(default=True, help_text="all questions in one call")
    orders = models.CharField(max_length=4, choices=Orders, default=Orders.BOTH)
    on_disagreement = models.CharField(max_length=5, choices=Disagreement, default=Disagreement.TIE)
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
    state = models.CharField(max_length=7, choices=State, default=State.READY)
    said = models.TextField(blank=True, help_text="why it is paused")
    strikes = models.PositiveIntegerField(
        default=0, editable=False, help_text="calls in a row that have failed"
    )
    wanted = models.PositiveIntegerField(
        null=True, blank=True, help_text="items, drawn by the seed of the study; empty for all"
    )
    # Whoever sends its calls just now, and until when they are believed to be alive.
    held_by = models.CharField(max_length=32, blank=True, editable=False)
    held_until = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["study", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "name"], name="machine_judge_name_once_per_study"
            ),
            models.UniqueConstraint(
                fields=["study", "rater"], name="machine_judge_is_one_rater_of_a_study"
            ),
            models.CheckConstraint(
                condition=Q(budget=None) | Q(price_in__isnull=False, price_out__isnull=False),
                name="machine_budget_needs_prices",
            ),
            models.CheckConstraint(
                condition=(Q(price_in=None) | Q(price_in__gte=0))
                & (Q(price_out=None) | Q(price_out__gte=0))
                & (Q(budget=None) | Q(budget__gte=0)),
                name="machine_money_from_0",
            ),
            models.CheckConstraint(
                condition=Q(at_most__gte=1, at_most__lte=128), name="machine_calls_at_once_bounded"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["ready", "running", "paused", "done"]),
                name="machine_judge_state_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class MachineCall(models.Model):
    """One call: an item in one order (0 as designed, 1 the other way round), and what is asked.

    Made before it is sent. `parsed` maps the keys of the questions to what was answered, whatever
    order was shown: the key of the chosen text, the code of an option, or a number; of a question
    that is asked of each slot by question/slot. Nothing of it counts unless all of it could be
    read. `key` tells an endpoint that a repeated call is the same one.

    `cost_micro` is what it cost, in millionths of the study's currency, empty where that is not
    known; `risked_micro` what earlier tries may have cost of which nothing was heard.
    """

    class State(models.TextChoices):
        PREPARED = "prepared"
        SENT = "sent"
        ANSWERED = "answered"
        FAILED = "failed"
        UNKNOWN = "unknown"

    # Kinds of failure at which the model did answer, with what cannot be taken. At every other one
    # a server refused or broke, or we did not ask: that says nothing of the model.
    UNREAD = ("unparsed", "third text", "length", "refused")

    judge = models.ForeignKey(MachineJudge, models.CASCADE, related_name="calls", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="machine_calls")
    instrument = models.ForeignKey(Instrument, models.CASCADE, related_name="+", db_index=False)
    order = models.PositiveSmallIntegerField(help_text="0 as designed, 1 the other way round")
    shown = models.CharField(
        max_length=200, blank=True, help_text="slot names from left to right; empty if none moves"
    )
    asked = models.CharField(max_length=100, blank=True, help_text="the question; empty for all")
    questions = models.JSONField(help_text="keys of the questions")
    key = models.UUIDField(default=uuid.uuid4, editable=False)
    prompt_hash = models.CharField(max_length=64)
    request = models.JSONField(help_text="as it is sent, without the key")
    state = models.CharField(max_length=8, choices=State, default=State.PREPARED)
    raw = models.TextField(blank=True, help_text="the answer as it came")
    parsed = models.JSONField(null=True, blank=True)
    reasons = models.JSONField(default=dict, blank=True)
    error = models.CharField(max_length=20, blank=True, help_text="the kind of failure")
    said = models.TextField(blank=True, help_text="what went wrong, as a sentence")
    copied = models.BooleanField(default=False, help_text="answered by an earlier, identical call")
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    most_in = models.PositiveIntegerField(help_text="tokens that the request has at most")
    cost_micro = models.BigIntegerField(null=True, blank=True)
    risked_micro = models.BigIntegerField(default=0)
    counted = models.BooleanField(default=False, help_text="judgments were recorded of it")
    seconds = models.FloatField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="how often it was sent")
    sent_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["judge", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "item", "instrument", "asked", "order"], name="machine_call_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["prepared", "sent", "answered", "failed", "unknown"]),
                name="machine_call_state_known",
            ),
            models.CheckConstraint(
                condition=~Q(state="answered") | Q(parsed__isnull=False, error=""),
                name="answered_calls_are_parsed",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(error=""), name="failed_calls_say_how"
            ),
        ]
        indexes = [
            models.Index(fields=["judge", "state", "id"], name="machine_call_state"),
            models.Index(fields=["judge", "prompt_hash"], name="machine_call_same"),
            models.Index(
                fields=["prompt_hash"], name="machine_call_answered", condition=Q(state="answered")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.item}, order {self.order}: {self.state}"
