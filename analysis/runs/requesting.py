"""Requesting analyses: a request is stored at once, and a worker answers it.

A run starts with reading and hashing all votes of a study, which takes longer than a page may.
Requests are in the database, so a lost message or a killed worker loses nothing (`forgotten`).
"""

from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from analysis.inputs.machine_calls import MODELS
from analysis.inputs.settings import PEOPLE, WITH_MACHINES, check_compat
from analysis.models import AnalysisRequest, AnalysisRun
from analysis.runs.heartbeat import STALE, heartbeat
from analysis.runs.running import Enqueue, NothingToAnalyse, require_machines, require_work, start
from annotation.models import Study
from annotation.people.notifying import STOPPED, WorkEnd
from judging.raters.pools import UnknownPool, pool_of


def ask(*, study: Study, pool: str = PEOPLE, compat: str = "", with_machines: bool = False) -> None:
    """Request an analysis of the answers of a pool of raters.

    `compat` names a published pipeline; `with_machines` adds models to the annotators of MACE.
    Raises NothingToAnalyse, UnknownPool or UnknownCompat.
    """
    read = pool_of(name=pool, study=study)
    check_compat(compat or None)
    require_work(study=study, pool=read)
    with_machines = with_machines and read.name != MODELS
    if with_machines:
        require_machines(study, None)
    AnalysisRequest.objects.note(
        study=study, pool=read.name, compat=compat, with_machines=with_machines
    )


def request_title(*, pool: str = PEOPLE, with_machines: bool = False, **_: Any) -> str:
    """Return the request as the audit log has it."""
    return f"{pool}, with models in MACE" if with_machines else pool


def is_waiting(study: Study) -> bool:
    return _waiting().filter(study=study).exists()


def answer(*, study: Study, enqueue: Enqueue) -> bool:
    """Start the requested analysis; return whether there was a request.

    Answered twice, or by two workers, it is one run. A request made meanwhile stays. Where nothing
    is left to analyse the request is answered, too.
    """
    requests = list(_waiting().filter(study=study).order_by("pk"))
    for request in requests:
        _answer(request, enqueue)
    return bool(requests)


def _answer(request: AnalysisRequest, enqueue: Enqueue) -> None:
    requests = AnalysisRequest.objects.filter(pk=request.pk)
    try:
        with heartbeat(requests):
            start(
                study=request.study,
                pool=request.pool,
                parameters=_asked_for(request),
                enqueue=enqueue,
            )
    except (NothingToAnalyse, UnknownPool):  # erased meanwhile
        pass
    requests.filter(answered__lt=request.asked).update(answered=request.asked)


def _asked_for(request: AnalysisRequest) -> dict[str, Any]:
    parameters = {"compat": request.compat, WITH_MACHINES: request.with_machines}
    return {name: value for name, value in parameters.items() if value}


def end_of(study: int) -> WorkEnd | None:
    """Return how the analyses of a study ended; None while one is queued or runs."""
    runs = AnalysisRun.objects.filter(study=study)
    if runs.filter(finished_at=None).exists() or _waiting().filter(study=study).exists():
        return None
    run = runs.newest_first().defer("frozen").first()
    if run is None or run.state == AnalysisRun.State.CANCELLED:
        return STOPPED
    return WorkEnd(run.finished_at, failed=run.state == AnalysisRun.State.FAILED)


def withdraw(*, study: Study) -> bool:
    """Withdraw the request for an analysis; return whether there was one."""
    return bool(_waiting().filter(study=study).update(answered=F("asked")))


def forgotten(*, now: datetime) -> list[int]:
    """Return the ids of studies with requests untouched for a while, each of them once."""
    studies = []
    for request in _waiting().filter(touched_at__lt=now - STALE):
        untouched = AnalysisRequest.objects.filter(pk=request.pk, touched_at=request.touched_at)
        if untouched.update(touched_at=now):
            studies.append(request.study_id)
    return studies


def _waiting() -> "QuerySet[AnalysisRequest]":
    return AnalysisRequest.objects.filter(answered__lt=F("asked"))
