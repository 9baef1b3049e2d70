"""Questions before the work, how they were answered, and qualifications."""

from django.db import models
from django.db.models import Q

from annotation.models.access import Team
from annotation.models.studies import Study
from annotation.models.work import Assignment, Worker


class Qualification(models.Model):
    """Something that workers have shown in the studies of a team; found by its name there."""

    team = models.ForeignKey(
        Team, models.PROTECT, related_name="qualifications", db_index=False, editable=False
    )
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    # Studies of other teams that accept it; only fieldwork.screening.connecting_qualifications adds
    # one.
    required_by = models.ManyToManyField(
        Study, blank=True, editable=False, related_name="required_qualifications"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "name"], name="qualification_once_per_team")
        ]

    def __str__(self) -> str:
        return self.name


class Qualified(models.Model):
    """A worker has a qualification, given by a study's screening or by a researcher."""

    qualification = models.ForeignKey(
        Qualification, models.CASCADE, related_name="holders", db_index=False
    )
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="qualifications")
    study = models.ForeignKey(Study, models.SET_NULL, null=True, blank=True, related_name="+")
    given_by = models.CharField(max_length=150, help_text="user name, or the rule")
    given_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "qualified"
        constraints = [
            models.UniqueConstraint(
                fields=["qualification", "worker"], name="qualification_once_per_worker"
            )
        ]

    def __str__(self) -> str:
        return f"{self.worker}: {self.qualification}"


class ScreeningResult(models.Model):
    """Answers of a worker to the screening questions: once for all versions of a study."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="screenings")
    slug = models.SlugField(max_length=80, db_index=False, help_text="of the study")
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="screenings")
    assignment = models.ForeignKey(
        Assignment, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    answers = models.JSONField(default=dict, blank=True, help_text="gone after a withdrawal")
    right = models.PositiveIntegerField(help_text="how many answers were right")
    asked = models.PositiveIntegerField()
    is_passed = models.BooleanField()
    attempts = models.PositiveSmallIntegerField(default=1, db_default=1, help_text="so far")
    # Of the attempts before: [{"answers": {...}, "right": 1, "answered_at": ...}]
    earlier = models.JSONField(default=list, blank=True, help_text="gone after a withdrawal")
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slug", "worker"], name="screened_once_per_study_and_worker"
            ),
            models.CheckConstraint(
                condition=Q(right__lte=models.F("asked")), name="screening_right_of_asked"
            ),
            models.CheckConstraint(condition=Q(attempts__gte=1), name="screening_attempts_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.worker}: {self.right} of {self.asked}"
