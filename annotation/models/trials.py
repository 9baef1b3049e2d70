"""Studies that are made to be tried, and never kept."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.drafts import Draft
from annotation.models.studies import Study


class Trial(models.Model):
    """A draft as it stood, made into a study for one person to walk through as a worker.

    Its study is a real one (`Study.purpose`), so that its pages are; it ends with all that hangs
    on it (annotation/fieldwork/trials/ending.py).
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


class Tester(models.Model):
    """The signed-in person who began work of a trial, or of a study of their own team.

    Trial work without such a row was begun by a person with the link.
    """

    assignment = models.OneToOneField(
        "Assignment", models.CASCADE, primary_key=True, related_name="tester"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.user} on {self.assignment}"


class Simulation(models.Model):
    """A copy of what a draft says, answered by a simulated crowd and analysed like a real study.

    The job that answers it is taken by a guarded UPDATE; `touched_at` says that it goes on, so that
    another worker takes what one has left (annotation/fieldwork/trials/simulating.py).
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        FAILED = "failed"

    draft = models.OneToOneField(Draft, models.CASCADE, related_name="simulation")
    study = models.OneToOneField(
        Study, models.CASCADE, null=True, blank=True, related_name="simulation"
    )
    revision = models.PositiveIntegerField()
    document = models.JSONField(help_text="of the draft, as it was then")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    workers = models.PositiveIntegerField(null=True, blank=True, help_text="empty: as many as fit")
    competence = models.FloatField(help_text="how probable it is that a worker knows an answer")
    difference = models.FloatField(
        help_text="between systems: the standard deviation of their merits, where that of the "
        "texts of one system is 1"
    )
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    sentence = models.TextField(blank=True, help_text="why it failed")
    attempts = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "working", "done", "failed"]),
                name="simulation_state_known",
            ),
            models.CheckConstraint(
                condition=Q(competence__gte=0, competence__lte=1, difference__gte=0),
                name="simulation_figures_possible",
            ),
        ]

    def __str__(self) -> str:
        return f"simulation of {self.draft}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.WORKING)
