"""Work of writing studies in the background."""

from celery import shared_task
from django.utils import timezone

from annotation import collecting, jobs
from annotation.models import Assignment, Study
from writing import drafting, measuring

AT_ONCE = 500  # works that a sweep hands out: all are measured anew when the measures change


@shared_task
def pack(pk: int) -> None:
    """Put the log of submitted work into one piece and measure it. Done twice, it is done once."""
    try:
        work = Assignment.objects.get(pk=pk, study__kind=Study.Kind.WRITING)
        collecting.pack_log(assignment=work)
    except (Assignment.DoesNotExist, collecting.StillWritten):
        return  # deleted meanwhile, or given back to be redone
    measuring.measure(assignment=work, now=timezone.now())


@shared_task
def sweep() -> None:
    """Pack and measure what a lost message or a killed worker left behind."""
    left = drafting.unpacked().order_by("pk").values_list("pk", flat=True)
    unmeasured = measuring.outdated().order_by("pk").values_list("pk", flat=True)
    for pk in sorted({*left, *unmeasured[:AT_ONCE]}):
        jobs.send(pack, pk)
