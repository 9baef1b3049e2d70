"""Studies before their launch: the document, and every change that was made to it."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from annotation.models.access import Team
from annotation.models.corpus import Corpus
from annotation.models.studies import Study


class Draft(models.Model):
    """A study as one JSON document (annotation/studies/drafts/schema.py), until its launch.

    Kind, slug, title and corpus repeat the document for lists and rights; only
    annotation/studies/drafts/saving.py writes them.
    """

    document = models.JSONField()
    revision = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Study.Kind)
    team = models.ForeignKey(
        Team, models.PROTECT, blank=True, editable=False, related_name="drafts"
    )
    slug = models.CharField(max_length=200, blank=True)
    title = models.CharField(max_length=400, blank=True)
    corpus = models.ForeignKey(Corpus, models.SET_NULL, null=True, blank=True, related_name="+")
    # What it is a new version of.
    base = models.ForeignKey(
        Study, models.SET_NULL, null=True, blank=True, related_name="new_versions"
    )
    study = models.OneToOneField(Study, models.CASCADE, null=True, blank=True, related_name="draft")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="gone a day later")
    role = ""  # of whoever looks at it; annotation.people.access.lookup says it
    hides_corpus = False  # from this reader; annotation.studies.drafts.lookup sets it

    class Meta:
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["writing", "judging"]), name="draft_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(study=None) | Q(deleted_at=None), name="launched_draft_stays"
            ),
        ]

    def __str__(self) -> str:
        return self.title or "Untitled study"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.team_id:  # a new version has the people of its study
            self.team = self.base.team if self.base else Team.objects.create()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("draft", args=[self.pk])


class DraftRevision(models.Model):
    """One saving of a draft. Appended, never changed; with them any earlier state is rebuilt."""

    class Act(models.TextChoices):
        CHANGE = "change"
        UNDO = "undo"
        REDO = "redo"

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField(help_text="the revision that it made")
    act = models.CharField(max_length=6, choices=Act, default=Act.CHANGE)
    # [{"op": "set", "path": ..., "before": ..., "after": ...}, ...]:
    # annotation/studies/drafts/changes.py
    changes = models.JSONField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["draft", "number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="draft_revision_once"),
            models.CheckConstraint(
                condition=Q(act__in=["change", "undo", "redo"]), name="draft_act_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.draft} {self.number}"


class DraftVisit(models.Model):
    """Person with a draft open, and the section; rewritten every few seconds."""

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="visits", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    section = models.CharField(max_length=20, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "user"], name="draft_visit_once_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.draft}"


class Foreseen(models.Model):
    """Last result of *Plan* for a draft, for pages that simulate nothing themselves.

    `digest` is of what it was found for: once that changes, it says nothing any more
    (annotation/studies/drafts/plan_results.py).
    """

    draft = models.OneToOneField(Draft, models.CASCADE, related_name="foreseen")
    digest = models.CharField(max_length=64)
    found = models.JSONField(help_text="annotation.studies.drafts.plan_results.PlannedPower")
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "foreseen"

    def __str__(self) -> str:
        return f"what is foreseen of {self.draft}"
