"""Work of writing studies in the background."""

from celery import shared_task

from annotation import jobs
from annotation.clock import database_now
from annotation.models import Assignment, Study
from writing.editor import drafting
from writing.log.collecting import StillWritten
from writing.process import measuring

AT_ONCE = 500  # submissions that a sweep hands out: all are measured again when the measures change
SECONDS = 300  # for one log; the longest that is taken needs a third of it


# Where the pool can end a task (prefork); in any pool a log has a limit, and so have attempts.
@shared_task(soft_time_limit=SECONDS, time_limit=SECONDS + 30)
def pack(pk: int) -> None:
    """Put the log of submitted work into one piece and measure it. Done twice, it is done once."""
    try:
        work = Assignment.objects.get(pk=pk, study__kind=Study.Kind.WRITING)
        measuring.finish(assignment=work, now=database_now())
    except (Assignment.DoesNotExist, StillWritten):
        return  # deleted meanwhile, or to be redone


@shared_task
def sweep() -> None:
    """Pack and measure what a lost message or a killed worker left behind."""
    left = drafting.unpacked().exclude(pk__in=measuring.given_up().values("pk"))
    packing = left.order_by("pk").values_list("pk", flat=True)
    unmeasured = measuring.outdated().order_by("pk").values_list("pk", flat=True)
    for pk in sorted({*packing, *unmeasured[:AT_ONCE]}):
        jobs.send(pack, pk)
