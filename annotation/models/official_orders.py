"""Official orders of the systems of a corpus, imported from files."""

from django.db import models
from django.utils.translation import gettext_lazy

from annotation.models.corpus import Corpus


class OfficialOrder(models.Model):
    """Names with ranks or scores from a file. They are matched to systems on each read."""

    class Better(models.TextChoices):
        HIGHER = "higher", gettext_lazy("higher is better")
        LOWER = "lower", gettext_lazy("lower is better")

    corpus = models.ForeignKey(
        Corpus, models.CASCADE, related_name="official_orders", db_index=False
    )
    name = models.CharField(max_length=200)
    measure = models.CharField(max_length=200, blank=True, help_text="as the file names it")
    better = models.CharField(max_length=10, choices=Better)
    values = models.JSONField(help_text="name of the file -> rank or score")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["corpus", "name"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="official_order_name_once"),
            models.CheckConstraint(
                condition=models.Q(better__in=["higher", "lower"]),
                name="official_order_better_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name
