"""What a reviewer says to whoever goes on with their work. Only reads."""

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
    """The reason of the last decision, if that was to ask for a redo; '' otherwise."""
    for decision, reason in LAST.fetch(work.pk):
        if decision == ReviewDecision.Decision.REDO:
            return reason
    return ""
