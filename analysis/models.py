"""Analysis runs, their steps and results."""

from collections.abc import Iterable
from typing import Any, Self

from django.db import models
from django.db.models import Q

from analysis.inputs.settings import (
    PEOPLE,
    WITH_MACHINES,
    confidence_of,
    in_force,
    is_sequential,
    pool_name_of,
)
from annotation.clock import database_now
from annotation.models import Assignment, Batch, Draft, Study


class AnalysisRunQuerySet(models.QuerySet["AnalysisRun"]):
    def newest_first(self) -> Self:
        """Order by the time of the last request; old runs are requested again."""
        return self.order_by("-asked", "-pk")

    def newest_of(self, studies: Iterable[Study]) -> Self:
        """Return the newest run of each study."""
        others = AnalysisRun.objects.filter(study=models.OuterRef("study"))
        newer = others.filter(
            Q(asked__gt=models.OuterRef("asked"))
            | Q(asked=models.OuterRef("asked"), pk__gt=models.OuterRef("pk"))
        )
        return self.filter(~models.Exists(newer), study__in=studies)

    def of_pool(self, name: str) -> Self:
        """Return the runs of this pool of raters; runs of people name no pool."""
        if name == PEOPLE:
            return self.filter(parameters__pool__isnull=True)
        return self.filter(parameters__pool=name)

    def finished(self) -> Self:
        return self.filter(state=AnalysisRun.State.DONE)

    def newest_finished(self, pool: str = "") -> "AnalysisRun | None":
        """Return the run of a study that pages, files and findings show.

        This is the run of `pool`; by default that of people, or else of another pool. It comes
        without the ids of the work that counts, which may be many. Use on `study.runs`.
        """
        done = self.finished().newest_first().select_related("batch").defer("frozen")
        run = done.of_pool(pool or PEOPLE).first()
        return run if run or pool else done.first()

    def finished_pools(self) -> list[str]:
        """Return the pools that have a finished run, people first."""
        pools = self.finished().order_by("parameters__pool").values_list("parameters__pool")
        names = {name or PEOPLE for (name,) in pools.distinct()}
        return sorted(names, key=lambda name: (name != PEOPLE, name))


