"""Studies and their batches."""

from collections.abc import Collection
from copy import copy
from decimal import Decimal
from typing import Any, Self

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from annotation.models.access import Team

PROLIFIC_PARAMETERS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")


class StudyQuerySet(models.QuerySet["Study"]):
    def latest_versions(self) -> Self:
        """Return only the newest version of each slug."""
        newer = Study.objects.filter(
            slug=models.OuterRef("slug"), version__gt=models.OuterRef("version")
        )
        return self.filter(~models.Exists(newer))

    def named(self, name: str) -> Self:
        """Return the study of this name, `address/version`."""
        slug, _, version = name.strip().rpartition("/")
        is_valid = version.isdecimal() and len(version) <= 9
        return self.filter(slug=slug, version=int(version)) if is_valid else self.none()

    def launched(self) -> Self:
        return self.filter(launched_at__isnull=False)


_StudyManager = models.Manager.from_queryset(StudyQuerySet)


class StudyManager(_StudyManager["Study"]):
    """The studies that are meant: a trial is in no list, count, search or answer to a program."""

    def get_queryset(self) -> StudyQuerySet:
        return StudyQuerySet(self.model, using=self._db).filter(purpose=Study.Purpose.STUDY)


class Study(models.Model):
    """One crowdsourcing study. Frozen at launch; a change makes a new version."""

    class Kind(models.TextChoices):
        # The value is the URL namespace and the template folder of the app that does the work.
        WRITING = "writing", gettext_lazy("Writing")
        JUDGING = "judging", gettext_lazy("Judging")

    class Recruitment(models.TextChoices):
        LINK = "link", gettext_lazy("plain link")
        PROLIFIC = "prolific", gettext_lazy("Prolific")
        UPWORK = "upwork", gettext_lazy("Upwork")
        INVITATION = "invitation", gettext_lazy("personal links")

    class Purpose(models.TextChoices):
        STUDY = "study"
        TRIAL = "trial", "Trial"  # annotation.fieldwork.trials
        SIMULATION = "simulation", "Simulation"

    class Language(models.TextChoices):
        # Those of settings.LANGUAGES; the catalogues and instruments of each are complete.
        EN = "en", "English"
        DE = "de", "German"

    class LateWork(models.TextChoices):
        IF_FREE = "if_free", "Count if the place is free, otherwise flag"
        ADD_PLACE = "add_place", "Always count: add a place if none is free"

    class Rendering(models.TextChoices):
        # As annotation.texts.markdown.rendered takes it.
        MARKDOWN = "markdown", "Markdown with formulas"
        PLAIN = "plain", "Plain paragraphs"
        PREFORMATTED = "preformatted", "Preformatted"

    class QuestionOrder(models.TextChoices):
        FIXED = "fixed", "as in the method"
        DRAWN = "drawn", "random per participant"

    class Arms(models.TextChoices):
        ALL = "all", "all methods or styles for everyone"
        ONE = "one", "one of them for each worker, drawn at random"

    class Background(models.TextChoices):
        FOLDED = "folded", "folded below the query"
        PINNED = "pinned", "pinned beside the texts"

    class EmptyAnswers(models.TextChoices):
        SHOWN = "shown", "shown to participants"
        LOSE = "lose", "lose without being shown"

    # What may still change after launch: who looks at it and how it is analysed.
    MUTABLE = frozenset({"title", "launched_at", "analysis", "budget"})

    slug = models.SlugField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=10, choices=Kind)
    purpose = models.CharField(
        max_length=10, choices=Purpose, default=Purpose.STUDY, db_default="study", editable=False
    )
    team = models.ForeignKey(
        Team, models.PROTECT, blank=True, editable=False, related_name="studies"
    )
    title = models.CharField(max_length=200)
    corpus = models.ForeignKey("Corpus", models.PROTECT, related_name="studies")
    instrument = models.TextField(blank=True, help_text="names of its methods, with commas")
    language = models.CharField(max_length=10, choices=Language, default=Language.EN)
    rendering = models.CharField(
        max_length=12,
        choices=Rendering,
        default=Rendering.MARKDOWN,
        db_default="markdown",
        help_text="of the responses and passages, for everybody who reads them",
    )
    question_order = models.CharField(
        max_length=5, choices=QuestionOrder, default=QuestionOrder.FIXED, db_default="fixed"
    )
    background = models.CharField(
        max_length=6,
        choices=Background,
        default=Background.FOLDED,
        db_default="folded",
        help_text="where a judging page shows the description of a topic",
    )
    empty_answers = models.CharField(
        max_length=5,
        choices=EmptyAnswers,
        default=EmptyAnswers.SHOWN,
        db_default="shown",
        help_text="whether pairs with one are judged, or decided without participants",
    )
    recorded = models.BooleanField(
        default=False, db_default=False, help_text="participants agree to an audio recording"
    )
    instructions = models.TextField(help_text="Markdown")
    consent = models.TextField(help_text="Markdown")
    consent_version = models.CharField(max_length=40, default="1")
    entry_form = models.JSONField(default=list, blank=True)
    exit_form = models.JSONField(default=list, blank=True)
    recruitment = models.CharField(max_length=10, choices=Recruitment, default=Recruitment.LINK)
    completion_code = models.CharField(
        max_length=40, blank=True, help_text="by a plain link, empty: one for each piece of work"
    )
    no_consent_code = models.CharField(max_length=40, blank=True)
    signed_links = models.BooleanField(
        default=False,
        db_default=False,
        help_text="only people whose link Prolific signed are let in; some workspaces can do that",
    )
    late_work = models.CharField(
        max_length=10,
        choices=LateWork,
        default=LateWork.IF_FREE,
        db_default="if_free",
        help_text="when work goes on, and counts, that comes after its time",
    )
    pay = models.DecimalField(
        max_digits=8, decimal_places=2, default=Decimal(0), validators=[MinValueValidator(0)]
    )
    currency = models.CharField(max_length=3, default="USD")
    hourly_wage = models.DecimalField(
        max_digits=8, decimal_places=2, default=Decimal(12), help_text="the target, per hour"
    )
    budget = models.DecimalField(
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="what it may cost with fees; recruiting pauses before it costs more",
    )
    minutes = models.PositiveIntegerField(default=15, help_text="expected time for one task")
    minimum_seconds = models.PositiveIntegerField(
        default=0, help_text="faster work is marked for review, never refused"
    )
    time_limit_minutes = models.PositiveIntegerField(default=120)
    tasks_per_worker = models.PositiveIntegerField(default=1, help_text="besides onboarding")
    onboarding_tasks = models.PositiveIntegerField(
        default=0, help_text="of its onboarding batches, to be accepted before any other task"
    )
    # As annotation.studies.drafts.screening_schema.Screening has it; empty where nothing is asked
    # before the work.
    screening = models.JSONField(default=dict, blank=True)
    # What becomes of work that a check has marked, {check: {"act", "automatic"}}; one that is not
    # here is only marked.
    policies = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField(default=0)
    # {"sides": "fixed"} shows slots in nominal order, {"item_order": "fixed"} items as well; both
    # are drawn for each assignment unless a published study is to be repeated as it was. ONE_PAGE
    # asks on one page what several instruments ask of the same item.
    presentation = models.JSONField(default=dict, blank=True)
    arms = models.CharField(max_length=3, choices=Arms, default=Arms.ALL, db_default="all")
    analysis = models.JSONField(default=dict, blank=True, help_text="parameters of an analysis")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    launched_at = models.DateTimeField(null=True, blank=True)

    objects = StudyManager()
    every = StudyQuerySet.as_manager()  # trials and simulations as well: few may ask for them
    role = ""  # of whoever looks at it; annotation.people.access.lookup says it
    _stored: dict[str, Any] = {}
    ONE_PAGE = {"instruments": "one_page"}

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["slug", "version"], name="study_version_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["writing", "judging"]), name="study_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(language__in=["en", "de"]), name="study_language_known"
            ),
            models.CheckConstraint(
                condition=Q(late_work__in=["if_free", "add_place"]), name="study_late_work_known"
            ),
            models.CheckConstraint(
                condition=Q(rendering__in=["markdown", "plain", "preformatted"]),
                name="study_rendering_known",
            ),
            models.CheckConstraint(condition=Q(tasks_per_worker__gte=1), name="study_cap_from_1"),
            models.CheckConstraint(condition=Q(arms__in=["all", "one"]), name="study_arms_known"),
            models.CheckConstraint(
                condition=Q(purpose__in=["study", "trial", "simulation"]),
                name="study_purpose_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any]) -> Self:
        study = super().from_db(db, field_names, values)
        study._stored = dict(zip(field_names, values, strict=False))
        return study

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.team_id:  # all versions have the people of the first
            team = Team.objects.filter(studies__slug=self.slug).first()
            self.team = team or Team.objects.create()
        if self._stored.get("launched_at"):
            changed = [
                name
                for name, value in self._stored.items()
                if name not in self.MUTABLE and getattr(self, name) != value
            ]
            if changed:
                raise ValueError(
                    gettext(
                        "Study {study} is frozen: {fields} cannot change. Create a new version."
                    ).format(study=self.slug, fields=", ".join(sorted(changed)))
                )
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("study", args=[self.slug, self.version])

    def on_terms_of(self, batch: "Batch | None") -> "Study":
        """Return the study with the pay and minutes of a batch, for display.

        The copy is not saved: the study itself stays frozen.
        """
        if batch is None or (batch.pay is None and batch.minutes is None):
            return self
        study = copy(self)
        study.pay, study.minutes = batch.terms_in(self)
        return study

    @property
    def public_path(self) -> str:
        """The path of the link that workers get."""
        return reverse("arrive", args=[self.slug])

    @property
    def is_one_page(self) -> bool:
        """True if all that instruments ask of an item is asked on one page."""
        return bool(self.presentation.get("instruments") == "one_page")

    @property
    def by_personal_link(self) -> bool:
        """Return whether each worker gets a personal link (fieldwork.recruiting.contracting)."""
        return self.recruitment in (self.Recruitment.UPWORK, self.Recruitment.INVITATION)

    @property
    def has_fees(self) -> bool:
        """True if its platform takes something on top of what people get."""
        return self.recruitment in (self.Recruitment.PROLIFIC, self.Recruitment.UPWORK)

    @property
    def one_task_a_submission(self) -> bool:
        """True if nobody gets a second task for one submission: its platform pays that once.

        With onboarding they come back with the same link, and what follows is paid as a bonus.
        """
        return self.recruitment == self.Recruitment.PROLIFIC and not self.onboarding_tasks

    @property
    def screening_reward(self) -> Decimal:
        """Return what a screened-out participant earns."""
        return Decimal(self.screening.get("reward") or 0)

    @property
    def worker_link(self) -> str:
        """The address to pass on; for Prolific with the placeholders that it fills in."""
        link: str = settings.PUBLIC_URL + self.public_path
        if self.recruitment != self.Recruitment.PROLIFIC:
            return link
        return f"{link}?{'&'.join(f'{name}={{{{%{name}%}}}}' for name in PROLIFIC_PARAMETERS)}"


class BatchQuerySet(models.QuerySet["Batch"]):
    def open(self) -> Self:
        return self.filter(state=Batch.State.OPEN)

    def running(self) -> Self:
        """Those that were opened and are not closed: people may be at work there."""
        return self.filter(state__in=Batch.RUNNING)


class Batch(models.Model):
    """A wave of a study: onboarding, pilot, main, re-judging. Closing it starts the analysis.

    `pay` and `minutes` are of one task, and those of the study where they are empty.
    """

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    RUNNING = (State.OPEN, State.PAUSED)

    study = models.ForeignKey(Study, models.CASCADE, related_name="batches", db_index=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    state = models.CharField(max_length=6, choices=State, default=State.DRAFT)
    design = models.JSONField(default=dict, blank=True, help_text="parameters of its design")
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True, help_text="closes by itself then")
    closes_when_full = models.BooleanField(default=True)
    onboarding = models.BooleanField(default=False, help_text="newcomers do it first")
    pay = models.DecimalField(
        max_digits=8, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    minutes = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="batch_number_once_per_study"),
            models.CheckConstraint(
                condition=Q(state="draft", opened_at=None, closed_at=None)
                | Q(state__in=["open", "paused"], opened_at__isnull=False, closed_at=None)
                | Q(state="closed", opened_at__isnull=False, closed_at__isnull=False),
                name="batch_state_has_its_times",
            ),
            # A rejection frees its place again, and the writers it was for are still to come.
            models.CheckConstraint(
                condition=Q(onboarding=False) | Q(closes_when_full=False),
                name="onboarding_does_not_close_when_full",
            ),
            models.CheckConstraint(
                condition=(Q(pay=None) | Q(pay__gte=0)) & (Q(minutes=None) | Q(minutes__gte=1)),
                name="batch_terms_from_0_and_1",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study.slug} {self.name}"

    @property
    def teaches(self) -> bool:
        """Return whether a planned batch should wait for the results of this one.

        Onboarding batches run beside the others.
        """
        return self.state in self.RUNNING and not self.onboarding

    @property
    def careful_minutes(self) -> int:
        """Minutes of careful work on one of its tasks, as designed; 0 if unknown."""
        return int(self.design.get("careful_minutes", 0))

    def terms_in(self, study: Study) -> tuple[Decimal, int]:
        """Pay and minutes of one task; `study` is its own, which a page may have at hand."""
        pay = study.pay if self.pay is None else self.pay
        return pay, study.minutes if self.minutes is None else self.minutes
