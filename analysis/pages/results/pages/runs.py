"""Progress of the newest run of a study."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest

from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import findings
from annotation.models import Study


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


def progress_of(study: Study) -> RunProgress | None:
    """Return the progress of the newest run of a study."""
    run = study.runs.newest_first().defer("frozen").first()
    if run is None:
        return None
    counts = dict(run.steps.values_list("state").annotate(n=Count("id")))
    done = counts.get(AnalysisStep.State.DONE, 0)
    return RunProgress(run, done, sum(counts.values()), findings.errors(run))
