"""The reason of a request for changes, for the worker. Only reads."""

from annotation.fieldwork.work.prepared_statements import PreparedQuery
from annotation.models import Assignment, ReviewDecision

LAST = PreparedQuery(
    lambda assignment: (
        ReviewDecision.objects.filter(assignment=assignment)
        .order_by("-pk")
        .values_list("decision", "reason")[:1]
    ),
    -1,
)


def asked_again(work: Assignment) -> str:
    """Return the reason if the last decision asks for changes; '' otherwise."""
    for decision, reason in LAST.fetch(work.pk):
        if decision == ReviewDecision.Decision.REDO:
            return reason
    return ""
