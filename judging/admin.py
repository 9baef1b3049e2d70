"""Raw records of judging."""

from annotation.console.records import show
from judging import models

show(models.Instrument, "key", "title", "item_kind", "study")
show(models.Criterion, "key", "name", "instrument")
show(models.Scale, "key", "kind", "instrument")
show(models.Question, "key", "text", "arity", "instrument")
show(models.Rater, "name", "kind", "pseudonym", list_filter=["kind"])
show(models.Prompt, "key", "version", "study")
show(models.MachineJudge, "name", "model", "state", "study", exclude=["sealed_key"])
show(models.MachineCall, "judge", "item", "order", "state", "error", list_filter=["state"])
show(models.Item, "key", "kind", "topic", "study", search_fields=["key"])
show(models.Presentation, "assignment", "position", "item", "instrument", "order")
show(
    models.Judgment, "rater", "item", "question", "value", "raw", "shown", "answered_at",
    list_select_related=["rater", "item", "question"],
)  # fmt: skip
