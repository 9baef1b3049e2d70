"""Instruments, their questions, items, raters and their judgments.

An item is a kind and named slots; a question is criterion x scale x arity. A new way of judging
is new data in these tables, not a new table.
"""

from typing import Any

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q

from annotation.models import Assignment, Passage, Response, Segment, Study, Task, Topic, Worker


class Instrument(models.Model):
    """A method of judging, as a study copied it: what is asked of which items, and how these are
    made. Its questions, criteria and scales belong to it."""

    class ItemOrder(models.TextChoices):
        DRAWN = "drawn", "drawn for each worker"
        FIXED = "fixed", "as designed"

    study = models.ForeignKey(Study, models.CASCADE, related_name="instruments", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1 is what a questionnaire begins with")
    key = models.CharField(max_length=100)
    title = models.CharField(max_length=200)
    item_kind = models.CharField(max_length=30)
    designer = models.CharField(max_length=30)
    # The figures that its items are designed with, unless a batch is asked for others.
    design = models.JSONField(default=dict, blank=True)
    item_order = models.CharField(max_length=5, choices=ItemOrder, default=ItemOrder.DRAWN)
    instructions = models.TextField(blank=True, help_text="Markdown")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="instrument_key_once_per_study"),
            models.UniqueConstraint(
                fields=["study", "position"], name="instrument_position_once_per_study"
            ),
            models.CheckConstraint(
                condition=Q(item_order__in=["drawn", "fixed"]), name="instrument_item_order_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Criterion(models.Model):
    """What is judged: a quality dimension, an exam question, a nugget."""

    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="criteria", db_index=False
    )
    key = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    definition = models.TextField(blank=True, help_text="Markdown")
    topic = models.ForeignKey(Topic, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "criteria"
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "key"], name="criterion_key_once_per_instrument"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Scale(models.Model):
    """How a question is answered: options (code, label, role, score or slot), a range, or text."""

    class Kind(models.TextChoices):
        OPTIONS = "options"
        RANGE = "range"
        TEXT = "text"

    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="scales", db_index=False
    )
    key = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind)
    # As in the instrument file: judging.instruments checks it, judging.scales reads it.
    spec = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "key"], name="scale_key_once_per_instrument"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Question(models.Model):
    """A criterion, asked on a scale of every item that its instrument is asked of.

    `study` is that of the instrument, so that a study has its questions in one order.
    """

    class Arity(models.TextChoices):
        ITEM = "item", "one answer per item"
        SLOT = "slot", "one answer per slot"
        CHOOSE = "choose", "choose a slot"

    study = models.ForeignKey(Study, models.CASCADE, related_name="questions", db_index=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="questions", db_index=False
    )
    position = models.PositiveIntegerField(help_text="in the study")
    key = models.CharField(max_length=100)
    criterion = models.ForeignKey(Criterion, models.CASCADE, related_name="questions")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="questions")
    arity = models.CharField(max_length=10, choices=Arity, default=Arity.ITEM)
    text = models.TextField()
    justification = models.BooleanField(default=False, help_text="offer a field for the reason")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="question_position_once"),
            models.UniqueConstraint(
                fields=["instrument", "key"], name="question_key_once_per_instrument"
            ),
        ]

    def __str__(self) -> str:
        return self.text


POOLS = ("people", "crowd", "experts", "models")  # names that no single rater has


