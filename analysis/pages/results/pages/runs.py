"""Progress of the newest run of a study."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest

from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import findings
from annotation.clock import database_now
from annotation.models import Study
from annotation.texts.time_left import WorkProgress, seconds_left


def pool_asked_for(request: HttpRequest) -> str:
    """Return the pool in the address of a page or file; '' if it names none."""
    return request.GET.get("pool", "").replace("\x00", "")


@dataclass(frozen=True)
class RunProgress:
    """Progress of a run: steps done of all, and failures."""

    run: AnalysisRun
    done: int
    steps: int
    errors: list[str]
    seconds_left: int = 0

    @property
    def work(self) -> WorkProgress:
        return WorkProgress(self.done, self.steps, self.seconds_left)


def progress_of(study: Study) -> RunProgress | None:
    """Return the progress of the newest run of a study."""
    run = study.runs.newest_first().defer("frozen").first()
    if run is None:
        return None
    counts = dict(run.steps.values_list("state").annotate(n=Count("id")))
    done = counts.get(AnalysisStep.State.DONE, 0)
    steps = sum(counts.values())
    seconds = 0 if run.finished_at else _seconds_left(run, steps - done)
    return RunProgress(run, done, steps, findings.errors(run), seconds)


def _seconds_left(run: AnalysisRun, left: int) -> int:
    """Return the estimated seconds of a run. Steps done before it was requested again count not."""
    done = run.steps.filter(state=AnalysisStep.State.DONE, touched_at__gte=run.asked_at).count()
    elapsed = (database_now() - run.asked_at).total_seconds()
    return seconds_left(elapsed, done, done + left)
