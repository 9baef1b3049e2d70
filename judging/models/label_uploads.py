"""Uploaded files of labels that await their import."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.db import models
from django.urls import reverse

from annotation.models import Study


class LabelUpload(models.Model):
    """A file of labels that a researcher checks and imports. The import deletes the content.

    judging.labels.checking changes it.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="label_uploads")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200, help_text="of the file")
    content = models.BinaryField(help_text="packed by gzip")
    choices = models.JSONField(default=dict, help_text="of the page, by field")
    report = models.JSONField(default=dict, help_text="of the last check or import")
    created_at = models.DateTimeField(auto_now_add=True)
    imported_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("label_upload", args=[self.study.slug, self.study.version, self.pk])

    @contextmanager
    def as_file(self) -> Iterator[Path]:
        """Yield the path of a temporary file with the content."""
        with NamedTemporaryFile(suffix=Path(self.name).suffix[:20]) as file:
            file.write(gzip.decompress(self.content))
            file.flush()
            yield Path(file.name)
