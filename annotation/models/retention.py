"""Until when the data of a study's people are kept, what platforms told of them, kept codes."""

from django.db import models

from annotation.models.studies import Study
from annotation.models.work import Assignment


class Keeping(models.Model):
    """Until when a study keeps what it needs no longer, and when that was erased.

    Kept through the day that is named. A date is a promise: people read it before they agree, and
    on their receipts.
    """

    study = models.OneToOneField(Study, models.CASCADE, related_name="keeping")
    logs_until = models.DateField(null=True, blank=True)
    platform_ids_until = models.DateField(null=True, blank=True)
    demographics_until = models.DateField(null=True, blank=True)
    recordings_until = models.DateField(null=True, blank=True)
    logs_erased_at = models.DateTimeField(null=True, blank=True)
    platform_ids_erased_at = models.DateTimeField(null=True, blank=True)
    demographics_erased_at = models.DateTimeField(null=True, blank=True)
    recordings_erased_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"what {self.study.slug} keeps"


class Demographics(models.Model):
    """Data of a platform about the worker of a submission: age, sex, countries.

    `said` has the columns of the platform's file under our names; what somebody did not want to
    say is not in it.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="demographics")
    said = models.JSONField(default=dict)
    imported_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "demographics"

    def __str__(self) -> str:
        return f"demographics of {self.assignment}"


class KeptCode(models.Model):
    """The completion code of work that had one before the key changed that codes come from."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="kept_code")
    code = models.CharField(max_length=40)

    def __str__(self) -> str:
        return self.code
