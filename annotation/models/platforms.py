"""What a study and its people are at the platform where they were found."""

from django.db import models

from annotation.models.studies import Study


class SpentToken(models.Model):
    """A platform's signed link that somebody opened: it is good for nobody else."""

    fingerprint = models.CharField(max_length=64, unique=True)
    browser_hash = models.CharField(max_length=64, blank=True, help_text="who may reload the page")
    spent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.fingerprint[:8]} at {self.spent_at}"


class OutcomeCode(models.Model):
    """The code with which people of a study go back to their platform after an outcome.

    Kept as it is once somebody may have been shown it. That of completion and that of no consent
    are fields of the study.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="outcome_codes", db_index=False)
    outcome = models.CharField(max_length=20)
    code = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "outcome"], name="one_code_per_outcome"),
            models.UniqueConstraint(fields=["study", "code"], name="one_outcome_per_code"),
            models.CheckConstraint(condition=~models.Q(code=""), name="outcome_code_is_said"),
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} {self.outcome}: {self.code}"