class Rater(models.Model):
    """Who answers: a worker of the crowd, an expert, or a model.

    An expert is a worker, a user of the platform, or somebody known by name alone, whose labels
    were imported; so is a model, one for each prompt and settings. Files and analyses know a rater
    by the pseudonym; the name of an expert is for researchers only.
    """

    class Kind(models.TextChoices):
        CROWD = "crowd"
        EXPERT = "expert"
        MODEL = "model"

    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=100, unique=True)
    pseudonym = models.CharField(max_length=100, unique=True)
    worker = models.OneToOneField(
        Worker, models.CASCADE, null=True, blank=True, related_name="rater"
    )
    user = models.OneToOneField(User, models.PROTECT, null=True, blank=True, related_name="rater")
    model = models.CharField(max_length=100, blank=True, help_text="such as gpt-4o-2024-08-06")
    prompt_version = models.CharField(max_length=100, blank=True)
    settings = models.CharField(max_length=300, blank=True, help_text="such as temperature=0")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="crowd") | Q(worker__isnull=False),
                name="crowd_raters_are_workers",
            ),
            models.CheckConstraint(
                condition=Q(worker=None) | Q(user=None), name="rater_is_one_person"
            ),
            models.CheckConstraint(
                condition=(Q(kind="model", worker=None, user=None) & ~Q(model=""))
                | (~Q(kind="model") & Q(model="", prompt_version="", settings="")),
                name="model_raters_have_a_model",
            ),
            models.UniqueConstraint(
                fields=["model", "prompt_version", "settings"],
                condition=Q(kind="model"),
                name="model_rater_once",
            ),
            models.CheckConstraint(
                condition=~Q(pseudonym__in=POOLS) & ~Q(name__in=POOLS),
                name="rater_is_no_pool",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """One thing to judge: a kind and its slots, about a topic.

    `unit` is what a worker meets once: the same for a pair and its reverse.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="items", db_index=False)
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=500)
    unit = models.CharField(max_length=120)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    tasks: "models.ManyToManyField[Task, TaskItem]" = models.ManyToManyField(
        Task, through="TaskItem", related_name="items"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="item_key_once_per_study")
        ]

    def __str__(self) -> str:
        return self.key


class ItemSlot(models.Model):
    """A named slot of an item and what stands in it."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="slots", db_index=False)
    name = models.CharField(max_length=30)
    position = models.PositiveSmallIntegerField()
    response = models.ForeignKey(Response, models.PROTECT, null=True, blank=True, related_name="+")
    passage = models.ForeignKey(Passage, models.PROTECT, null=True, blank=True, related_name="+")
    segment = models.ForeignKey(Segment, models.PROTECT, null=True, blank=True, related_name="+")
    criterion = models.ForeignKey(
        Criterion, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["item", "position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "name"], name="slot_name_once_per_item"),
            models.UniqueConstraint(
                fields=["item", "position"], name="slot_position_once_per_item"
            ),
            models.CheckConstraint(
                condition=(
                    Q(response__isnull=False, passage=None, segment=None, criterion=None)
                    | Q(response=None, passage__isnull=False, segment=None, criterion=None)
                    | Q(response=None, passage=None, segment__isnull=False, criterion=None)
                    | Q(response=None, passage=None, segment=None, criterion__isnull=False)
                ),
                name="slot_holds_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}:{self.name}"

    @property
    def content(self) -> Response | Passage | Segment | Criterion:
        content = self.response or self.passage or self.segment or self.criterion
        assert content is not None  # slot_holds_one_thing
        return content


class TaskItem(models.Model):
    """An instrument is asked of an item in a questionnaire (a task), at a nominal position.

    The same item may be asked several; their positions follow one another.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="task_items", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="task_items")
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="task_items", db_index=False
    )
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["task", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "item", "instrument"], name="item_asked_once_per_task"
            ),
            models.UniqueConstraint(
                fields=["task", "position"], name="item_position_once_per_task"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}: {self.item}"


class Presentation(models.Model):
    """Where in an assignment an instrument is asked of an item, and in which order the slots of the
    item are shown.

    Drawn when the assignment begins and stored, so that order effects can be measured.
    """

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="presentations", db_index=False
    )
    item = models.ForeignKey(Item, models.CASCADE, related_name="presentations")
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="presentations", db_index=False
    )
    position = models.PositiveIntegerField(help_text="1 for the first page of the worker")
    order = models.CharField(max_length=200, help_text="slot names from left to right")
    comment = models.TextField(blank=True)
    comment_number = models.BigIntegerField(default=0, db_default=0)
    is_erased: bool  # as items.drawing reads it: the writer of one of its texts withdrew

    class Meta:
        ordering = ["assignment", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "position"], name="position_once_per_assignment"
            ),
            models.UniqueConstraint(
                fields=["assignment", "item", "instrument"], name="item_asked_once_per_assignment"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} {self.position}: {self.order}"


class Judgment(models.Model):
    """What a rater answered to a question about an item.

    `raw` is the answer as it was given on the screen; `value` is canonical: the key of the chosen
    object, or the code of the option, whatever the order the slots were shown in (`shown`).
    Imported labels have no assignment; where nobody knows what stood where, `shown` is empty.
    """

    rater = models.ForeignKey(Rater, models.PROTECT, related_name="judgments", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="judgments")
    question = models.ForeignKey(Question, models.CASCADE, related_name="judgments", db_index=False)
    slot = models.CharField(max_length=30, blank=True, help_text="the slot judged, if only one")
    shown = models.CharField(
        max_length=200, blank=True, help_text="slot names from left to right; empty if not known"
    )
    assignment = models.ForeignKey(
        Assignment, models.CASCADE, null=True, blank=True, related_name="judgments"
    )
    raw = models.TextField()
    value = models.TextField()
    score = models.FloatField(null=True, blank=True)
    milliseconds = models.PositiveIntegerField(
        null=True, blank=True, help_text="from the item's appearance to this answer"
    )
    comment = models.TextField(blank=True)
    changes = models.PositiveIntegerField(
        default=0, help_text="how often a saved answer was replaced by another"
    )
    number = models.BigIntegerField(
        default=0, db_default=0, help_text="of two answers the higher one counts; 0 is none"
    )
    first_at = models.DateTimeField()
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rater", "item", "question", "slot", "shown"], name="judgment_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rater} on {self.item}: {self.value}"


class Examination(models.Model):
    """What was seen in a handed-in questionnaire (judging.evidence): never a verdict.

    `marks` are rules with their numbers; marked work that nobody decided on is held for review.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="examination")
    version = models.PositiveSmallIntegerField(help_text="of the rules")
    answers = models.PositiveIntegerField(help_text="by choice")
    seconds = models.FloatField(null=True, blank=True, help_text="from consent to handing in")
    marks = models.JSONField(default=list)
    is_marked = models.BooleanField()

    class Meta:
        indexes = [
            models.Index(
                fields=["assignment"], name="examination_marked", condition=Q(is_marked=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {len(self.marks)} marks"


def rater_of(worker: Worker) -> Rater:
    """The rater that a worker is; made on first use."""
    known: Rater | None = getattr(worker, "rater", None)
    if known is not None:
        return known
    defaults: dict[str, Any] = {
        "kind": Rater.Kind.CROWD,
        "name": f"worker {worker.pseudonym}",
        "pseudonym": worker.pseudonym,
    }
    rater, _ = Rater.objects.get_or_create(worker=worker, defaults=defaults)
    return rater
