"""Images that came with the texts of a corpus."""

from django.db import models

from annotation.models.corpus import Corpus


class CorpusImage(models.Model):
    """An image as we encoded it. `digest` is that of the bytes that came, `names` of its files."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="images", db_index=False)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes that came")
    names = models.JSONField(default=list, help_text="paths by which texts name it")
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["corpus", "digest"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "digest"], name="image_once_per_corpus"),
            models.CheckConstraint(
                condition=models.Q(media_type__in=["image/png", "image/jpeg", "image/webp"]),
                name="image_media_type_known",
            ),
        ]

    def __str__(self) -> str:
        return self.digest
