"""Models of rounds in which an LLM writes the texts of a writing study."""

from typing import Any

from django.db import models
from django.db.models import Q

from annotation.models import Response, Study, Style, Team, Topic
from judging.models.calls import Asker, Call, Wording, call_constraints, call_indexes, kept_to


class AuthorPrompt(Wording):
    """A version of a prompt that asks for a text (see authors.wording)."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="author_prompts", db_index=False)

    class Meta:
        ordering = ["study", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "key", "version"], name="author_prompt_version_once_per_study"
            )
        ]


class AuthorRound(Asker):
    """An LLM as an author: one call for each topic and style of a writing study."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="author_rounds", db_index=False)
    prompt = models.ForeignKey(AuthorPrompt, models.RESTRICT, related_name="rounds")
    styles: "models.JSONField[Any, Any]" = models.JSONField(help_text="keys of the styles")

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "name"], name="author_round_name_once_per_study"
            ),
            *kept_to("author_round", "author_round_state_known"),
        ]

    @property
    def team(self) -> Team:
        return self.study.team

    @property
    def currency(self) -> str:
        return self.study.currency


class AuthorCall(Call):
    """A call for a text; `parsed` holds the text, and `response` is that text in the corpus."""

    round = models.ForeignKey(AuthorRound, models.CASCADE, related_name="calls", db_index=False)
    team = models.ForeignKey(
        Team, models.CASCADE, related_name="+", db_index=False, help_text="of the study"
    )
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="author_calls")
    style = models.CharField(max_length=10, choices=Style)
    response = models.OneToOneField(
        Response, models.SET_NULL, null=True, blank=True, related_name="author_call"
    )

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "topic", "style"], name="author_call_once_per_text"
            ),
            models.CheckConstraint(
                condition=Q(style__in=Style.values), name="author_call_style_known"
            ),
            *call_constraints("author_call", kind="author_"),
        ]
        indexes = call_indexes("author_call", "round")

    def __str__(self) -> str:
        return f"{self.round} on {self.topic}, {self.style}: {self.state}"
