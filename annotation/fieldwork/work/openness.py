"""Why a study lets nobody in, in the words of whoever stands before it. Only reads."""

from annotation.fieldwork.work.refusals import StudyNotOpen
from annotation.models import Batch, Study


def not_open(study: Study) -> StudyNotOpen:
    """What to raise where no batch is open: none was yet, one may open again, or all are over."""
    states = set(study.batches.values_list("state", flat=True))
    if Batch.State.PAUSED in states or {Batch.State.DRAFT, Batch.State.CLOSED} <= states:
        return StudyNotOpen("paused")
    return StudyNotOpen("closed" if Batch.State.CLOSED in states else "planned")
