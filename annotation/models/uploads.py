"""Uploaded files, before they are a part of a corpus."""

from pathlib import Path

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from annotation.models.corpus import Corpus, Origin


class CorpusUpload(models.Model):
    """Files that somebody brings: gathered, checked, imported as a whole. uploads/ changes it."""

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Collecting files")
        CHECKING = "checking", gettext_lazy("Checking")
        CHECKED = "checked", gettext_lazy("Checked")
        IMPORTING = "importing", gettext_lazy("Importing")
        IMPORTED = "imported", gettext_lazy("Imported")

    BUSY = (State.CHECKING, State.IMPORTING)

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # The corpus that grows by it; of a new one only once it is there.
    corpus = models.ForeignKey(
        Corpus, models.SET_NULL, null=True, blank=True, related_name="uploads"
    )
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=200, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, blank=True)
    # The same of each system: {"bm25": "llm"}.
    origins = models.JSONField(default=dict, blank=True)
    drops_citations = models.BooleanField(default=False)
    # Kinds of marks (corpora/resolving.py); None: those that count where nobody chose.
    citation_forms = models.JSONField(null=True, blank=True)
    drops_passages = models.BooleanField(default=False)
    # Choices for problems (corpora/remedies.py): {"empty_answer": {"remedy": "skip"}}.
    remedies = models.JSONField(default=dict, blank=True)
    makes_copies = models.BooleanField(default=False, help_text="degraded, of summaries")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    attempts = models.PositiveIntegerField(default=0, help_text="of the job that is under way")
    problem = models.TextField(blank=True, help_text="why a job did not end")
    report = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    state__in=["open", "checking", "checked", "importing", "imported"]
                ),
                name="corpus_upload_state_known",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("upload", args=[self.pk])

    @property
    def folder(self) -> Path:
        return settings.UPLOADS_DIR / str(self.pk)


class UploadedFile(models.Model):
    """A file of an upload, what its first rows show, and how its columns are to be read."""

    upload = models.ForeignKey(CorpusUpload, models.CASCADE, related_name="files", db_index=False)
    name = models.CharField(max_length=200)
    size = models.BigIntegerField()
    # What look.py has seen: kind, columns, rows, delimiter, fault.
    look = models.JSONField(default=dict)
    # What its owner says: {"kind": ..., "columns": {ours: theirs}, "fixed": {ours: value}}
    mapping = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "name"], name="uploaded_file_name_once")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        return self.upload.folder / f"file-{self.pk}"
