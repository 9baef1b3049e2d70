"""Queries that models propose from passages of a corpus, and people's decisions."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Corpus, Passage, Team, Topic
from judging.models.calls import Asker, Call, Wording, call_constraints, call_indexes, kept_to


class QueryPrompt(Wording):
    """Prompt about a passage (queries.wording)."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="query_prompts", db_index=False)

    class Meta:
        ordering = ["corpus", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "key", "version"], name="query_prompt_version_once_per_corpus"
            )
        ]


class QueryRound(Asker):
    """A round in which a model is asked once for queries that each passage answers.

    The passages were chosen when it was set up; `sought`, `drawn` and `seed` say how.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="query_rounds", db_index=False)
    prompt = models.ForeignKey(QueryPrompt, models.RESTRICT, related_name="rounds")
    number = models.PositiveSmallIntegerField(help_text="queries that a passage may give")
    examples = models.JSONField(default=list, help_text="queries that show what is wanted")
    currency = models.CharField(max_length=3, default="USD")
    passages = models.ManyToManyField(Passage, related_name="+")
    sought = models.CharField(max_length=200, blank=True, help_text="words in its passages")
    drawn = models.PositiveIntegerField(null=True, blank=True, help_text="of those; empty for all")
    seed = models.PositiveIntegerField(default=0, help_text="by which they were drawn")
    joined = models.PositiveIntegerField(
        null=True, blank=True, help_text="tokens to which neighbours are joined; empty for none"
    )

    class Meta:
        ordering = ["corpus", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "name"], name="query_round_name_once_per_corpus"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=50), name="query_round_number_bounded"
            ),
            *kept_to("query_round", "query_round_state_known"),
        ]

    @property
    def team(self) -> Team:
        return self.corpus.team


class QueryCall(Call):
    """A call about a passage; `parsed` has the queries as the model wrote them."""

    round = models.ForeignKey(QueryRound, models.CASCADE, related_name="calls", db_index=False)
    team = models.ForeignKey(
        Team,
        models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="of the corpus of the round",
    )
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="query_calls")

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "passage"], name="query_call_once_per_passage"
            ),
            *call_constraints("query_call", kind="query_"),
        ]
        indexes = call_indexes("query_call", "round")

    def __str__(self) -> str:
        return f"{self.round} on {self.passage}: {self.state}"


class ProposedQuery(models.Model):
    """A query that waits for a person: the model's `text`, and the person's `edited` one or ''."""

    class State(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    call = models.ForeignKey(QueryCall, models.CASCADE, related_name="proposals", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1 for the first of its answer")
    text = models.TextField()
    edited = models.TextField(blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    topic = models.OneToOneField(
        Topic, models.SET_NULL, null=True, blank=True, related_name="proposed"
    )

    class Meta:
        verbose_name_plural = "proposed queries"
        ordering = ["call", "position"]
        constraints = [
            models.UniqueConstraint(fields=["call", "position"], name="proposed_query_once"),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at=None, topic=None)
                | Q(state="accepted", decided_at__isnull=False)
                | Q(state="rejected", decided_at__isnull=False, topic=None),
                name="proposed_query_is_decided_or_waits",
            ),
        ]

    def __str__(self) -> str:
        return self.words

    @property
    def words(self) -> str:
        """The query as it is used."""
        return self.edited or self.text
