"""Studies that are made to be tried, and never kept."""

from django.conf import settings
from django.db import models

from annotation.models.drafts import Draft
from annotation.models.studies import Study


class Trial(models.Model):
    """A draft as it stood, made into a study for one person to walk through as a worker.

    Its study is a real one (`Study.purpose`), so that its pages are; it ends with all that hangs
    on it (annotation/trials/ending.py).
    """

    study = models.OneToOneField(Study, models.CASCADE, related_name="trial")
    draft = models.ForeignKey(Draft, models.CASCADE, related_name="trials", db_index=False)
    revision = models.PositiveIntegerField(help_text="of the draft, that is tried")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    tried_at = models.DateTimeField(null=True, blank=True, help_text="first handed in then")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "user"], name="one_trial_per_draft_and_person")
        ]

    def __str__(self) -> str:
        return f"trial of {self.draft}"
