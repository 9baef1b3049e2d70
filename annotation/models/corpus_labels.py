"""Labels that came with the texts of a corpus."""

import gzip

from django.db import models

from annotation.models.corpus import Corpus


class CorpusLabels(models.Model):
    """Labels of a file of a corpus, as packed JSON Lines that a study can import."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="labels", db_index=False)
    name = models.CharField(max_length=200, help_text="of the file that they came in")
    count = models.PositiveIntegerField()
    raters = models.PositiveIntegerField(help_text="that the file names")
    content = models.BinaryField(help_text="packed by gzip")
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["corpus", "name"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="labels_once_per_file")
        ]

    def __str__(self) -> str:
        return self.name

    def unpacked(self) -> bytes:
        """Return the labels as JSON Lines."""
        return gzip.decompress(self.content)
