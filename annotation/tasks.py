"""Work of the platform in the background."""

from celery import shared_task

from annotation import clearing_cache, jobs, marking, wiping
from annotation.clock import database_now
from annotation.corpora import curating
from annotation.corpora.uploads import checking, clearing
from annotation.fieldwork.consenting import erasing_expired
from annotation.fieldwork.paying import budgeting, sending
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting.prolific import (
    admitting,
    publishing,
    receiving_webhooks,
    reconciling,
    signing_keys,
)
from annotation.fieldwork.review import returning_redos
from annotation.fieldwork.trials import ending, simulating
from annotation.fieldwork.work import assigning, pacing, withdrawal_journal
from annotation.jobs import CALL_LIMIT, CALLS_LIMIT, GRACE
from annotation.models import WorkNotice
from annotation.people import notifying
from annotation.studies import batching
from annotation.studies.drafts import making


@shared_task
def expire() -> None:
    """Free overdue places, close due batches, delete addresses, and so on: each if it is due."""
    now = database_now()
    marking.mark(marking.CLOCK)
    assigning.expire_due(now=now)
    returning_redos.return_lapsed(now=now)
    batching.close_due(now=now)
    budgeting.pause_spent()
    pacing.forget_addresses(now=now)
    admitting.forget_tokens(now=now)
    withdrawal_journal.catch_up()


@shared_task(soft_time_limit=CALL_LIMIT, time_limit=CALL_LIMIT + GRACE)
def ask_after(pk: int) -> None:
    """Ask a platform about what its message was about. Done twice, it is done once."""
    receiving_webhooks.handle(pk=pk, now=database_now())


@shared_task(soft_time_limit=CALLS_LIMIT, time_limit=CALLS_LIMIT + GRACE)
def reconcile() -> None:
    """Ask the platforms about every study and submission that may have changed."""
    now = database_now()
    signing_keys.fetch_due()
    receiving_webhooks.handle_left(now=now)
    reconciling.poll_all(now=now)
    publishing.follow_all()


@shared_task(soft_time_limit=CALLS_LIMIT, time_limit=CALLS_LIMIT + GRACE)
def follow_batches(study: int) -> None:
    """Let a study at its platform start, pause or stop with its batches. The sweep does it too."""
    publishing.follow_all(study=study)


@shared_task
def clear() -> None:
    """Delete expired corpora, drafts, trials and uploads, and send lost jobs again."""
    now = database_now()
    clearing_cache.forget_expired(now=now)
    ending.end_due(now=now)
    curating.end_deleted(now=now)
    making.forget_deleted(now=now)
    for pk in simulating.left(now=now):
        jobs.send(simulate, pk)
    clearing.clear(now=now)
    clearing.resume(task=work_on_upload)
    notifying.follow(kind=WorkNotice.Kind.UPLOAD, end_of=checking.end_of, now=now)
    notifying.follow(kind=WorkNotice.Kind.SIMULATION, end_of=simulating.end_of, now=now)
    wiping.wipe()


@shared_task(soft_time_limit=CALLS_LIMIT, time_limit=CALLS_LIMIT + GRACE)
def pay_people() -> None:
    """Send waiting payment orders and ask for their outcome. In a dry run they wait."""
    if sending.is_on():
        sending.go_on(desk=client_for_settings(), now=database_now())


@shared_task
def work_on_upload(pk: int) -> None:
    """Check or import an upload that waits for it."""
    checking.work_on(pk=pk)


@shared_task
def simulate(pk: int) -> None:
    """Let a simulated crowd answer the copy of a draft. Done twice, it is done once."""
    simulating.work_on(pk=pk)


@shared_task
def retain() -> None:
    """Erase what a study has kept until the day that it promised."""
    erasing_expired.sweep(now=database_now())
