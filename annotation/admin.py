"""The platform's raw records."""

from django.contrib import admin
from django.http import HttpRequest

from annotation import models
from annotation.console.records import RecordAdmin, show

show(models.Corpus, "slug", "name", "licence")
show(models.Topic, "key", "query", "corpus", search_fields=["key", "query"])
show(models.Passage, "key", "topic", "rank", search_fields=["key"])
show(models.System, "key", "name", "corpus")
show(models.Ranking, "system", "topic", "rank", "passage", list_select_related=True)
show(
    models.Response, "key", "topic", "style", "origin", "words",
    list_filter=["style", "origin"], search_fields=["key"],
)  # fmt: skip
show(models.Batch, "study", "number", "name", "state", list_filter=["state"])
show(models.Task, "key", "batch", "number", "quota", "words", search_fields=["key"])
show(models.Worker, "pseudonym", "platform", "created_at", exclude=["external_id", "external_hash"],
     search_fields=["pseudonym"], list_filter=["platform"])  # fmt: skip
show(
    models.Assignment, "worker", "task", "state", "arrived_at", "submitted_at",
    exclude=["sealed_token", "token_hash", "external_id"], readonly_fields=["submission"],
    list_filter=["state", "study"], search_fields=["worker__pseudonym"],
    list_select_related=["worker", "task__batch__study"],
)  # fmt: skip
show(models.Consent, "worker", "study", "version", "given_at", "withdrawn_at")
show(models.Membership, "user", "role", "team", "since", list_select_related=["user", "team"])
show(models.AuditEntry, "at", "name", "act", "what", search_fields=["name", "act", "what"])
show(models.ReviewDecision, "assignment", "decision", "reviewer", "decided_at")


@admin.register(models.Study)
class StudyAdmin(RecordAdmin):
    """A draft may be edited (consent, instructions, pay); a launched study is frozen."""

    list_display = ("slug", "version", "title", "kind", "launched_at")
    exclude = ("launched_at", "created_by")

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return isinstance(obj, models.Study) and obj.launched_at is None
