"""What a reviewer says to whoever goes on with their work. Only reads."""

from annotation.models import Assignment, ReviewDecision


def asked_again(work: Assignment) -> str:
    """The reason of the last decision, if that was to ask for a redo; '' otherwise."""
    last = work.decisions.values_list("decision", "reason").last()
    return last[1] if last and last[0] == ReviewDecision.Decision.REDO else ""