class AnalysisRun(models.Model):
    """One analysis of a study, reproducible from this record."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    study = models.ForeignKey(Study, models.CASCADE, related_name="runs", db_index=False)
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True, related_name="runs")
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    version = models.CharField(max_length=40, help_text="of the code")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the input frames")
    inputs = models.JSONField(default=dict, help_text="SHA-256 of the frame of each measure")
    frozen = models.JSONField(default=dict, help_text="ids of the work that counts")
    remarks = models.JSONField(
        default=list, help_text="sentences: to what of the study no analysis applies"
    )
    overtaken = models.BooleanField(
        default=False, help_text="counts answers of somebody who has withdrawn since"
    )
    without = models.PositiveIntegerField(
        default=0, db_default=0, help_text="people who had handed in and withdrew before it"
    )
    # SHA-256 of study, batch, digest, parameters, seed and version: the same question asked of
    # the same data has one answer.
    key = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    created_at = models.DateTimeField(auto_now_add=True)
    asked = models.PositiveBigIntegerField(
        default=0, help_text="counts up whenever a run of the study is asked for: clocks jump"
    )
    asked_at = models.DateTimeField(help_text="last time that somebody asked for it")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = AnalysisRunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running"], finished_at=None)
                | Q(state__in=["done", "failed", "cancelled"], finished_at__isnull=False),
                name="run_state_has_its_times",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} run {self.pk}"

    @property
    def said_parameters(self) -> list[str]:
        """The parameters as "name = value", without empty ones."""
        nothing: tuple[Any, ...] = (None, "", {}, [])
        return [
            f"{name} = {value}" for name, value in self.parameters.items() if value not in nothing
        ]

    @property
    def kept_under(self) -> str:
        """The prefix of its cache keys (analysis.pages.results.run_results)."""
        return f"run-{self.pk}:"

    @property
    def with_machines(self) -> bool:
        """True if models are among the annotators of MACE."""
        return bool(self.parameters.get(WITH_MACHINES))

    @property
    def said_without(self) -> str:
        """The sentence on people who withdrew; '' without any."""
        if not self.without:
            return ""
        people = "1 person" if self.without == 1 else f"{self.without} people"
        again = " again" if self.asked > 1 else ""
        return f"Computed{again} without {people} who withdrew."

    @property
    def is_sequential(self) -> bool:
        """True if the study was open: intervals hold at every look, however often one looks."""
        return is_sequential(self.parameters)

    @property
    def intervals(self) -> str:
        """The kind of its intervals, as pages, files and programs have it."""
        return "sequential" if self.is_sequential else "fixed"

    @property
    def confidence(self) -> float:
        """The confidence of all its intervals."""
        return confidence_of(self.parameters)

    @property
    def pool(self) -> str:
        """The pool of raters that the run analyses."""
        return pool_name_of(self.parameters)

    @property
    def compat(self) -> str | None:
        """The published pipeline that the run follows, or null."""
        compat: str | None = in_force(self.parameters)["compat"]
        return compat


class AnalysisRequestQuerySet(models.QuerySet["AnalysisRequest"]):
    def note(
        self,
        *,
        study: Study,
        pool: str = PEOPLE,
        compat: str = "",
        with_machines: bool = False,
    ) -> None:
        """Store a request for a study that may have nothing to analyse: its batch was closed."""
        now = database_now()
        request = {"study": study, "pool": pool, "compat": compat, WITH_MACHINES: with_machines}
        self.get_or_create(**request, defaults={"touched_at": now})
        self.filter(**request).update(asked=models.F("asked") + 1, touched_at=now)


class AnalysisRequest(models.Model):
    """A request to analyse a study and a pool of raters, for which a worker starts a run.

    Both numbers only go up, so that a request made meanwhile is answered, too.
    """

    study = models.ForeignKey(
        Study, models.CASCADE, related_name="analysis_requests", db_index=False
    )
    pool = models.CharField(max_length=100, default=PEOPLE, help_text="name of the pool of raters")
    compat = models.CharField(
        max_length=20, blank=True, default="", help_text="published pipeline that it follows"
    )
    with_machines = models.BooleanField(
        default=False, db_default=False, help_text="models among the annotators of MACE"
    )
    asked = models.PositiveBigIntegerField(default=0, help_text="how often")
    answered = models.PositiveBigIntegerField(default=0, help_text="up to which of these")
    touched_at = models.DateTimeField(help_text="asked for, sent again, or being answered")

    objects = AnalysisRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(answered__lte=models.F("asked")), name="request_asked_before_answered"
            ),
            models.UniqueConstraint(
                fields=["study", "pool", "compat", "with_machines"], name="request_once_of_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} request {self.asked}"


class AnalysisStep(models.Model):
    """One job of a run: an analysis of one measure ("": all) for a part of the topics.

    A step of a later stage starts when the stage before it is done.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    run = models.ForeignKey(AnalysisRun, models.CASCADE, related_name="steps", db_index=False)
    stage = models.PositiveSmallIntegerField()
    analysis = models.CharField(max_length=60, help_text="name of the analysis")
    # Tables and files call the measure by this name: most have that of their question.
    question = models.CharField(max_length=310, blank=True, help_text="key of the measure")
    part = models.PositiveSmallIntegerField(default=0, help_text="of the topics, from 0")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    touched_at = models.DateTimeField(help_text="queued, started or finished")
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["run", "stage", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "analysis", "question", "part"], name="step_once_per_run"
            )
        ]
        indexes = [
            models.Index(
                fields=["touched_at"],
                name="step_unfinished",
                condition=Q(state__in=["queued", "running"]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} {self.analysis} {self.question}".strip()


class Result(models.Model):
    """A table of a step: columns and rows, or the sentence why there is none."""

    step = models.OneToOneField(AnalysisStep, models.CASCADE, related_name="result")
    data = models.JSONField(default=dict)
    missing = models.TextField(blank=True, help_text="why it cannot be computed")

    def __str__(self) -> str:
        return str(self.step)


class AgreementWithOthers(models.Model):
    """Agreement of a questionnaire with the votes of others on the same items.

    It is the share of the `votes` of others on `items` items that are equal
    (analysis.pages.review.comparing). The value is missing where the items are too few; without a
    row, it has not been compared yet.
    """

    assignment = models.OneToOneField(
        Assignment, models.CASCADE, related_name="agreement_with_others"
    )
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    items = models.PositiveIntegerField()
    votes = models.PositiveIntegerField()
    compared_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.assignment}: {self.value}"


class Forecast(models.Model):
    """Simulated precision of the result of a draft, under assumptions about its votes.

    A worker computes it (analysis.pages.planning.simulating) for every page that needs the same.
    The job is taken by a guarded UPDATE; `touched_at` shows that it is under way.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        FAILED = "failed"

    # SHA-256 of what is asked, and of the version of the code.
    key = models.CharField(max_length=64, unique=True)
    draft = models.ForeignKey(
        Draft, models.CASCADE, related_name="+", help_text="whose document the worker reads"
    )
    asked = models.JSONField(help_text="digest of the design, what is assumed, votes on a pair")
    found = models.JSONField(default=dict, help_text="a row for each number of votes")
    sentence = models.TextField(blank=True, help_text="why nothing can be said")
    done = models.FloatField(default=0.0, help_text="share of what is to be simulated")
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(db_index=True, help_text="first")
    touched_at = models.DateTimeField(help_text="asked for, sent again, or being simulated")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "working", "done", "failed"]),
                name="forecast_state_known",
            ),
            models.CheckConstraint(
                condition=Q(done__gte=0, done__lte=1), name="forecast_done_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"forecast of {self.draft}"

    @property
    def is_under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.WORKING)
