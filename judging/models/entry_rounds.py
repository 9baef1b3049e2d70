"""Models of rounds in which an LLM proposes bank entries."""

from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models import Corpus, Passage, Response, Team, Topic
from judging.models.banks import Bank
from judging.models.calls import Asker, Call, Wording, call_constraints, call_indexes, kept_to


class EntryPrompt(Wording):
    """A version of a prompt that proposes entries for a topic (see banks.wording)."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="entry_prompts", db_index=False)

    class Meta:
        ordering = ["corpus", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "key", "version"], name="entry_prompt_version_once_per_corpus"
            )
        ]


class EntryRound(Asker):
    """A round of calls, one per topic or subtopic, in which a model proposes entries."""

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="rounds", db_index=False)
    prompt = models.ForeignKey(EntryPrompt, models.RESTRICT, related_name="rounds")
    number = models.PositiveSmallIntegerField(help_text="entries that a topic may give")
    passages = models.PositiveSmallIntegerField(
        default=0, help_text="first passages of a topic that the model reads"
    )
    responses = models.PositiveSmallIntegerField(
        default=0, help_text="first responses of a topic that the model reads"
    )
    subtopics: "models.JSONField[Any, Any]" = models.JSONField(
        default=list, blank=True, help_text="a call for each; none: one call for a topic"
    )
    # The selection that the round is about, if any.
    passage = models.ForeignKey(Passage, models.SET_NULL, null=True, blank=True, related_name="+")
    response = models.ForeignKey(Response, models.SET_NULL, null=True, blank=True, related_name="+")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    topics = models.ManyToManyField(Topic, related_name="+")

    class Meta:
        ordering = ["bank", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["bank", "name"], name="entry_round_name_once_per_bank"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=50), name="entry_round_number_bounded"
            ),
            *kept_to("entry_round", "entry_round_state_known"),
        ]

    @property
    def team(self) -> Team:
        return self.bank.corpus.team


class EntryCall(Call):
    """A call about a topic or subtopic; `parsed` holds the entries of the reply.

    `unread` holds the unreadable replies of earlier attempts as {raw, said}.
    """

    round = models.ForeignKey(EntryRound, models.CASCADE, related_name="calls", db_index=False)
    team = models.ForeignKey(
        Team, models.CASCADE, related_name="+", db_index=False, help_text="of the round's corpus"
    )
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="entry_calls")
    subtopic = models.CharField(max_length=200, blank=True, default="")
    read: "models.JSONField[Any, Any]" = models.JSONField(
        default=list, blank=True, help_text="responses that the request shows"
    )
    unread: "models.JSONField[Any, Any]" = models.JSONField(default=list, blank=True)
    added = models.PositiveSmallIntegerField(default=0, help_text="entries new to the bank")
    same = models.PositiveSmallIntegerField(default=0, help_text="entries that the bank had")

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "topic", "subtopic"], name="entry_call_once_per_subtopic"
            ),
            *call_constraints("entry_call", kind="entry_"),
        ]
        indexes = call_indexes("entry_call", "round")

    def __str__(self) -> str:
        return f"{self.round} on {self.topic}: {self.state}"
