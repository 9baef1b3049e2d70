"""Items and their slots, in questionnaires, as shown to a worker."""

from collections.abc import Iterable

from django.db import models
from django.db.models import Q

from annotation.models import Assignment, Passage, Response, Segment, Study, Task, Topic
from judging.models.checks import Check, ItemRole
from judging.models.instruments import Criterion, Instrument, Question


class JudgedManager(models.Manager["Item"]):
    """Judged items: a check is in no list, count, design or analysis."""

    def get_queryset(self) -> "models.QuerySet[Item]":
        return super().get_queryset().filter(check_of=None)


class Item(models.Model):
    """A thing to judge: a kind and its slots, on a topic.

    `unit` is what a worker meets once: the same for a pair and its reverse.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="items", db_index=False)
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=500)
    unit = models.CharField(max_length=120)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    check_of = models.ForeignKey(
        Check, models.CASCADE, null=True, blank=True, related_name="items", db_index=False
    )
    tasks: "models.ManyToManyField[Task, TaskItem]" = models.ManyToManyField(
        Task, through="TaskItem", related_name="items"
    )

    imagined: "list[ItemSlot] | None" = None  # its slots, where it is not in the database
    read: "list[ItemSlot] | None" = None  # its slots, where those of several were read at once
    names: list[str] | None = None  # of its slots, once they were read (items.contents)

    objects = JudgedManager()
    every = models.Manager["Item"]()  # with the checks: few may ask for them

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="item_key_once_per_study")
        ]
        indexes = [
            models.Index(
                fields=["check_of"], name="item_of_check", condition=Q(check_of__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def role(self) -> ItemRole:
        return ItemRole(self.check_of.role) if self.check_of else ItemRole.JUDGED


class ItemSlot(models.Model):
    """A named slot of an item with its content."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="slots", db_index=False)
    name = models.CharField(max_length=30)
    position = models.PositiveSmallIntegerField()
    response = models.ForeignKey(Response, models.PROTECT, null=True, blank=True, related_name="+")
    passage = models.ForeignKey(Passage, models.PROTECT, null=True, blank=True, related_name="+")
    segment = models.ForeignKey(Segment, models.PROTECT, null=True, blank=True, related_name="+")
    criterion = models.ForeignKey(
        Criterion, models.PROTECT, null=True, blank=True, related_name="+"
    )

    # The parts of the response of a preview, which may not be in the database.
    imagined_parts: "list[Segment] | None" = None

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
    """An item in a questionnaire (a task) with an instrument, at a nominal position.

    Several instruments may ask about the same item; their positions follow one another.
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

    @property
    def role(self) -> ItemRole:
        """Role in the questionnaire, which the item has: each questionnaire has its own checks."""
        return self.item.role


class Presentation(models.Model):
    """An item of an assignment with an instrument, and the order of its slots and questions.

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
    question_order = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="keys of the questions as they were drawn; empty: as the method has them",
    )
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

    def asked(self, questions: Iterable[Question]) -> list[Question]:
        """Return the questions of the instrument in the order of this worker."""
        places = {key: place for place, key in enumerate(self.question_order)}
        return sorted(questions, key=lambda question: places.get(question.key, len(places)))
