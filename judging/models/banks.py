"""Banks of questions or nuggets that outlive a study, and the decisions on their entries."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Max, Q
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy

from annotation.models import Corpus, Passage, Response, Team, Topic


class BankIsFinal(TypeError):
    """A change of an entry or decision; the database refuses it as well (a trigger)."""

    def __init__(self) -> None:
        super().__init__(gettext("Bank entries and decisions can't be changed."))


class FinalQuerySet(models.QuerySet[Any]):
    def update(self, **changes: Any) -> int:
        raise BankIsFinal

    def delete(self) -> tuple[int, dict[str, int]]:
        raise BankIsFinal


class EntryQuerySet(FinalQuerySet):
    def erase(self) -> int:
        """Empty the texts of entries whose words were withdrawn; the trigger allows this alone."""
        return models.QuerySet.update(self, text="")


class DecisionQuerySet(FinalQuerySet):
    def erase(self) -> int:
        """Empty the answers in decisions on erased entries; the trigger allows this alone."""
        return models.QuerySet.update(self, answers=[])

    def newest(
        self, bank: "Bank", revision: int | None = None, **only: Any
    ) -> "models.QuerySet[EntryDecision]":
        """Return the newest decision on each entry of a bank at a revision, filtered by `only`."""
        rows = self.filter(bank=bank, **only)
        if revision is not None:
            rows = rows.filter(revision__lte=revision)
        newest = rows.order_by().values("entry").annotate(newest=Max("revision"))
        return self.filter(bank=bank, revision__in=newest.values("newest"))


class Bank(models.Model):
    """Questions or nuggets about the topics of a corpus.

    `revision` is the number of the last decision; only judging.banks.deciding moves it.
    """

    class Kind(models.TextChoices):
        QUESTIONS = "questions", gettext_lazy("Questions")
        NUGGETS = "nuggets", gettext_lazy("Nuggets")

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="banks", db_index=False)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=9, choices=Kind)
    revision = models.PositiveIntegerField(default=0, help_text="number of the last decision")
    description = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    # By format: the fields of its file that no other column has, written again on export.
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["corpus", "name"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="bank_name_once_per_corpus"),
            models.CheckConstraint(
                condition=Q(kind__in=["questions", "nuggets"]), name="bank_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def team(self) -> Team:
        return self.corpus.team

    @cached_property
    def is_used(self) -> bool:
        """Return whether a study uses the bank."""
        return self.instruments.exists()


class BankEntry(models.Model):
    """A question or nugget: a text, whose md5 is in its key. An edit is another entry.

    The text is empty if it was worded from a response whose writer withdrew it.

    A migration that alters this table on SQLite creates it again without its trigger: it has to
    restore it (`ForbidChanges` of annotation.migration_operations).
    """

    class Author(models.TextChoices):
        PERSON = "person", gettext_lazy("Person")
        MODEL = "model", gettext_lazy("Model")

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="entries", db_index=False)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="bank_entries")
    facet = models.CharField(max_length=200, blank=True, help_text="sub-topic; empty for none")
    key = models.CharField(max_length=450, help_text="topic[/facet]/md5 of the text")
    text = models.TextField()
    author = models.CharField(
        max_length=6, choices=Author, blank=True, help_text="empty if its file does not say"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=200, blank=True)
    replaces = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="replaced_by"
    )
    # The marked span that it was worded from.
    passage = models.ForeignKey(Passage, models.SET_NULL, null=True, blank=True, related_name="+")
    response = models.ForeignKey(Response, models.SET_NULL, null=True, blank=True, related_name="+")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField()
    extra = models.JSONField(default=dict, blank=True, help_text="by format, as of the bank")

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "bank entries"
        ordering = ["bank", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["bank", "topic", "facet", "key"], name="bank_entry_once"
            ),
            models.CheckConstraint(
                condition=Q(author__in=["", "person", "model"]), name="bank_entry_author_known"
            ),
            models.CheckConstraint(
                condition=Q(passage=None) | Q(response=None), name="bank_entry_has_one_source"
            ),
            models.CheckConstraint(
                condition=Q(start=None, end=None) | Q(start__lt=models.F("end")),
                name="bank_entry_span_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class EntryDecision(models.Model):
    """The state of an entry from a revision of its bank on. Appended, never changed.

    Decisions that were made together have the same `act`: the revision of the first one.

    A migration that alters this table on SQLite creates it again without its trigger: it has to
    restore it (`ForbidChanges` of annotation.migration_operations).
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", gettext_lazy("Proposed")
        CONFIRMED = "confirmed", gettext_lazy("Confirmed")
        RETIRED = "retired", gettext_lazy("Retired")

    class Importance(models.TextChoices):
        NONE = "", gettext_lazy("Not set")
        VITAL = "vital", gettext_lazy("Vital")
        OKAY = "okay", gettext_lazy("Okay")
        AVOID = "avoid", gettext_lazy("Avoid")

    class Aggregator(models.TextChoices):
        NONE = "", gettext_lazy("Not set")
        AND = "and", gettext_lazy("All answers")
        OR = "or", gettext_lazy("Any answer")

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="decisions", db_index=False)
    entry = models.ForeignKey(BankEntry, models.CASCADE, related_name="decisions", db_index=False)
    revision = models.PositiveIntegerField()
    act = models.PositiveIntegerField(help_text="revision of the first decision of this act")
    state = models.CharField(max_length=9, choices=State)
    importance = models.CharField(max_length=5, choices=Importance, blank=True)
    secret = models.BooleanField(default=False)
    answers = models.JSONField(default=list, blank=True, help_text="{answer, references} each")
    aggregator = models.CharField(max_length=3, choices=Aggregator, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["bank", "revision"]
        indexes = [models.Index(fields=["entry", "revision"], name="entry_decision_newest")]
        constraints = [
            models.UniqueConstraint(fields=["bank", "revision"], name="entry_decision_numbered"),
            models.CheckConstraint(
                condition=Q(act__gte=1) & Q(act__lte=models.F("revision")),
                name="entry_decision_act_began",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["proposed", "confirmed", "retired"]),
                name="entry_decision_state_known",
            ),
            models.CheckConstraint(
                condition=Q(importance__in=["", "vital", "okay", "avoid"]),
                name="entry_decision_importance_known",
            ),
            models.CheckConstraint(
                condition=Q(aggregator__in=["", "and", "or"]),
                name="entry_decision_aggregator_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {self.entry} {self.state}"
