"""Work of judging studies in the background."""

from celery import shared_task
from django.utils import timezone

from annotation import jobs
from judging.calls import sending
from judging.models import QueryRound
from judging.review import examining

AT_ONCE = 500  # questionnaires that a sweep examines
# Seconds for one turn of an asker, far above what it needs (sending.SLICE, then the calls that are
# out). A pool that cannot end a task has the deadline of each call. What was sent is known.
TURN = 1800
GRACE = 300  # for calls that are out: two tries with sending.TIMEOUT each


@shared_task
def sweep() -> None:
    """Examine what was handed in and not examined: imported work, or that of a killed server."""
    for pk in list(examining.unexamined().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        examining.examine(pk=pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def rate(pk: int) -> None:
    """Send the calls of a machine judge for a while, then give others their turn. Done by two at
    once, it is done by one.
    """
    if sending.work_on(pk=pk):
        jobs.send(rate, pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def propose(pk: int) -> None:
    """The same for a round of queries."""
    if sending.work_on(pk=pk, askers=QueryRound):
        jobs.send(propose, pk)


@shared_task
def resume_judges() -> None:
    """Go on where a worker was killed, a message was lost, or an endpoint asked to wait."""
    now = timezone.now()
    for pk in sending.left(now=now):
        jobs.send(rate, pk)
    for pk in sending.left(askers=QueryRound, now=now):
        jobs.send(propose, pk)
