"""Scores and reasons of documents in view, copied at the launch."""

from django.db import models

from annotation.models import Passage
from judging.models.instruments import Instrument
from judging.models.judgments import Judgment


class DocumentScore(models.Model):
    """Score of a passage in another study at the launch, with its `label`."""

    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="document_scores", db_index=False
    )
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="+")
    score = models.IntegerField()
    label = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "passage"], name="document_scored_once_per_instrument"
            )
        ]

    def __str__(self) -> str:
        return f"{self.passage}: {self.score}"


class DocumentReason(models.Model):
    """A rater's reason for a score as it was, blanked when the answer is erased."""

    score = models.ForeignKey(DocumentScore, models.CASCADE, related_name="reasons", db_index=False)
    judgment = models.ForeignKey(Judgment, models.CASCADE, related_name="+")
    text = models.TextField()

    class Meta:
        ordering = ["score", "judgment"]
        constraints = [
            models.UniqueConstraint(fields=["score", "judgment"], name="document_reason_once")
        ]

    def __str__(self) -> str:
        return self.text[:80]
