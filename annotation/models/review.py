"""Review of many submissions at once, and saved lists of reviewers."""

from django.conf import settings
from django.db import models

from annotation.models.studies import Study


class ReviewAct(models.Model):
    """Decision of one person at one time, about one submission or a thousand.

    Its decisions are appended together (`annotation.fieldwork.review.reviewing`) and taken back
    together
    (`annotation.fieldwork.review.undoing`), by the decisions of another act that names it in
    `undoes`.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="review_acts")
    decision = models.CharField(max_length=20, help_text="as in its decisions; an undoing: reopen")
    reviewer = models.CharField(max_length=150, help_text="user name, or the rule")
    made_at = models.DateTimeField()
    undoes = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer}"


class SavedView(models.Model):
    """A list of a study's work as one person narrowed it, kept under a name."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=600, help_text="of the address, without the page")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "user", "name"], name="view_name_once_per_study_and_person"
            )
        ]

    def __str__(self) -> str:
        return self.name
