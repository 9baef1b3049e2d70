"""Background tasks of judging studies."""

from functools import partial

from celery import shared_task

from annotation import jobs
from annotation.clock import database_now
from annotation.models import WorkNotice
from annotation.people import notifying
from judging.calls import progress, sending
from judging.labels import uploading
from judging.models import AuthorRound, CoderRound, EntryRound, MachineJudge, QueryRound
from judging.review import examining

Kind = WorkNotice.Kind

AT_ONCE = 500  # questionnaires that a sweep examines
# Seconds for one turn of an asker, far above what it needs (sending.SLICE, then the calls that are
# out). A pool that cannot end a task has the deadline of each call. What was sent is known.
TURN = 1800
GRACE = 300  # for calls that are out: two tries with sending.TIMEOUT each


@shared_task
def sweep() -> None:
    """Run quality checks on imported submissions, and on those that a killed server missed.

    Files of labels that nobody imported are deleted.
    """
    uploading.clear(now=database_now())
    for pk in list(examining.unexamined().order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        examining.examine(pk=pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def rate(pk: int) -> None:
    """Send the calls of a machine judge for a while, then give others their turn."""
    if sending.work_on(pk=pk):
        jobs.send(rate, pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def propose(pk: int) -> None:
    """Send the calls of a round of queries for a while."""
    if sending.work_on(pk=pk, askers=QueryRound):
        jobs.send(propose, pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def propose_entries(pk: int) -> None:
    """Send calls of an entry round for a limited time."""
    if sending.work_on(pk=pk, askers=EntryRound):
        jobs.send(propose_entries, pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def write_responses(pk: int) -> None:
    """Send the calls of an LLM author for a limited time."""
    if sending.work_on(pk=pk, askers=AuthorRound):
        jobs.send(write_responses, pk)


@shared_task(soft_time_limit=TURN, time_limit=TURN + GRACE)
def code_comments(pk: int) -> None:
    """Send the calls of an LLM coder for a limited time."""
    if sending.work_on(pk=pk, askers=CoderRound):
        jobs.send(code_comments, pk)


@shared_task
def resume_judges() -> None:
    """Continue after a killed worker, a lost message, or a requested pause; e-mail the ends."""
    now = database_now()
    for pk in sending.left(now=now):
        jobs.send(rate, pk)
    for pk in sending.left(askers=QueryRound, now=now):
        jobs.send(propose, pk)
    for pk in sending.left(askers=EntryRound, now=now):
        jobs.send(propose_entries, pk)
    for pk in sending.left(askers=AuthorRound, now=now):
        jobs.send(write_responses, pk)
    for pk in sending.left(askers=CoderRound, now=now):
        jobs.send(code_comments, pk)
    for kind, askers in (
        (Kind.JUDGE, MachineJudge),
        (Kind.QUERIES, QueryRound),
        (Kind.ENTRIES, EntryRound),
        (Kind.AUTHORS, AuthorRound),
        (Kind.CODERS, CoderRound),
    ):
        notifying.follow(kind=kind, end_of=partial(progress.end_of, askers), now=now)
