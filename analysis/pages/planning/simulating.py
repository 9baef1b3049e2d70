"""Simulate the power of a draft in a worker process and store the result.

1. `ask` stores the request; several pages or servers share it.
2. A worker claims it by a guarded UPDATE (`work_on`) and stores its progress and result.
3. A request of a killed worker is claimed again when its page asks again; after a few attempts it
fails. A page that is closed asks nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
from django.conf import settings
from django.db.models import Q

from analysis.models import Forecast
from analysis.pages.planning.pairs import pairs_of
from analysis.runs.heartbeat import STALE, heartbeat
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_power import simulate_power
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth
from analysis.stats.errors import CannotCompute
from annotation import jobs
from annotation.clock import database_now
from annotation.models import Draft
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.plan_results import digest_of_design
from annotation.studies.drafts.workload import outline_of

State = Forecast.State
LEAST_DRAWS, MOST_DRAWS = 60, 400
DRAWN = 1_000_000  # votes in all: ten seconds for the usual curve
MOST_ATTEMPTS = 3
KEPT = timedelta(days=1)
RULE = "winner"  # what a chance is about: results of another rule are not taken
Enqueue = Callable[[int], Any]


def ask(
    *,
    draft: Draft,
    digest: str,
    assumed: AssumedTruth,
    votes: Sequence[int],
    enqueue: Enqueue,
    now: datetime,
) -> Forecast:
    """Return the forecast of a design under these assumptions, as far as it is computed.

    Starts a worker where none is at it. Raises nothing: an error is part of the answer.
    """
    question = {"digest": digest, "assumed": asdict(assumed), "votes": list(votes)}
    request = (question, settings.VERSION, RULE)
    key = sha256(msgspec.json.encode(request, order="sorted")).hexdigest()
    forecast, is_new = Forecast.objects.get_or_create(
        key=key, defaults={"draft": draft, "asked": question, "asked_at": now, "touched_at": now}
    )
    lost = Forecast.objects.filter(_free(now), pk=forecast.pk, touched_at__lt=now - STALE)
    if is_new or lost.update(draft=draft, touched_at=now, state=State.WAITING):
        jobs.after_commit(enqueue, forecast.pk)
    return forecast


def _free(now: datetime) -> Q:
    return Q(state=State.WAITING) | Q(state=State.WORKING, touched_at__lt=now - STALE)


def work_on(*, pk: int) -> None:
    """Simulate a forecast, unless it is claimed, done or deleted."""
    forecast = _take(pk, database_now())
    if forecast is None:
        return
    mine = Forecast.objects.filter(pk=pk, state=State.WORKING, attempts=forecast.attempts)
    draft, question = forecast.draft, forecast.asked
    document, corpus = decoded(draft.document), draft.corpus
    if corpus is None or digest_of_design(document, corpus) != question["digest"]:
        mine.delete()  # another design by now: whoever looks at the draft asks for that one
        return
    with heartbeat(mine):
        try:
            pairs = pairs_of(document, corpus, outline_of(document, corpus))
            draws = DRAWN // (len(pairs.a) * max(question["votes"]))
            powers = simulate_power(
                pairs,
                _assumed(question["assumed"]),
                votes=question["votes"],
                draws=min(max(draws, LEAST_DRAWS), MOST_DRAWS),
                seed=document.design.seed,
                tell=lambda share: mine.update(done=share, touched_at=database_now()),
            )
        except CannotCompute as error:
            mine.update(state=State.DONE, sentence=str(error))
            return
    answer = {
        "rows": [asdict(power) for power in powers],
        "systems": pairs.systems,
        "topics": pairs.topics,
    }
    mine.update(state=State.DONE, done=1.0, found=answer, touched_at=database_now())


def _assumed(said: dict[str, Any]) -> AssumedTruth:
    return AssumedTruth(**said | {"components": Components(**said["components"])})


def _take(pk: int, now: datetime) -> Forecast | None:
    free = Forecast.objects.filter(_free(now), pk=pk)
    if free.filter(attempts__gte=MOST_ATTEMPTS).update(state=State.FAILED):
        return None
    seen = free.select_related("draft__corpus").first()
    if seen is None:
        return None
    same = free.filter(attempts=seen.attempts)
    if not same.update(state=State.WORKING, touched_at=now, attempts=seen.attempts + 1):
        return None
    seen.attempts += 1
    return seen


def forget(*, now: datetime) -> int:
    """Delete the forecasts that were not asked for lately; return how many."""
    count, _ = Forecast.objects.filter(asked_at__lt=now - KEPT).delete()
    return count
