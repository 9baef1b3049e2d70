"""Work of writing studies in the background."""

from celery import shared_task

from annotation import collecting
from annotation.models import Assignment
from writing import drafting


@shared_task
def pack(pk: int) -> None:
    """Put the log of submitted work into one piece. Done twice, it is done once."""
    try:
        collecting.pack_log(assignment=Assignment.objects.get(pk=pk))
    except (Assignment.DoesNotExist, collecting.StillWritten):
        return  # deleted meanwhile, or given back to be redone


@shared_task
def sweep() -> None:
    """Pack what a lost message or a killed worker left behind."""
    for pk in drafting.unpacked().values_list("pk", flat=True):
        pack.delay(pk)
