"""What stands beside pairs by its score: what others gave documents, as it was at the launch."""

from django.db import models

from annotation.models import Passage
from judging.models.instruments import Instrument
from judging.models.judgments import Judgment


class DocumentScore(models.Model):
    """What the raters of another study gave a passage, as it was when this study was made: by it,
    and by nothing later, a passage stands in view of pairs. `label` is what the answer is called.
    """

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
    """What a rater wrote about a passage, to be read beside it: the words as they were. Where the
    answer is erased (its rater withdrew, labels were taken out), the words go, too.
    """

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
