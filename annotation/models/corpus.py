"""Corpora, from which studies draw: topics, ranked passages, systems, responses."""

from typing import Any, Self

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from annotation.models.access import Team
from annotation.texts.words import count_pieces


class CorpusQuerySet(models.QuerySet["Corpus"]):
    def there(self) -> Self:
        """Those that nobody has deleted."""
        return self.filter(deleted_at=None)


class Corpus(models.Model):
    """A named collection of topics, passages, systems and responses."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=200, blank=True)
    team = models.OneToOneField(Team, models.PROTECT, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # Deleted, and for a day to be brought back: corpora/curating.
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = CorpusQuerySet.as_manager()
    role = ""  # of whoever looks at it; annotation.people.access.lookup says it

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("corpus", args=[self.slug])

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.team_id:
            self.team = Team.objects.create()
        super().save(*args, **kwargs)


class Topic(models.Model):
    """An information need."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="topics")
    key = models.CharField(max_length=200)
    query = models.TextField()
    description = models.TextField(blank=True)
    # Earlier turns of the conversation whose last turn is the query: {role, content} each.
    turns = models.JSONField(null=True, blank=True, help_text="none outside of conversations")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "key"], name="topic_key_once_per_corpus")
        ]

    def __str__(self) -> str:
        return self.query


class WordsOfText(models.PositiveIntegerField):  # type: ignore[type-arg]  # as a number is
    """Number of words of the row's text, separated by white space, counted on save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> int:
        words = count_pieces(model_instance.text)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, words)
        return words

    def deconstruct(self) -> Any:
        """Return a plain number field: migrations count nothing."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.PositiveIntegerField", args, kwargs


class Passage(models.Model):
    """A retrieved text for a topic, and its place in the pool: writers and judges meet it so.

    Several systems may have ranked the pool, each in its own order: `Ranking`.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="passages", db_index=False)
    key = models.CharField(max_length=300)
    rank = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    text = models.TextField()
    words = WordsOfText(
        default=0, db_default=0, editable=False, help_text="words between white space"
    )

    class Meta:
        ordering = ["topic", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "rank"], name="passage_rank_once_per_topic"),
            models.UniqueConstraint(fields=["topic", "key"], name="passage_key_once_per_topic"),
            models.CheckConstraint(condition=models.Q(rank__gte=1), name="passage_rank_from_1"),
        ]

    def __str__(self) -> str:
        return self.key


class System(models.Model):
    """Whoever or whatever produces responses: a pipeline, a model, a group of writers."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="systems", db_index=False)
    key = models.CharField(max_length=200)
    name = models.CharField(max_length=300)

    class Meta:
        ordering = ["corpus", "key"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "key"], name="system_key_once_per_corpus")
        ]

    def __str__(self) -> str:
        return self.name


