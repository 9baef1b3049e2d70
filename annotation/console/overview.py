"""The overview of a study: is it going well, and what waits for whom. Only reads."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from annotation.fieldwork.paying import totals
from annotation.fieldwork.recruiting.prolific.stalled_recruitment import standstills_of
from annotation.models import Batch, Study
from annotation.studies import forecasts, progress
from annotation.studies.active_time import earnings_of
from annotation.studies.waiting_notices import underpaid, waiting_in


def overview_of(study: Study, *, now: datetime) -> dict[str, Any]:
    """Return the context of the page's head, with a constant number of queries."""
    batches = progress.batches_in([study])
    mine = batches[study.pk]
    paid = earnings_of(study)
    places, done = sum(row.places for row in mine), sum(batch.done for batch in mine)
    return {
        "batches": progress.with_tasks(mine, study=study),
        "arms": progress.arms_in(study),
        "recruits": any(batch.batch.state != Batch.State.CLOSED for batch in mine),
        "state": state_of(study, mine),
        "waits": [
            *waiting_in([study], batches, now=now)[study.pk],
            *underpaid(study, paid),
        ],
        "earned": paid,
        "sums": totals.sums_of(study),
        "screening": totals.screening_rewards(study),
        "places": places,
        "done": done,
        "pace": forecasts.pace_of(study, mine, now=now),
        "standstill": standstills_of([study]).get(study.pk),
        "to_come": _to_come(study, mine),
    }


def state_of(study: Study, batches: list[progress.BatchProgress]) -> str:
    """Return the state of all batches together, in one word."""
    states = {batch.batch.state for batch in batches}
    if study.launched_at is None:
        return "draft"
    for state in (Batch.State.OPEN, Batch.State.PAUSED):
        if state in states:
            return "running" if state == Batch.State.OPEN else "paused"
    return "waiting" if Batch.State.DRAFT in states or not states else "finished"


def _to_come(study: Study, batches: list[progress.BatchProgress]) -> Decimal:
    """Return the cost of free and taken places in batches that are not closed."""
    left = [batch for batch in batches if batch.batch.state != Batch.State.CLOSED]
    pays = (
        (progress_of_batch.places - progress_of_batch.done)
        * progress_of_batch.batch.terms_in(study)[0]
        for progress_of_batch in left
    )
    return sum(pays, Decimal(0))
