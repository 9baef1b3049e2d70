"""How sure the result of a draft will be, as its page Plan has found it."""

from django.db import models

from annotation.models.drafts import Draft


class Foreseen(models.Model):
    """What Plan found last for a draft, for the pages that simulate nothing themselves.

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
