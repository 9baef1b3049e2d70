"""Imported Rubric files of graded passages, kept so that exports reproduce them."""

import gzip
from typing import Any

from django.db import models

from annotation.models import Study


class PassageFile(models.Model):
    """A file of graded passages that a study imported.

    `graders` are rows of grader (as judging.labels.rubric has it) and pseudonym of its rater.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="passage_files", db_index=False)
    name = models.CharField(max_length=200)
    content = models.BinaryField(help_text="JSON Lines, packed by gzip")
    graders: "models.JSONField[Any, Any]" = models.JSONField(default=list)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["study", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="passage_file_once_per_study")
        ]

    def __str__(self) -> str:
        return self.name

    def lines(self) -> list[bytes]:
        """Return the lines of the file."""
        return gzip.decompress(self.content).splitlines()
