"""The raw records of judging."""

from annotation.console.records import show
from judging import models

show(models.Criterion, "key", "name", "study")
show(models.Scale, "key", "kind", "study")
show(models.Question, "key", "text", "arity", "study")
show(models.Rater, "name", "kind", "pseudonym", list_filter=["kind"])
show(models.Item, "key", "kind", "topic", "study", search_fields=["key"])
show(models.Presentation, "assignment", "position", "item", "order")
show(
    models.Judgment, "rater", "item", "question", "value", "raw", "shown", "answered_at",
    list_select_related=["rater", "item", "question"],
)  # fmt: skip
