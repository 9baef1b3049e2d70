"""Brief, text and log of a writer.

The log is described in docs/interaction-log.md.
"""

from collections.abc import Collection

from django.db import models
from django.db.models import F, Q

from annotation.models import Assignment, Passage, Response, Study, Style, Task, Topic


class Brief(models.Model):
    """Instructions for all writers of a study: target length and meaning of each style."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="brief")
    target_words = models.PositiveIntegerField(default=250)
    low_words = models.PositiveIntegerField(default=200)
    high_words = models.PositiveIntegerField(default=300)
    # [{"style": "bullet", "name": ..., "instructions": Markdown}, ...]
    styles = models.JSONField(default=list)
    rule = models.TextField(help_text="Markdown; what a writer acknowledges before writing")
    passages = models.PositiveIntegerField(
        null=True, help_text="of a topic, the best so many; all of them where it is empty"
    )

    copy_task = models.BooleanField(
        default=False, db_default=False, help_text="writers may copy a sentence before they write"
    )

    def __str__(self) -> str:
        return f"brief of {self.study.slug}"

    def passages_of(self, topic: Topic) -> list[Passage]:
        """Return the passages shown to a writer about a topic, in the log's order."""
        return list(topic.passages.order_by("rank")[: self.passages])

    def texts_of(self, topics: Collection[int]) -> dict[int, list[str]]:
        """Return the texts of these passages by topic, of many at once."""
        texts: dict[int, list[str]] = {topic: [] for topic in topics}
        rows = Passage.objects.filter(topic__in=topics).order_by("rank")
        for topic, text in rows.values_list("topic", "text"):
            texts[topic].append(text)
        return {topic: some[: self.passages] for topic, some in texts.items()}


class WritingTask(models.Model):
    """A topic to be answered in a style."""

    task = models.OneToOneField(Task, models.CASCADE, related_name="writing_task")
    topic = models.ForeignKey(Topic, models.PROTECT, related_name="+")
    style = models.CharField(max_length=10, choices=Style)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(style__in=Style.values), name="writing_style_known")
        ]

    def __str__(self) -> str:
        return f"{self.style}: {self.topic}"

    @property
    def passages(self) -> list[Passage]:
        """Return the passages that the writer reads, as the log numbers them."""
        brief = Brief.objects.get(study__batches__tasks=self.task_id)
        return brief.passages_of(self.topic)


class Writing(models.Model):
    """Text of one worker on one task. Made when they acknowledge the rule."""

    class Verdict(models.TextChoices):
        EQUAL = "equal", "the log rebuilds the submitted text"
        DIFFERS = "differs", "the log rebuilds another text"
        INCOMPLETE = "incomplete", "chunks of the log are missing"

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="writing")
    acknowledged_at = models.DateTimeField()
    text = models.TextField(blank=True, help_text="as submitted")
    words = models.PositiveIntegerField(
        default=0, db_default=0, help_text="of the text, without citations and free-standing signs"
    )
    # A sentence that was copied first: units typed, and the ms that it took; empty if it was not.
    copy_units = models.PositiveIntegerField(null=True)
    copy_ms = models.PositiveIntegerField(null=True)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    # Once accepted the text is a response of the corpus and can be judged.
    response = models.OneToOneField(
        Response, models.SET_NULL, null=True, blank=True, related_name="writing"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict__in=["", "equal", "differs", "incomplete"]),
                name="writing_verdict_known",
            ),
            models.CheckConstraint(
                condition=Q(copy_units__isnull=True, copy_ms__isnull=True)
                | Q(copy_units__gte=1, copy_ms__gte=1),
                name="writing_copied_in_some_time",
            ),
        ]

    def __str__(self) -> str:
        return str(self.assignment)


class ProcessRecord(models.Model):
    """Measures and flags of the log of a text, as of its last submission.

    Made by writing.measuring after the submission; where it is missing or not of this version,
    by the sweep, or by the page that asks for it.
    """

    writing = models.OneToOneField(Writing, models.CASCADE, related_name="process")
    # {"typing_pace": [43.8, 61200], ...}: value and moment (ms), either may be null
    values = models.JSONField(default=dict)
    # [{"kind": "pace", "value": ..., "unit": ..., "limit": ..., "points": [[seq, ms], ...]}, ...]
    flags = models.JSONField(default=list)
    # {"0": 12.3, ...}: seconds that each passage was visible, by its number
    viewed = models.JSONField(default=dict)
    fault = models.TextField(blank=True, help_text="why the log cannot be measured")
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="times that measuring was begun and did not end; 0 once it did"
    )
    version = models.PositiveSmallIntegerField(help_text="of the measures: writing.measures")
    submitted_at = models.DateTimeField(null=True, help_text="the submission that was measured")
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"process of {self.writing}"


class LogChunk(models.Model):
    """A numbered piece of an interaction log. Appended, never changed.

    `data` is the zlib-compressed JSON array of its events.
    """

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="log_chunks", db_index=False
    )
    number = models.PositiveIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    first_ms = models.PositiveIntegerField()
    last_ms = models.PositiveIntegerField()
    # In UTF-16 units, where it is known: a chunk may arrive before the one it follows.
    length_after = models.PositiveIntegerField(null=True)
    # Of JSON, in all chunks of this log that were here when this one came, with it.
    log_bytes = models.PositiveIntegerField()
    data = models.BinaryField()
    received_at = models.DateTimeField()

    class Meta:
        ordering = ["assignment", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="chunk_number_once_per_assignment"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="chunk_number_from_1"),
            models.CheckConstraint(
                condition=Q(last_seq__gte=F("first_seq")), name="chunk_has_events"
            ),
            models.CheckConstraint(
                condition=Q(last_ms__gte=F("first_ms")), name="chunk_time_runs_forward"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} chunk {self.number}"


class PackedLog(models.Model):
    """The whole log of submitted work in one piece; its chunks are gone.

    `data` is made and read by writing.log.eventlog (`pack`, `unpack`). After a request for a
    redo, work goes on with the chunk and the event after `last_number` and `last_seq`.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="packed_log")
    events = models.PositiveIntegerField()
    data = models.BinaryField()
    last_number = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)
    last_ms = models.PositiveIntegerField(default=0)
    log_bytes = models.PositiveIntegerField(default=0, help_text="as JSON; 0 where nobody counted")
    # When each of its chunks came (writing.log.arrivals); empty where nobody kept it.
    arrivals = models.BinaryField(default=b"")
    source = models.CharField(
        max_length=10, default="browser", help_text="browser, or snapshots of an imported study"
    )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.events} events"