class Ranking(models.Model):
    """Rank of a passage of a topic in a system. Rank 1 is the best; the score is the system's."""

    system = models.ForeignKey(System, models.CASCADE, related_name="rankings", db_index=False)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="rankings")
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="rankings")
    rank = models.PositiveIntegerField()
    score = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["system", "topic", "rank"]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "topic", "rank"], name="ranking_rank_once_per_list"
            ),
            models.UniqueConstraint(
                fields=["system", "passage"], name="ranking_of_a_passage_once_per_system"
            ),
            models.CheckConstraint(condition=models.Q(rank__gte=1), name="ranking_rank_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.rank}. {self.passage}"

    @property
    def key(self) -> str:
        return self.passage.key


class Style(models.TextChoices):
    BULLET = "bullet", gettext_lazy("Bullet")
    ESSAY = "essay", gettext_lazy("Essay")
    NEWS = "news", gettext_lazy("News")
    FREE = "free", gettext_lazy("Free")


class Origin(models.TextChoices):
    HUMAN = "human", gettext_lazy("human")
    LLM = "llm", gettext_lazy("LLM")


class Without(models.TextChoices):
    """Part that a degraded copy of a structured summary lacks."""

    HEADINGS = "headings", "headings"
    FIRST_SECTION = "first_section", "first section"


def erased_text(response: str = "") -> models.Q:
    """Select responses whose writer has withdrawn the text: no words, and not kept as empty.

    `response` is the lookup prefix, such as response__.
    """
    return models.Q(**{f"{response}text": "", f"{response}is_empty": False})


class ResponseQuerySet(models.QuerySet["Response"]):
    def with_text(self) -> Self:
        """Those that can be judged: a withdrawn text cannot, an empty answer can."""
        return self.exclude(erased_text())


class Response(models.Model):
    """A text that answers a topic."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="responses", db_index=False)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="responses")
    key = models.CharField(max_length=200)
    style = models.CharField(max_length=10, choices=Style)
    origin = models.CharField(max_length=10, choices=Origin)
    system = models.ForeignKey(System, models.PROTECT, null=True, blank=True)
    # Nobody judges an own text: allocation leaves out the tasks that show one.
    author = models.ForeignKey("Worker", models.SET_NULL, null=True, blank=True)
    text = models.TextField()
    # Systems abstain: an answer without words is data. Without this an empty text is an erased one.
    is_empty = models.BooleanField(
        default=False, db_default=False, help_text="the system gave no answer"
    )
    words = models.PositiveIntegerField(help_text="without citations and free-standing signs")
    # What the text cites, which is stored as it came: annotation/texts/citations.py, `Marks`.
    marks = models.JSONField(null=True, blank=True, help_text="none in a text of our editor")
    # Earlier turns of the conversation whose last turn is the text: {role, content} each.
    turns = models.JSONField(null=True, blank=True, help_text="none outside of conversations")
    # A copy that was made worse on purpose has the labels of its original, and is not judged.
    copy_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="copies"
    )
    without = models.CharField(
        max_length=20, blank=True, default="", db_default="", choices=Without
    )
    cited: "models.ManyToManyField[Passage, Citation]" = models.ManyToManyField(
        Passage, through="Citation", related_name="cited_by"
    )

    objects = ResponseQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "key"], name="response_key_once_per_corpus"),
            models.CheckConstraint(
                condition=models.Q(style__in=Style.values), name="response_style_known"
            ),
            models.CheckConstraint(
                condition=models.Q(origin__in=Origin.values), name="response_origin_known"
            ),
            models.CheckConstraint(
                condition=models.Q(copy_of=None, without="")
                | models.Q(copy_of__isnull=False, without__in=Without.values),
                name="response_copy_lacks_something",
            ),
            models.CheckConstraint(
                condition=models.Q(is_empty=False) | models.Q(words=0),
                name="response_empty_has_no_words",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Citation(models.Model):
    """A place in a response that names a passage, in the order of the text."""

    response = models.ForeignKey(Response, models.CASCADE, related_name="citations", db_index=False)
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="citations")
    position = models.PositiveIntegerField(help_text="1 for the first citation of the text")

    class Meta:
        ordering = ["response", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "position"], name="citation_position_once_per_response"
            )
        ]

    def __str__(self) -> str:
        return f"{self.response} cites {self.passage}"


class Segment(models.Model):
    """A node of a response's tree, with the line it stands on (1 for the first)."""

    class Kind(models.TextChoices):
        OVERVIEW = "overview"
        SECTION = "section"
        HEADING = "heading"
        STATEMENT = "statement"
        DOCUMENTS = "documents"  # the list of them at the end, without words of its own

    response = models.ForeignKey(Response, models.CASCADE, related_name="segments", db_index=False)
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)
    line = models.PositiveIntegerField()
    text = models.TextField()
    cited = models.ManyToManyField(Passage, blank=True, related_name="+")

    class Meta:
        ordering = ["response", "line"]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "line"], name="segment_line_once_per_response"
            )
        ]

    def __str__(self) -> str:
        return f"{self.response}:{self.line}"
